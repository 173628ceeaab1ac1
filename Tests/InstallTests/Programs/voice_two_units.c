// SPDX-License-Identifier: Apache-2.0
// A telephone: one unit captures, another plays, with a lock-free ring between them.
// Captures 440 Hz at 0.5.
// Plays 440 Hz at 0.5.

#include <AudioToolbox/AudioToolbox.h>
#include <libkern/OSAtomic.h>
#include <mach/mach_time.h>

enum { kOutputBus = 0, kInputBus = 1, kRing = 65536 };

typedef struct {
  Float32 samples[kRing];
  volatile int32_t filled;
  UInt32 in, out;
} Ring;

static Ring ring;
static AudioUnit inputUnit, outputUnit;
static AudioBufferList *captured;

static OSStatus InputProc(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                          const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
                          UInt32 inNumberFrames, AudioBufferList *ioData) {
  captured->mBuffers[0].mDataByteSize = inNumberFrames * sizeof(Float32);
  OSStatus err = AudioUnitRender(inputUnit, ioActionFlags, inTimeStamp, inBusNumber, inNumberFrames,
                                 captured);
  if (err) return err;
  Float32 *samples = captured->mBuffers[0].mData;
  for (UInt32 i = 0; i < inNumberFrames; i++) ring.samples[ring.in++ % kRing] = samples[i];
  OSAtomicAdd32Barrier((int32_t)inNumberFrames, &ring.filled);
  return noErr;
}

static OSStatus OutputProc(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                           const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
                           UInt32 inNumberFrames, AudioBufferList *ioData) {
  Float32 *out = ioData->mBuffers[0].mData;
  static Boolean begun = false;
  // Half a dozen buffers first, so that neither waits for the other.
  if (!begun && ring.filled < 6 * 512) {
    *ioActionFlags |= kAudioUnitRenderAction_OutputIsSilence;
    memset(out, 0, ioData->mBuffers[0].mDataByteSize);
    return noErr;
  }
  begun = true;
  OSMemoryBarrier();
  for (UInt32 i = 0; i < inNumberFrames; i++) out[i] = ring.samples[ring.out++ % kRing];
  OSAtomicAdd32(-(int32_t)inNumberFrames, &ring.filled);
  return noErr;
}

static void Check(OSStatus err, const char *operation) {
  if (err == noErr) return;
  char str[20];
  *(UInt32 *)(str + 1) = CFSwapInt32HostToBig(err);
  if (isprint(str[1]) && isprint(str[2]) && isprint(str[3]) && isprint(str[4])) {
    str[0] = str[5] = '\'';
    str[6] = '\0';
  } else {
    sprintf(str, "%d", (int)err);
  }
  fprintf(stderr, "Error: %s (%s)\n", operation, str);
  exit(1);
}

static AudioUnit MakeUnit(UInt32 input, AudioDeviceID device, AURenderCallback proc) {
  AudioComponentDescription desc = {kAudioUnitType_Output, kAudioUnitSubType_HALOutput,
                                    kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit;
  Check(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &desc), &unit), "open");
  UInt32 output = !input;
  Check(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input,
                             kInputBus, &input, sizeof input), "enable input");
  Check(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output,
                             kOutputBus, &output, sizeof output), "enable output");
  Check(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global,
                             input ? kInputBus : kOutputBus, &device, sizeof device), "device");
  AudioStreamBasicDescription mono = {48000, kAudioFormatLinearPCM,
                                      kAudioFormatFlagsNativeFloatPacked, 4, 1, 4, 1, 32, 0};
  Check(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat,
                             input ? kAudioUnitScope_Output : kAudioUnitScope_Input,
                             input ? kInputBus : kOutputBus, &mono, sizeof mono), "format");
  AURenderCallbackStruct callback = {proc, NULL};
  Check(AudioUnitSetProperty(unit,
                             input ? kAudioOutputUnitProperty_SetInputCallback
                                   : kAudioUnitProperty_SetRenderCallback,
                             kAudioUnitScope_Global, input ? kInputBus : kOutputBus, &callback,
                             sizeof callback), "callback");
  UInt32 maxFrames = 4096;
  Check(AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global,
                             input ? kInputBus : kOutputBus, &maxFrames, sizeof maxFrames), "slice");
  Check(AudioUnitInitialize(unit), "initialize");
  return unit;
}

static AudioDeviceID DefaultDevice(AudioObjectPropertySelector selector) {
  AudioObjectPropertyAddress address = {selector, kAudioObjectPropertyScopeGlobal, 0};
  AudioDeviceID device = kAudioDeviceUnknown;
  UInt32 size = sizeof device;
  Check(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device),
        "default device");
  return device;
}

int main(void) {
  captured = (AudioBufferList *)calloc(1, offsetof(AudioBufferList, mBuffers) + sizeof(AudioBuffer));
  captured->mNumberBuffers = 1;
  captured->mBuffers[0].mNumberChannels = 1;
  captured->mBuffers[0].mData = malloc(4096 * sizeof(Float32));
  inputUnit = MakeUnit(1, DefaultDevice(kAudioHardwarePropertyDefaultInputDevice), InputProc);
  outputUnit = MakeUnit(0, DefaultDevice(kAudioHardwarePropertyDefaultOutputDevice), OutputProc);
  Check(AudioOutputUnitStart(inputUnit), "start input");
  Check(AudioOutputUnitStart(outputUnit), "start output");
  usleep(600000);
  Check(AudioOutputUnitStop(inputUnit), "stop input");
  Check(AudioOutputUnitStop(outputUnit), "stop output");
  AudioComponentInstanceDispose(inputUnit);
  AudioComponentInstanceDispose(outputUnit);
  return 0;
}
