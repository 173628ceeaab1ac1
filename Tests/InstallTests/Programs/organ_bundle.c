// SPDX-License-Identifier: Apache-2.0
// A plug-in in a bundle: a host finds its version, its resources and a function with CFBundle, and
// distinguishes instances by CFUUID; the function's output is played.
// Plays 440 Hz at 0.25.
// Prints version 1\.2\.3, stops\.txt, 16 bytes, loaded 1

#include <AudioToolbox/AudioToolbox.h>
#include <sys/stat.h>

static char gFolder[] = "/tmp/organ-XXXXXX";

static void Write(const char *path, const char *text) {
  char full[PATH_MAX];
  snprintf(full, sizeof full, "%s/%s", gFolder, path);
  FILE *file = fopen(full, "w");
  if (!file) exit(2);
  fputs(text, file);
  fclose(file);
}

static void Folder(const char *path) {
  char full[PATH_MAX];
  snprintf(full, sizeof full, "%s/%s", gFolder, path);
  if (mkdir(full, 0755)) exit(2);
}

static CFBundleRef MakeBundle(void) {
  if (!mkdtemp(gFolder)) exit(2);
  Folder("Contents");
  Folder("Contents/Resources");
  Folder("Contents/Linux");
  Write("Contents/Resources/stops.txt", "8 4 2");
  Write("Contents/Info.plist",
        "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>"
        "<key>CFBundleIdentifier</key><string>org.example.organ</string>"
        "<key>CFBundleExecutable</key><string>organ</string>"
        "<key>CFBundleShortVersionString</key><string>1.2.3</string></dict></plist>");
  // Stands in for the plug-in's executable: a shared library with a function.
  char command[3 * PATH_MAX];
  Write("organ.c", "#include <math.h>\ndouble organ(double x) { return 0.25 * sin(x); }\n");
  snprintf(command, sizeof command, "cc -shared -fPIC %s/organ.c -o %s/Contents/Linux/organ -lm",
           gFolder, gFolder);
  if (system(command)) exit(2);
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)gFolder,
                                                         strlen(gFolder), true);
  CFBundleRef bundle = CFBundleCreate(kCFAllocatorDefault, url);
  CFRelease(url);
  return bundle;
}

static OSStatus Play(void *phase, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *when,
                     UInt32 bus, UInt32 frames, AudioBufferList *data) {
  double (*sine)(double) = *(double (**)(double))((char *)phase + sizeof(double));
  for (UInt32 i = 0; i < frames; i++) {
    const Float32 sample = sine(*(double *)phase += 2 * M_PI * 440 / 44100);
    for (UInt32 c = 0; c < data->mNumberBuffers; c++)
      ((Float32 *)data->mBuffers[c].mData)[i] = sample;
  }
  (void)flags, (void)when, (void)bus;
  return noErr;
}

int main(void) {
  CFBundleRef bundle = MakeBundle();
  if (!bundle || CFBundleGetBundleWithIdentifier(CFSTR("org.example.organ")) != bundle) return 1;
  char version[32] = "", stops[64] = "";
  CFStringRef text =
      CFBundleGetValueForInfoDictionaryKey(bundle, CFSTR("CFBundleShortVersionString"));
  if (!text || !CFStringGetCString(text, version, sizeof version, kCFStringEncodingUTF8)) return 1;
  CFURLRef found = CFBundleCopyResourceURL(bundle, CFSTR("stops"), CFSTR("txt"), NULL);
  if (!found) return 1;
  CFStringRef name = CFURLCopyLastPathComponent(found);
  CFStringGetCString(name, stops, sizeof stops, kCFStringEncodingUTF8);

  CFUUIDRef one = CFUUIDCreate(NULL), other = CFUUIDCreate(NULL);
  CFStringRef written = CFUUIDCreateString(NULL, one);
  CFUUIDRef again = CFUUIDCreateFromString(NULL, written);
  if (CFEqual(one, other) || !CFEqual(one, again)) return 1;
  CFUUIDBytes bytes = CFUUIDGetUUIDBytes(one);

  struct { double phase; double (*sine)(double); } state = {0, NULL};
  *(void **)&state.sine = CFBundleGetFunctionPointerForName(bundle, CFSTR("organ"));
  if (!state.sine) return 1;
  printf("version %s, %s, %zu bytes, loaded %d\n", version, stops, sizeof bytes,
         CFBundleIsExecutableLoaded(bundle));

  AudioComponentDescription description = {kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput,
                                      kAudioUnitManufacturer_Apple, 0, 0};
  AURenderCallbackStruct source = {Play, &state};
  AudioUnit unit;
  if (AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit)) return 1;
  AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &source,
                       sizeof source);
  if (AudioUnitInitialize(unit) || AudioOutputUnitStart(unit)) return 1;
  sleep(1);
  AudioOutputUnitStop(unit);
  AudioComponentInstanceDispose(unit);
  CFRelease(written), CFRelease(one), CFRelease(other), CFRelease(again);
  CFRelease(found), CFRelease(name), CFRelease(bundle);
  char command[PATH_MAX];
  snprintf(command, sizeof command, "rm -r %s", gFolder);
  return system(command);
}
