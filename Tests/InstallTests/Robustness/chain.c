// SPDX-License-Identifier: Apache-2.0
// AUChain.h: what cannot be is refused with an explanation, in place and in pieces the samples are the same,
// latency is removed and follows the parameters, values of parameters and notes are at their frames, a refused
// format leaves nothing behind.
// Prints refused 23 of 23, 8 of 8 truths

#include "robustness.h"

enum { rate = 48000, length = 4800 };

static float input[2][length], output[2][length];
static const Float32 *const inputs[2] = {input[0], input[1]};
static Float32 *const outputs[2] = {output[0], output[1]};

static AUChainCall stereo(void) {
  return (AUChainCall){.mSampleRate = rate, .mInputChannels = 2, .mOutputChannels = 2, .mInputFrames = length,
                       .mOutputFrames = length, .mInputs = inputs, .mOutputs = outputs,
                       .mFlags = kAUChainFlag_Reset | kAUChainFlag_SkipLatency};
}

static int tried, refused;

static void refuses(OSStatus status) {
  CFStringRef reason = status ? AUDiagnosticsCopyLastExplanation() : NULL;
  tried++;
  refused += reason && CFStringGetLength(reason) > 20;
  if (!reason) printf("call %d is not refused: %d\n", tried, (int)status);
  if (reason) CFRelease(reason);
}

static void refuse_calls(AUChain chain) {
#define REFUSES(change)        \
  do {                         \
    AUChainCall c = stereo();  \
    change;                    \
    refuses(AUChainRender(chain, &c)); \
  } while (0)
  const float value = 1000, none = NAN;
  const AUChainParameter good = {0, kLowPassParam_CutoffFrequency, 0, 0, 32, 0, 1, &value};
  AUChainParameter p = good;
  AUChainMessage messages[2] = {{10, 0, {0x90, 60, 100}}, {5, 0, {0x80, 60, 0}}};
  refuses(AUChainRender(chain, NULL));
  refuses(AUChainRender((AUChain)&value, &(AUChainCall){0}));
  REFUSES(c.mSampleRate = 0);
  REFUSES(c.mSampleRate = NAN);
  REFUSES(c.mSampleRate = -INFINITY);
  REFUSES(c.mOutputChannels = 0);
  REFUSES(c.mOutputChannels = 4000000000u);
  REFUSES(c.mInputChannels = 3);
  REFUSES(c.mInputs = NULL);
  REFUSES(c.mOutputs = NULL);
  REFUSES(c.mInputFrames = UINT64_MAX);
  REFUSES(c.mOutputFrames = UINT64_MAX);
  REFUSES(c.mParameterCount = 1);
  REFUSES((p.mUnit = 9, c.mParameters = &p, c.mParameterCount = 1));
  REFUSES((p = good, p.mInterval = 0, c.mParameters = &p, c.mParameterCount = 1));
  REFUSES((p = good, p.mValueCount = 0, c.mParameters = &p, c.mParameterCount = 1));
  REFUSES((p = good, p.mValues = &none, c.mParameters = &p, c.mParameterCount = 1));
  REFUSES((p = good, p.mID = 4711, c.mParameters = &p, c.mParameterCount = 1));
  REFUSES((c.mMessages = messages, c.mMessageCount = 2));
  REFUSES((c.mMessages = NULL, c.mMessageCount = 1));
}

static double difference(const float *one, const float *other, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(one[i] - other[i]));
  return most;
}

static int place_of_peak(const float *samples, int count) {
  int place = 0;
  for (int i = 0; i < count; i++) if (fabsf(samples[i]) > fabsf(samples[place])) place = i;
  return place;
}

