// SPDX-License-Identifier: Apache-2.0
// Renders a sine to memory, faster than real time, and prints its level: offline_render [SECONDS]
//
//   cc offline_render.c $(pkg-config --cflags --libs audiotoolbox) -o offline_render

#include <AudioToolbox/AudioToolbox.h>

enum { kSliceFrames = 512 };
static const double kSampleRate = 48000;

// Ends the program if a call failed, with the name of the call and the reason.
static void check(OSStatus status) {
  if (status == noErr) return;
  CFShow(AUDiagnosticsCopyLastExplanation());
  exit(1);
}

// An argument as a number; ends the program if it is invalid or out of range.
static double number(const char *name, const char *word, double least, double most) {
  char *end;
  const double value = strtod(word, &end);
  if (end == word || *end != '\0' || !(value >= least && value <= most)) {
    fprintf(stderr, "offline_render: %s is \"%s\": expected a number from %g to %g\n", name, word, least,
            most);
    exit(64);
  }
  return value;
}

// 440 Hz at half of full scale; the phase depends only on the time.
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

// A generic output unit: nothing renders until it is pulled.
static AudioUnit createUnit(void) {
  const AudioComponentDescription description = {
      kAudioUnitType_Output, kAudioUnitSubType_GenericOutput, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit = NULL;
  check(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
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
  const AudioUnitScope scopes[] = {kAudioUnitScope_Input, kAudioUnitScope_Output};
  for (int scope = 0; scope < 2; scope++) {
    check(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scopes[scope], 0, &format,
                               sizeof format));
  }
  const AURenderCallbackStruct source = {.inputProc = renderSine, .inputProcRefCon = NULL};
  check(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                             &source, sizeof source));
  check(AudioUnitInitialize(unit));
  return unit;
}

int main(int count, char **words) {
  const double seconds = number("SECONDS", count > 1 ? words[1] : "10", 0.001, 3600);
  const UInt32 frameCount = (UInt32)(kSampleRate * seconds);
  AudioUnit unit = createUnit();
  AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
  Float32 samples[kSliceFrames];
  double sum = 0;
  for (UInt32 done = 0; done < frameCount;) {
    const UInt32 slice = frameCount - done < kSliceFrames ? frameCount - done : kSliceFrames;
    AudioBufferList list = {.mNumberBuffers = 1,
                            .mBuffers = {{1, slice * (UInt32)sizeof(Float32), samples}}};
    AudioUnitRenderActionFlags flags = 0;
    check(AudioUnitRender(unit, &flags, &time, 0, slice, &list));
    for (UInt32 frame = 0; frame < slice; frame++) sum += (double)samples[frame] * samples[frame];
    done += slice;
    time.mSampleTime += slice;
  }
  printf("%u frames, %.2f dBFS\n", (unsigned)frameCount, 10 * log10(2 * sum / frameCount));
  AudioUnitUninitialize(unit);
  AudioComponentInstanceDispose(unit);
  return 0;
}
