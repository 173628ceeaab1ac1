// SPDX-License-Identifier: Apache-2.0
// A player that was written for the Component Manager and never changed since, with names from
// Carbon.
// Plays 523.25 Hz at 0.5.

#include <AudioUnit/AudioUnit.h>
#include <Carbon/Carbon.h>
#include <CoreServices/CoreServices.h>

static ComponentInstance gOutputUnit;
static Float64 gPhase;

static OSStatus MyRenderer(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                           const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
                           UInt32 inNumberFrames, AudioBufferList *ioData) {
  for (UInt32 frame = 0; frame < inNumberFrames; ++frame) {
    Float32 sample = sin(gPhase) / 2;
    gPhase += 2 * M_PI * 523.25 / 44100;
    for (UInt32 channel = 0; channel < ioData->mNumberBuffers; channel++)
      ((Float32 *)ioData->mBuffers[channel].mData)[frame] = sample;
  }
  return noErr;
}

static OSErr CreateDefaultAU(void) {
  ComponentDescription desc;
  Component comp;
  OSErr err;
  desc.componentType = kAudioUnitType_Output;
  desc.componentSubType = kAudioUnitSubType_DefaultOutput;
  desc.componentManufacturer = kAudioUnitManufacturer_Apple;
  desc.componentFlags = kAnyComponentFlagsMask;
  desc.componentFlagsMask = 0;
  comp = FindNextComponent(NULL, &desc);
  if (comp == NULL) return fnfErr;
  Handle name = NewHandle(0);
  if (GetComponentInfo(comp, &desc, name, NULL, NULL) == noErr) {
    HLock(name);
    printf("%.*s\n", **name, *name + 1);
    HUnlock(name);
  }
  DisposeHandle(name);
  err = OpenAComponent(comp, &gOutputUnit);
  if (comp == NULL) return err;
  AURenderCallbackStruct input;
  input.inputProc = MyRenderer;
  input.inputProcRefCon = NULL;
  return AudioUnitSetProperty(gOutputUnit, kAudioUnitProperty_SetRenderCallback,
                              kAudioUnitScope_Global, 0, &input, sizeof(input));
}

int main(int argc, char *argv[]) {
  OSErr err = CreateDefaultAU();
  if (err) return printf("CreateDefaultAU=%d\n", err);
  AudioStreamBasicDescription format;
  UInt32 size = sizeof(format);
  memset(&format, 0, size);
  AudioUnitGetProperty(gOutputUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                       &format, &size);
  if (format.mSampleRate != 44100) return 2;
  if (AudioUnitInitialize(gOutputUnit) || AudioOutputUnitStart(gOutputUnit)) return 3;
  AbsoluteTime start = UpTime();
  UInt32 ticks = TickCount();
  while (TickCount() - ticks < 20) usleep(1000);
  if (UnsignedWideToUInt64(UpTime()) <= UnsignedWideToUInt64(start)) return 4;
  verify_noerr(AudioOutputUnitStop(gOutputUnit));
  AudioUnitUninitialize(gOutputUnit);
  CloseComponent(gOutputUnit);
  return 0;
}
