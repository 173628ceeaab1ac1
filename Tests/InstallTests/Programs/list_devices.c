// SPDX-License-Identifier: Apache-2.0
// Lists the devices: names, UIDs, channels of each endpoint, rates, sources, the default ones.
// Prints \* file:.* 2 in 2 out

#include <CoreAudio/CoreAudio.h>
#include <CoreFoundation/CoreFoundation.h>

static char *copy_string(CFStringRef string) {
  if (string == NULL) return strdup("(null)");
  const char *fast = CFStringGetCStringPtr(string, kCFStringEncodingUTF8);
  if (fast) return strdup(fast);
  CFIndex length = CFStringGetMaximumSizeForEncoding(CFStringGetLength(string), kCFStringEncodingUTF8);
  char *text = malloc(length + 1);
  CFStringGetCString(string, text, length + 1, kCFStringEncodingUTF8);
  return text;
}

static char *device_string(AudioDeviceID device, AudioObjectPropertySelector selector) {
  AudioObjectPropertyAddress address = {selector, kAudioObjectPropertyScopeGlobal,
                                        kAudioObjectPropertyElementMain};
  CFStringRef string = NULL;
  UInt32 size = sizeof string;
  if (AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &string)) return NULL;
  char *text = copy_string(string);
  CFRelease(string);
  return text;
}

static unsigned channels(AudioDeviceID device, AudioObjectPropertyScope scope) {
  AudioObjectPropertyAddress address = {kAudioDevicePropertyStreamConfiguration, scope, 0};
  UInt32 size = 0;
  if (AudioObjectGetPropertyDataSize(device, &address, 0, NULL, &size)) return 0;
  AudioBufferList *list = alloca(size);
  if (AudioObjectGetPropertyData(device, &address, 0, NULL, &size, list)) return 0;
  unsigned count = 0;
  for (UInt32 i = 0; i < list->mNumberBuffers; i++) count += list->mBuffers[i].mNumberChannels;
  return count;
}

static void source_name(AudioDeviceID device) {
  AudioObjectPropertyAddress address = {kAudioDevicePropertyDataSource,
                                        kAudioDevicePropertyScopeOutput, 0};
  UInt32 source = 0, size = sizeof source;
  if (!AudioObjectHasProperty(device, &address)) return;
  if (AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &source)) return;
  CFStringRef name = NULL;
  AudioValueTranslation translation = {&source, sizeof source, &name, sizeof name};
  size = sizeof translation;
  address.mSelector = kAudioDevicePropertyDataSourceNameForIDCFString;
  if (AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &translation) == noErr) {
    char *text = copy_string(name);
    printf("    by way of %s\n", text);
    free(text);
    CFRelease(name);
  }
}

int main(void) {
  setlocale(LC_ALL, "");
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDevices,
                                        kAudioObjectPropertyScopeGlobal, 0};
  UInt32 size = 0;
  if (AudioObjectGetPropertyDataSize(kAudioObjectSystemObject, &address, 0, NULL, &size)) return 1;
  AudioDeviceID *devices = malloc(size), fallback = kAudioObjectUnknown;
  if (AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, devices)) return 2;
  address.mSelector = kAudioHardwarePropertyDefaultOutputDevice;
  UInt32 length = sizeof fallback;
  AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &length, &fallback);
  for (UInt32 i = 0; i < size / sizeof *devices; i++) {
    char *name = device_string(devices[i], kAudioObjectPropertyName);
    char *uid = device_string(devices[i], kAudioDevicePropertyDeviceUID);
    Float64 rate = 0;
    address.mSelector = kAudioDevicePropertyNominalSampleRate;
    length = sizeof rate;
    AudioObjectGetPropertyData(devices[i], &address, 0, NULL, &length, &rate);
    printf("%c %s \"%s\" %g Hz %u in %u out\n", devices[i] == fallback ? '*' : ' ', uid, name, rate,
           channels(devices[i], kAudioDevicePropertyScopeInput),
           channels(devices[i], kAudioDevicePropertyScopeOutput));
    source_name(devices[i]);
    free(name);
    free(uid);
  }
  free(devices);
  return 0;
}
