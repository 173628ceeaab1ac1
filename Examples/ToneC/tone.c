// SPDX-License-Identifier: Apache-2.0
// Makes a tone unit, plays it and tears it down: tone [FREQUENCY] [SECONDS]
//
//   cc tone.c $(pkg-config --cflags --libs audiotoolbox) -o tone

#include "../ExampleSupport/session.h"

static const double kAmplitude = 0.25;

// The tone. During playback, only the audio thread uses frequency and phase.
typedef struct {
  AudioUnit unit;
  Float64 rate;
  double frequency;
  double theta;
} Tone;

// An argument as a number; ends the program if it is invalid or out of range.
static double number(const char *name, const char *word, double least, double most) {
  char *end;
  const double value = strtod(word, &end);
  if (end == word || *end != '\0' || !(value >= least && value <= most)) {
    fprintf(stderr, "tone: %s is \"%s\": expected a number from %g to %g\n", name, word, least,
            most);
    exit(64);
  }
  return value;
}

// Called on the audio thread: fills the next frames of the only buffer of mono.
static OSStatus renderTone(void *refCon, AudioUnitRenderActionFlags *flags,
                           const AudioTimeStamp *when, UInt32 bus, UInt32 frameCount,
                           AudioBufferList *data) {
  (void)flags, (void)when, (void)bus;
  Tone *tone = (Tone *)refCon;
  Float32 *samples = (Float32 *)data->mBuffers[0].mData;
  const double step = 2 * M_PI * tone->frequency / tone->rate;
  double theta = tone->theta;
  for (UInt32 frame = 0; frame < frameCount; frame++) {
    samples[frame] = (Float32)(kAmplitude * sin(theta));
    theta += step;
    if (theta >= 2 * M_PI) theta -= 2 * M_PI;
  }
  // Stored for the next call, so that the wave continues.
  tone->theta = theta;
  return noErr;
}

// An output unit with the callback as its source, in mono 32-bit float.
static void createUnit(Tone *tone) {
  const AudioComponentDescription description = {
      .componentType = kAudioUnitType_Output,
      .componentSubType = kAudioUnitSubType_DefaultOutput,
      .componentManufacturer = kAudioUnitManufacturer_Apple,
      .componentFlags = 0,
      .componentFlagsMask = 0,
  };
  check(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &tone->unit));

  const AURenderCallbackStruct source = {.inputProc = renderTone, .inputProcRefCon = tone};
  check(AudioUnitSetProperty(tone->unit, kAudioUnitProperty_SetRenderCallback,
                             kAudioUnitScope_Input, 0, &source, sizeof source));

  const AudioStreamBasicDescription format = {
      .mSampleRate = tone->rate,
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      .mBytesPerPacket = sizeof(Float32),
      .mFramesPerPacket = 1,
      .mBytesPerFrame = sizeof(Float32),
      .mChannelsPerFrame = 1,
      .mBitsPerChannel = 8 * sizeof(Float32),
      .mReserved = 0,
  };
  check(AudioUnitSetProperty(tone->unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                             &format, sizeof format));
}

// Plays if stopped; otherwise tears everything down in reverse order.
static void toggle(Tone *tone) {
  if (tone->unit == NULL) {
    createUnit(tone);
    check(AudioUnitInitialize(tone->unit));
    check(AudioOutputUnitStart(tone->unit));
  } else {
    check(AudioOutputUnitStop(tone->unit));
    check(AudioUnitUninitialize(tone->unit));
    check(AudioComponentInstanceDispose(tone->unit));
    tone->unit = NULL;
  }
}

int main(int argc, char *argv[]) {
  const double frequency = number("FREQUENCY", argc > 1 ? argv[1] : "440", 0, 20000);
  const double seconds = number("SECONDS", argc > 2 ? argv[2] : "2", 0, 3600);
  // The first step, and the rate that it grants.
  const Float64 rate = activateSession(kAudioSessionCategory_MediaPlayback, 0.01f);
  Tone tone = {.unit = NULL, .rate = rate, .frequency = frequency, .theta = 0};
  toggle(&tone);
  usleep((useconds_t)(seconds * 1e6));
  toggle(&tone);
  return 0;
}
