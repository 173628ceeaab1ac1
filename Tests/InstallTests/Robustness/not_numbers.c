// SPDX-License-Identifier: Apache-2.0
// After a slice of NaN or infinity, the output is clean one slice later, in every mixer, with and
// without a room.
// Prints 36 mixers, none of them harmed

#include "robustness.h"

static float poison;
static bool poisons;

static OSStatus tone(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                     UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)context, (void)flags, (void)bus;
  for (UInt32 b = 0; b < data->mNumberBuffers; b++)
    for (UInt32 i = 0; i < frames; i++)
      ((float *)data->mBuffers[b].mData)[i] =
        poisons && i >= 100 ? poison : 0.5f * sinf(0.05f * (float)(time->mSampleTime + i));
  return noErr;
}

// Whether a mixer's output is finite again from the second slice after the first bad one.
static bool recovers(AudioUnit mixer) {
  feed(mixer, tone);
  SUCCEED(AudioUnitInitialize(mixer));
  bool isFine = true;
  for (int slice = 0; slice < 200; slice++) {
    poisons = slice == 5;
    SUCCEED(render(mixer, slice * FRAMES, FRAMES));
    if (slice > 6) isFine = isFine && unfinite(FRAMES) == 0;
  }
  SUCCEED(AudioComponentInstanceDispose(mixer));
  return isFine;
}

int main(void) {
  static const float poisonous[] = {NAN, INFINITY};
  static const OSType plain[] = {kAudioUnitSubType_MultiChannelMixer, kAudioUnitSubType_StereoMixer};
  static const OSType spatial[] = {kAudioUnitSubType_3DMixer, kAudioUnitSubType_SpatialMixer};
  static const UInt32 algorithms[] = {
    kSpatializationAlgorithm_EqualPowerPanning, kSpatializationAlgorithm_SphericalHead,
    kSpatializationAlgorithm_VectorBasedPanning, kSpatializationAlgorithm_HRTFHQ};
  int count = 0, harmed = 0;
  for (int p = 0; p < 2; p++) {
    poison = poisonous[p];
    for (int i = 0; i < 2; i++, count++)
      harmed += !recovers(make_unit(kAudioUnitType_Mixer, plain[i]));
    for (int i = 0; i < 16; i++, count++) {
      AudioUnit mixer = make_unit(kAudioUnitType_Mixer, spatial[i & 1]);
      UInt32 algorithm = algorithms[i >> 1 & 3], hasRoom = (UInt32)i >> 3;
      SUCCEED(AudioUnitSetProperty(mixer, kAudioUnitProperty_SpatializationAlgorithm,
                                   kAudioUnitScope_Input, 0, &algorithm, sizeof algorithm));
      SUCCEED(AudioUnitSetProperty(mixer, kAudioUnitProperty_UsesInternalReverb, kAudioUnitScope_Global,
                                   0, &hasRoom, sizeof hasRoom));
      harmed += !recovers(mixer);
    }
  }
  printf("%d mixers, %s harmed\n", count, harmed ? "SOME" : "none of them");
  return harmed;
}
