// SPDX-License-Identifier: Apache-2.0
// The sound of a game: 16-bit stereo in blocks of a fixed size, each mixed when the previous one is
// used up. The device's buffer size is set through the unit, and a listener is notified.
// Plays 330 Hz at 0.3.
// Prints buffer of 256 frames

#include <AudioUnit/AudioUnit.h>
#include <CoreAudio/AudioHardware.h>
#include <libkern/OSAtomic.h>

#define SAMPLES 256
static SInt16 block[SAMPLES * 2];
static UInt32 used = SAMPLES;
static UInt32 position;
static volatile int32_t notes = 0;

static void mix(void) {
  for (int i = 0; i < SAMPLES; i++, position++)
    block[2 * i] = block[2 * i + 1] = (SInt16)(32768 * 0.3 * sin(2 * M_PI * 330 * position / 48000));
}

static OSStatus audioCallback(void *refcon, AudioUnitRenderActionFlags *flags,
                              const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames,
                              AudioBufferList *list) {
  for (UInt32 b = 0; b < list->mNumberBuffers; b++) {
    UInt8 *ptr = (UInt8 *)list->mBuffers[b].mData;
    UInt32 remaining = list->mBuffers[b].mDataByteSize;
    while (remaining > 0) {
      if (used >= SAMPLES) {
        mix();
        used = 0;
      }
      UInt32 len = (SAMPLES - used) * 4;
      if (len > remaining) len = remaining;
      memcpy(ptr, block + 2 * used, len);
      ptr += len;
      remaining -= len;
      used += len / 4;
    }
  }
  return 0;
}

static void sizeChanged(void *refcon, AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope,
                        AudioUnitElement element) {
  if (id == kAudioDevicePropertyBufferFrameSize) OSAtomicIncrement32Barrier(&notes);
}

#define CHECK_RESULT(msg) \
  if (result != noErr) { \
    fprintf(stderr, "%s: %d\n", msg, (int)result); \
    return 1; \
  }

int main(int argc, char **argv) {
  OSStatus result = noErr;
  AudioComponentDescription desc;
  memset(&desc, '\0', sizeof desc);
  desc.componentType = kAudioUnitType_Output;
  desc.componentManufacturer = kAudioUnitManufacturer_Apple;
  desc.componentSubType = kAudioUnitSubType_HALOutput;
  AudioComponent comp = AudioComponentFindNext(NULL, &desc);
  if (comp == NULL) return 1;
  AudioUnit audioUnit;
  result = AudioComponentInstanceNew(comp, &audioUnit);
  CHECK_RESULT("AudioComponentInstanceNew");
  UInt32 enableIO = 0;
  result = AudioUnitSetProperty(audioUnit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input,
                                1, &enableIO, sizeof enableIO);
  CHECK_RESULT("AudioUnitSetProperty (EnableIO)");
  result = AudioUnitAddPropertyListener(audioUnit, kAudioDevicePropertyBufferFrameSize, sizeChanged,
                                        NULL);
  CHECK_RESULT("AudioUnitAddPropertyListener");
  UInt32 frames = SAMPLES;
  result = AudioUnitSetProperty(audioUnit, kAudioDevicePropertyBufferFrameSize,
                                kAudioUnitScope_Global, 0, &frames, sizeof frames);
  CHECK_RESULT("AudioUnitSetProperty (BufferFrameSize)");
  AudioStreamBasicDescription requested;
  memset(&requested, '\0', sizeof requested);
  requested.mFormatID = kAudioFormatLinearPCM;
  requested.mFormatFlags = kLinearPCMFormatFlagIsPacked | kLinearPCMFormatFlagIsSignedInteger;
  requested.mChannelsPerFrame = 2;
  requested.mSampleRate = 48000;
  requested.mBitsPerChannel = 16;
  requested.mFramesPerPacket = 1;
  requested.mBytesPerFrame = requested.mBitsPerChannel * requested.mChannelsPerFrame / 8;
  requested.mBytesPerPacket = requested.mBytesPerFrame * requested.mFramesPerPacket;
  result = AudioUnitSetProperty(audioUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                                &requested, sizeof requested);
  CHECK_RESULT("AudioUnitSetProperty (StreamFormat)");
  AURenderCallbackStruct callback;
  memset(&callback, '\0', sizeof callback);
  callback.inputProc = audioCallback;
  result = AudioUnitSetProperty(audioUnit, kAudioUnitProperty_SetRenderCallback,
                                kAudioUnitScope_Output, 0, &callback, sizeof callback);
  CHECK_RESULT("AudioUnitSetProperty (SetRenderCallback)");
  result = AudioUnitInitialize(audioUnit);
  CHECK_RESULT("AudioUnitInitialize");
  result = AudioOutputUnitStart(audioUnit);
  CHECK_RESULT("AudioOutputUnitStart");
  usleep(300000);
  UInt32 size = sizeof frames;
  result = AudioUnitGetProperty(audioUnit, kAudioDevicePropertyBufferFrameSize,
                                kAudioUnitScope_Input, 0, &frames, &size);
  CHECK_RESULT("AudioUnitGetProperty (BufferFrameSize)");
  OSMemoryBarrier();
  if (notes == 0) return 2;
  printf("buffer of %u frames\n", (unsigned)frames);
  AudioOutputUnitStop(audioUnit);
  AudioComponentInstanceDispose(audioUnit);
  return 0;
}
