// SPDX-License-Identifier: Apache-2.0
// One output feeds two effects through a host's connections: neither changes the input of the
// other.
// Prints the filter is quiet, the other branch has 0.3536

#include "robustness.h"

static OSStatus tone(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                     UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)context, (void)flags, (void)bus;
  for (UInt32 b = 0; b < data->mNumberBuffers; b++)
    for (UInt32 i = 0; i < frames; i++)
      ((float *)data->mBuffers[b].mData)[i] =
        (float)(0.5 * sin(2 * M_PI * 5000 / 44100 * (time->mSampleTime + i)));
  return noErr;
}

int main(void) {
  AudioUnit source = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay);
  AudioUnit filter = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter);
  AudioUnit other = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay);
  feed(source, tone);
  feed_from(source, filter);
  feed_from(source, other);
  SUCCEED(AudioUnitSetParameter(filter, kLowPassParam_CutoffFrequency, 0, 0, 20, 0));
  SUCCEED(AudioUnitInitialize(source));
  SUCCEED(AudioUnitInitialize(filter));
  SUCCEED(AudioUnitInitialize(other));
  double filtered = 0, plain = 0;
  for (int slice = 0; slice < 4; slice++) {
    SUCCEED(render(filter, slice * 441, 441));
    filtered = loudness(441);
    SUCCEED(render(other, slice * 441, 441));
    plain = loudness(441);
  }
  printf("the filter is %s, the other branch has %.4f\n", filtered < 0.01 ? "quiet" : "LOUD", plain);
  return 0;
}
