// SPDX-License-Identifier: Apache-2.0
// Values and ramps far beyond the range of a parameter are limited to it: nothing stops, hangs, or
// becomes NaN. A start time near the end of all host times is only far in the future.
// Prints multichannel mixer: 0, 0 not finite
// Prints stereo mixer: 0, 0 not finite
// Prints ramp to 1e\+09 Hz: 0, in time
// Prints ramp to 1e\+10 Hz: 0, in time
// Prints ramp to 3e\+38 Hz: 0, in time
// Prints volume: peak 0.5, 0 not finite
// Prints started far away: 0

#include "robustness.h"

static void ramp(AudioUnit unit, AudioUnitParameterID id, AudioUnitScope scope, UInt32 frames, float from,
                 float to) {
  AudioUnitParameterEvent event = {
    .scope = scope, .parameter = id, .eventType = kParameterEvent_Ramped};
  event.eventValues.ramp.durationInFrames = frames;
  event.eventValues.ramp.startValue = from;
  event.eventValues.ramp.endValue = to;
  SUCCEED(AudioUnitScheduleParameters(unit, &event, 1));
}

static void pan(const char *name, OSType subtype, AudioUnitParameterID id) {
  AudioUnit mixer = make_unit(kAudioUnitType_Mixer, subtype);
  feed(mixer, half);
  SUCCEED(AudioUnitInitialize(mixer));
  for (int i = 0; i < 3; i++) SUCCEED(render(mixer, i * FRAMES, FRAMES));
  ramp(mixer, id, kAudioUnitScope_Input, 256, 3e38f, -3e38f);
  OSStatus status = render(mixer, 3 * FRAMES, FRAMES);
  printf("%s: %d, %d not finite\n", name, (int)status, unfinite(FRAMES));
  AudioComponentInstanceDispose(mixer);
}

static void frequency(double to) {
  AudioUnit tone = make_unit(kAudioUnitType_Generator, 0x746F6E65);  // 'tone'
  SUCCEED(AudioUnitSetParameter(tone, 3, 0, 0, 3, 0));
  SUCCEED(AudioUnitInitialize(tone));
  SUCCEED(render(tone, 0, FRAMES));
  ramp(tone, 0, kAudioUnitScope_Global, FRAMES, 440, (float)to);
  double start = seconds();
  OSStatus status = render(tone, FRAMES, FRAMES);
  printf("ramp to %g Hz: %d, %s\n", to, (int)status, seconds() - start < 1 ? "in time" : "LATE");
  AudioComponentInstanceDispose(tone);
}

static atomic_int unfiniteFrames;
static _Atomic float peak;

static OSStatus watch(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                      UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)context, (void)time, (void)bus;
  if (!(*flags & kAudioUnitRenderAction_PostRender)) return noErr;
  const float *samples = data->mBuffers[0].mData;
  for (UInt32 i = 0; i < frames; i++) {
    if (!isfinite(samples[i])) unfiniteFrames++;
    else if (fabsf(samples[i]) > peak) peak = fabsf(samples[i]);
  }
  return noErr;
}

static void volume(void) {
  AudioUnit output = make_unit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput);
  feed(output, half);
  // At the device's own rate, because a step would overshoot in a rate conversion.
  Float64 rate = 48000;
  SUCCEED(AudioUnitSetProperty(output, kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 0, &rate,
                               sizeof rate));
  SUCCEED(AudioUnitAddRenderNotify(output, watch, NULL));
  SUCCEED(AudioUnitInitialize(output));
  SUCCEED(AudioOutputUnitStart(output));
  SUCCEED(AudioUnitSetParameter(output, kHALOutputParam_Volume, 0, 0, 1e6, 0));
  usleep(100000);
  ramp(output, kHALOutputParam_Volume, kAudioUnitScope_Global, 2000, 3e38f, -3e38f);
  usleep(200000);
  printf("volume: peak %g, %d not finite\n", peak, unfiniteFrames);
  SUCCEED(AudioComponentInstanceDispose(output));
}

static void start_far_away(void) {
  AudioUnit output = make_unit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput);
  feed(output, half);
  SUCCEED(AudioUnitInitialize(output));
  AudioOutputUnitStartAtTimeParams start = {
    .mTimestamp = {.mHostTime = ~0ull - 5, .mFlags = kAudioTimeStampHostTimeValid}};
  SUCCEED(AudioUnitSetProperty(output, kAudioOutputUnitProperty_StartTime, kAudioUnitScope_Global, 0,
                               &start, sizeof start));
  OSStatus status = AudioOutputUnitStart(output);
  usleep(50000);
  SUCCEED(AudioComponentInstanceDispose(output));
  printf("started far away: %d\n", (int)status);
}

int main(void) {
  setenv("AUDIOTOOLBOX_DEVICE", "null", 1);
  setenv("AUDIOTOOLBOX_CLOCK", "fast", 1);
  pan("multichannel mixer", kAudioUnitSubType_MultiChannelMixer, kMultiChannelMixerParam_Pan);
  pan("stereo mixer", kAudioUnitSubType_StereoMixer, kStereoMixerParam_Pan);
  frequency(1e9);
  frequency(1e10);
  frequency(3e38);
  volume();
  start_far_away();
  return 0;
}