int main(void) {
  for (int i = 0; i < length; i++) input[0][i] = sinf(i * 0.05f) / 2, input[1][i] = sinf(i * 0.7f) / 2;
  AudioUnit units[2] = {make_unit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter),
                        make_unit(kAudioUnitType_Effect, kAudioUnitSubType_Delay)};
  AudioUnit twice[2] = {units[0], units[0]};
  AUChain chain = NULL;
  refuses(AUChainNew(units, 0, &chain));
  refuses(AUChainNew(twice, 2, &chain));
  SUCCEED(AUChainNew(units, 2, &chain));
  refuse_calls(chain);
  int truths = 0;

  // In pieces.
  AUChainCall call = stereo();
  SUCCEED(AUChainRender(chain, &call));
  static float whole[2][length];
  memcpy(whole, output, sizeof whole);
  for (int i = 0; i < length; i += 800) {
    const Float32 *const part[2] = {input[0] + i, input[1] + i};
    Float32 *const target[2] = {output[0] + i, output[1] + i};
    AUChainCall piece = {.mSampleRate = rate, .mInputChannels = 2, .mOutputChannels = 2, .mInputFrames = 800,
                         .mOutputFrames = 800, .mInputs = part, .mOutputs = target,
                         .mFlags = i ? 0 : kAUChainFlag_Reset};
    SUCCEED(AUChainRender(chain, &piece));
  }
  truths += difference(whole[0], output[0], length) == 0 && place_of_peak(whole[0], length) > 0;

  // In place.
  memcpy(output, input, sizeof output);
  call.mInputs = (const Float32 *const *)outputs;
  SUCCEED(AUChainRender(chain, &call));
  truths += difference(whole[1], output[1], length) == 0;

  // A parameter that jumps at frame 2,400: the high tone of the second channel vanishes or returns.
  const float cutoffs[2] = {100, 20000};
  const AUChainParameter moves = {0, kLowPassParam_CutoffFrequency, 0, 0, 2400, 0, 2, cutoffs};
  const float no_mix = 0;
  const AUChainParameter dry = {1, kDelayParam_WetDryMix, 0, 0, 1, 0, 1, &no_mix};
  const AUChainParameter both[2] = {moves, dry};
  call = stereo();
  call.mParameters = both, call.mParameterCount = 2;
  SUCCEED(AUChainRender(chain, &call));
  double before = 0, after = 0;
  for (int i = 1200; i < 2400; i++) before += output[1][i] * output[1][i];
  for (int i = 3600; i < 4800; i++) after += output[1][i] * output[1][i];
  truths += after > 1000 * before && before > 0;
  SUCCEED(AUChainDispose(chain));
  truths += AUChainDispose(chain) != noErr && AUChainRender(chain, &call) != noErr;

  // A limiter's latency: an impulse stays at its place.
  AudioUnit limiter = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_PeakLimiter);
  SUCCEED(AUChainNew(&limiter, 1, &chain));
  UInt64 latency = 0, tail = 0;
  SUCCEED(AUChainPrepare(chain, rate, 2, 2, &latency, &tail));
  memset(input, 0, sizeof input);
  input[0][1000] = input[1][1000] = 0.25f;
  call = stereo();
  SUCCEED(AUChainRender(chain, &call));
  truths += latency > 0 && place_of_peak(output[0], length) == 1000;
  SUCCEED(AUChainDispose(chain));

  // The latency is that of the current values: a unit that plays slower answers later.
  AudioUnit varispeed = make_unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed);
  SUCCEED(AUChainNew(&varispeed, 1, &chain));
  SUCCEED(AUChainPrepare(chain, rate, 2, 2, &latency, &tail));
  SUCCEED(AudioUnitSetParameter(varispeed, kVarispeedParam_PlaybackRate, kAudioUnitScope_Global, 0, 0.25f, 0));
  UInt64 slower = 0;
  SUCCEED(AUChainPrepare(chain, rate, 2, 2, &slower, &tail));
  truths += slower > latency;
  SUCCEED(AUChainDispose(chain));

  // A format that the second unit refuses leaves no callback in the first one.
  AudioUnit pair[2] = {make_unit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter),
                       make_unit(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2)};
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  SUCCEED(AudioUnitGetProperty(units[0], kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size));
  SUCCEED(AUChainNew(pair, 2, &chain));
  refuses(AUChainPrepare(chain, rate, 3, 3, NULL, NULL));
  SUCCEED(AUChainDispose(chain));
  for (AudioUnitScope scope = kAudioUnitScope_Input; scope <= kAudioUnitScope_Output; scope++)
    SUCCEED(AudioUnitSetProperty(pair[0], kAudioUnitProperty_StreamFormat, scope, 0, &format, sizeof format));
  SUCCEED(AudioUnitInitialize(pair[0]));
  OSStatus alone = render(pair[0], 0, FRAMES);
  SUCCEED(AUChainNew(pair, 2, &chain));
  call = stereo();
  SUCCEED(AUChainRender(chain, &call));
  truths += alone == kAudioUnitErr_NoConnection;
  SUCCEED(AUChainDispose(chain));

  // A note begins at its frame.
  AudioUnit sampler = make_unit(kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler);
  SUCCEED(AUChainNew(&sampler, 1, &chain));
  AUChainMessage note = {0, 0, {0x90, 69, 127}};
  int first[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    note.mFrame = i ? 3000 : 0;
    call = stereo();
    call.mInputChannels = 0, call.mMessages = &note, call.mMessageCount = 1;
    SUCCEED(AUChainRender(chain, &call));
    while (first[i] < length && output[0][first[i]] == 0) first[i]++;
  }
  truths += first[0] < 1000 && first[1] == first[0] + 3000;
  SUCCEED(AUChainDispose(chain));

  AudioUnit all[] = {units[0], units[1], limiter, sampler, varispeed, pair[0], pair[1]};
  for (int i = 0; i < 7; i++) SUCCEED(AudioComponentInstanceDispose(all[i]));
  printf("refused %d of %d, %d of 8 truths\n", refused, tried, truths);
  return refused != tried || truths != 8;
}
