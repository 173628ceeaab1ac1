// SPDX-License-Identifier: Apache-2.0
// A tone that is made, played and torn down: tone [FREQUENCY] [SECONDS]
//
//   cc tone.c $(pkg-config --cflags --libs audiotoolbox) -lm -o tone

#include <AudioToolbox/AudioToolbox.h>

static const double kSampleRate = 44100;
static const double kAmplitude = 0.25;

// The tone, shared with the audio thread: it reads the frequency and owns the phase.
typedef struct {
  AudioUnit unit;
  volatile double frequency;
  double theta;
} Tone;

static void check(OSStatus status, const char *step) {
  if (status == noErr) return;
  fprintf(stderr, "tone: %s: error %d\n", step, (int)status);
  exit(1);
}

// Called on the audio thread: fills the next frames of the one buffer that mono has.
static OSStatus renderTone(void *refCon, AudioUnitRenderActionFlags *flags,
                           const AudioTimeStamp *when, UInt32 bus, UInt32 frameCount,
                           AudioBufferList *data) {
  (void)flags, (void)when, (void)bus;
  Tone *tone = (Tone *)refCon;
  Float32 *samples = (Float32 *)data->mBuffers[0].mData;
  const double step = 2 * M_PI * tone->frequency / kSampleRate;
  double theta = tone->theta;
  for (UInt32 frame = 0; frame < frameCount; frame++) {
    samples[frame] = (Float32)(kAmplitude * sin(theta));
    theta += step;
    if (theta >= 2 * M_PI) theta -= 2 * M_PI;
  }
  // Kept for the next call, so that the wave goes on where it stopped.
  tone->theta = theta;
  return noErr;
}

// An output unit with the callback as its source, in mono 32-bit float.
static void createUnit(Tone *tone) {
  const AudioComponentDescription wanted = {
      .componentType = kAudioUnitType_Output,
      .componentSubType = kAudioUnitSubType_DefaultOutput,
      .componentManufacturer = kAudioUnitManufacturer_Apple,
      .componentFlags = 0,
      .componentFlagsMask = 0,
  };
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  if (component == NULL) {
    fprintf(stderr, "tone: Can't find default output\n");
    exit(1);
  }
  check(AudioComponentInstanceNew(component, &tone->unit), "creating the unit");

  const AURenderCallbackStruct source = {.inputProc = renderTone, .inputProcRefCon = tone};
  check(AudioUnitSetProperty(tone->unit, kAudioUnitProperty_SetRenderCallback,
                             kAudioUnitScope_Input, 0, &source, sizeof source),
        "setting the callback");

  const AudioStreamBasicDescription format = {
      .mSampleRate = kSampleRate,
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
                             &format, sizeof format),
        "setting the format");
}

// Plays when nothing plays; else takes everything down, in reverse of how it was built.
static void toggle(Tone *tone) {
  if (tone->unit == NULL) {
    createUnit(tone);
    check(AudioUnitInitialize(tone->unit), "initializing the unit");
    check(AudioOutputUnitStart(tone->unit), "starting the unit");
  } else {
    check(AudioOutputUnitStop(tone->unit), "stopping the unit");
    check(AudioUnitUninitialize(tone->unit), "uninitializing the unit");
    check(AudioComponentInstanceDispose(tone->unit), "disposing of the unit");
    tone->unit = NULL;
  }
}

int main(int argc, char *argv[]) {
  Tone tone = {.unit = NULL, .frequency = argc > 1 ? atof(argv[1]) : 440, .theta = 0};
  const double seconds = argc > 2 ? atof(argv[2]) : 2;
  toggle(&tone);
  usleep((useconds_t)(seconds * 1000000));
  toggle(&tone);
  return 0;
}
