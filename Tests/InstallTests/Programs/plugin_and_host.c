// SPDX-License-Identifier: Apache-2.0
// A plug-in in plain C, registered by its host: it inverts its input and has one gain. The host
// finds it by its codes, connects it to the output and changes the gain.
// Plays 660 Hz at 0.2.

#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>

typedef struct {
  AudioComponentPlugInInterface interface;
  AudioStreamBasicDescription format;
  AURenderCallbackStruct input;
  Float32 gain;
  UInt32 maxFrames;
  Float32 *memory[2];
} Plug;

static OSStatus Open(void *self, AudioComponentInstance me) { return noErr; }
static OSStatus Close(void *self) {
  free(self);
  return noErr;
}
static OSStatus Initialize(void *self) {
  Plug *plug = self;
  for (int b = 0; b < 2; b++) plug->memory[b] = calloc(plug->maxFrames, sizeof(Float32));
  return noErr;
}
static OSStatus Uninitialize(void *self) {
  for (int b = 0; b < 2; b++) free(((Plug *)self)->memory[b]);
  return noErr;
}
static OSStatus Reset(void *self, AudioUnitScope scope, AudioUnitElement element) { return noErr; }

static OSStatus GetPropertyInfo(void *self, AudioUnitPropertyID id, AudioUnitScope scope,
                                AudioUnitElement element, UInt32 *size, Boolean *writable) {
  UInt32 bytes = 0;
  switch (id) {
    case kAudioUnitProperty_StreamFormat: bytes = sizeof(AudioStreamBasicDescription); break;
    case kAudioUnitProperty_MaximumFramesPerSlice:
    case kAudioUnitProperty_ElementCount: bytes = sizeof(UInt32); break;
    case kAudioUnitProperty_SetRenderCallback: bytes = sizeof(AURenderCallbackStruct); break;
    default: return kAudioUnitErr_InvalidProperty;
  }
  if (size) *size = bytes;
  if (writable) *writable = true;
  return noErr;
}

static OSStatus GetProperty(void *self, AudioUnitPropertyID id, AudioUnitScope scope,
                            AudioUnitElement element, void *data, UInt32 *size) {
  Plug *plug = self;
  switch (id) {
    case kAudioUnitProperty_StreamFormat: memcpy(data, &plug->format, *size); return noErr;
    case kAudioUnitProperty_MaximumFramesPerSlice: *(UInt32 *)data = plug->maxFrames; return noErr;
    case kAudioUnitProperty_ElementCount: *(UInt32 *)data = 1; return noErr;
    default: return kAudioUnitErr_InvalidProperty;
  }
}

static OSStatus SetProperty(void *self, AudioUnitPropertyID id, AudioUnitScope scope,
                            AudioUnitElement element, const void *data, UInt32 size) {
  Plug *plug = self;
  switch (id) {
    case kAudioUnitProperty_StreamFormat: plug->format = *(AudioStreamBasicDescription *)data; break;
    case kAudioUnitProperty_MaximumFramesPerSlice: plug->maxFrames = *(UInt32 *)data; break;
    case kAudioUnitProperty_SetRenderCallback: plug->input = *(AURenderCallbackStruct *)data; break;
    default: return kAudioUnitErr_InvalidProperty;
  }
  return noErr;
}

static OSStatus SetParameter(void *self, AudioUnitParameterID id, AudioUnitScope scope,
                             AudioUnitElement element, AudioUnitParameterValue value,
                             UInt32 offset) {
  ((Plug *)self)->gain = value;
  return id == 0 ? noErr : kAudioUnitErr_InvalidParameter;
}

static OSStatus Render(void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                       UInt32 bus, UInt32 frames, AudioBufferList *data) {
  Plug *plug = self;
  if (!plug->input.inputProc) return kAudioUnitErr_NoConnection;
  // A host that pulls through a connection leaves the memory to the unit.
  for (UInt32 b = 0; b < data->mNumberBuffers; b++)
    if (!data->mBuffers[b].mData) data->mBuffers[b].mData = plug->memory[b];
  OSStatus status = plug->input.inputProc(plug->input.inputProcRefCon, flags, time, 0, frames, data);
  for (UInt32 b = 0; b < data->mNumberBuffers && !status; b++)
    for (UInt32 i = 0; i < frames; i++) ((Float32 *)data->mBuffers[b].mData)[i] *= -plug->gain;
  return status;
}

static AudioComponentMethod Lookup(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)Initialize;
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)Uninitialize;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)GetPropertyInfo;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)GetProperty;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)SetProperty;
    case kAudioUnitSetParameterSelect: return (AudioComponentMethod)SetParameter;
    case kAudioUnitResetSelect: return (AudioComponentMethod)Reset;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)Render;
    default: return NULL;
  }
}

static AudioComponentPlugInInterface *Factory(const AudioComponentDescription *description) {
  Plug *plug = calloc(1, sizeof *plug);
  plug->interface = (AudioComponentPlugInInterface){Open, Close, Lookup, NULL};
  plug->format = (AudioStreamBasicDescription){
      44100, kAudioFormatLinearPCM,
      kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, 4, 1, 4, 2, 32, 0};
  plug->gain = 1;
  plug->maxFrames = 1156;
  return &plug->interface;
}

static OSStatus Tone(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                     UInt32 bus, UInt32 frames, AudioBufferList *data) {
  static UInt32 n;
  for (UInt32 i = 0; i < frames; i++, n++)
    for (UInt32 b = 0; b < data->mNumberBuffers; b++)
      ((Float32 *)data->mBuffers[b].mData)[i] = 0.4 * sin(2 * M_PI * 660 * n / 44100);
  return noErr;
}

int main(void) {
  AudioComponentDescription plug = {'aufx', 'invt', 'Demo', 0, 0};
  AudioComponentRegister(&plug, CFSTR("Demo: Inverter"), 0x00010000, Factory);
  AudioComponentDescription any = {'aufx', 0, 'Demo', 0, 0};
  AudioComponent component = AudioComponentFindNext(NULL, &any);
  CFStringRef name = NULL;
  if (!component || AudioComponentCopyName(component, &name)) return 1;
  CFShow(name);
  if (CFStringCompare(name, CFSTR("Demo: Inverter"), 0) != kCFCompareEqualTo) return 2;
  CFRelease(name);
  AudioUnit inverter, output;
  AudioComponentDescription out = {'auou', 'def ', 'appl', 0, 0};
  if (AudioComponentInstanceNew(component, &inverter)
      || AudioComponentInstanceNew(AudioComponentFindNext(NULL, &out), &output))
    return 3;
  AURenderCallbackStruct tone = {Tone, NULL};
  AudioUnitConnection connection = {inverter, 0, 0};
  if (AudioUnitSetProperty(inverter, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                           &tone, sizeof tone)
      || AudioUnitSetProperty(output, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0,
                              &connection, sizeof connection)
      || AudioUnitSetParameter(inverter, 0, kAudioUnitScope_Global, 0, 0.5f, 0)
      || AudioUnitInitialize(inverter) || AudioUnitInitialize(output) || AudioOutputUnitStart(output))
    return 4;
  usleep(300000);
  AudioOutputUnitStop(output);
  AudioComponentInstanceDispose(output);
  AudioComponentInstanceDispose(inverter);
  return 0;
}
