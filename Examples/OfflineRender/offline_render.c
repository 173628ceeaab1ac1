// SPDX-License-Identifier: Apache-2.0
// A sine into memory, faster than it sounds, and how loud it was: offline_render [SECONDS]
//
//   cc offline_render.c $(pkg-config --cflags --libs audiotoolbox) -lm -o offline_render

#include <AudioToolbox/AudioToolbox.h>

enum { kSliceFrames = 512 };
static const double kSampleRate = 48000;

static void check(OSStatus status, const char *step) {
  if (status == noErr) return;
  fprintf(stderr, "offline_render: %s: error %d\n", step, (int)status);
  exit(1);
}

// 440 Hz at half of full scale; the phase follows from the time alone.
static OSStatus renderSine(void *refCon, AudioUnitRenderActionFlags *flags,
                           const AudioTimeStamp *when, UInt32 bus, UInt32 frameCount,
                           AudioBufferList *data) {
  (void)refCon, (void)flags, (void)bus;
  Float32 *samples = (Float32 *)data->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < frameCount; frame++) {
    samples[frame] =
        (Float32)(0.5 * sin(2 * M_PI * 440 * (when->mSampleTime + frame) / kSampleRate));
  }
  return noErr;
}

// A generic output unit: nothing plays until its render function is called.
static AudioUnit createUnit(void) {
  const AudioComponentDescription wanted = {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput,
                                            kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  AudioUnit unit = NULL;
  check(AudioComponentInstanceNew(component, &unit), "creating the unit");
  const AudioStreamBasicDescription format = {
      .mSampleRate = kSampleRate,
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      .mBytesPerPacket = sizeof(Float32),
      .mFramesPerPacket = 1,
      .mBytesPerFrame = sizeof(Float32),
      .mChannelsPerFrame = 1,
      .mBitsPerChannel = 32,
  };
  const AudioUnitScope sides[] = {kAudioUnitScope_Input, kAudioUnitScope_Output};
  for (int side = 0; side < 2; side++) {
    check(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, sides[side], 0, &format,
                               sizeof format),
          "setting the format");
  }
  const AURenderCallbackStruct source = {.inputProc = renderSine, .inputProcRefCon = NULL};
  check(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                             &source, sizeof source),
        "setting the callback");
  check(AudioUnitInitialize(unit), "initialising the unit");
  return unit;
}

int main(int count, char **words) {
  const UInt32 frameCount = (UInt32)(kSampleRate * (count > 1 ? atof(words[1]) : 10));
  AudioUnit unit = createUnit();
  AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
  Float32 samples[kSliceFrames];
  double sum = 0;
  for (UInt32 done = 0; done < frameCount;) {
    const UInt32 slice = frameCount - done < kSliceFrames ? frameCount - done : kSliceFrames;
    AudioBufferList list = {.mNumberBuffers = 1,
                            .mBuffers = {{1, slice * (UInt32)sizeof(Float32), samples}}};
    AudioUnitRenderActionFlags flags = 0;
    check(AudioUnitRender(unit, &flags, &time, 0, slice, &list), "rendering");
    for (UInt32 frame = 0; frame < slice; frame++) sum += (double)samples[frame] * samples[frame];
    done += slice;
    time.mSampleTime += slice;
  }
  printf("%u frames, %.2f dBFS\n", (unsigned)frameCount, 10 * log10(2 * sum / frameCount));
  AudioUnitUninitialize(unit);
  AudioComponentInstanceDispose(unit);
  return 0;
}
