// SPDX-License-Identifier: Apache-2.0
// The memory of a reverberation for its past: for a device, it is there before the first render, which then causes
// hardly a page fault; in a chain it comes when it is used, so that making one takes little.
// Prints a device has its memory, a chain takes little

#define _GNU_SOURCE
#include "robustness.h"

#include <AudioToolbox/AUChain.h>
#include <sys/resource.h>

static long page_faults(void) {
  struct rusage use;
  getrusage(RUSAGE_THREAD, &use);
  return use.ru_minflt;
}

// The page faults of the first renders, with lines of all lengths.
static long of_a_device(void) {
  AudioUnit unit = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2);
  feed(unit, half);
  SUCCEED(AudioUnitInitialize(unit));
  // The program's own pages, and those of the code.
  SUCCEED(render(unit, 0, FRAMES));
  SUCCEED(AudioUnitSetParameter(unit, kReverb2Param_MaxDelayTime, kAudioUnitScope_Global, 0, 0.9f, 0));
  const long before = page_faults();
  for (int i = 1; i < 200; i++) SUCCEED(render(unit, i * FRAMES, FRAMES));
  const long count = page_faults() - before;
  SUCCEED(AudioComponentInstanceDispose(unit));
  return count;
}

enum { CHAINS = 20 };

// The page faults of chains of a unit each, with 64 frames, that live at the same time.
static long of_chains(OSType subtype, int count) {
  static float samples[2][64];
  AudioUnit units[CHAINS];
  AUChain chains[CHAINS];
  const Float32 *const inputs[2] = {samples[0], samples[1]};
  Float32 *const outputs[2] = {samples[0], samples[1]};
  const AUChainCall call = {.mSampleRate = 48000, .mInputChannels = 2, .mOutputChannels = 2, .mInputFrames = 64,
                            .mOutputFrames = 64, .mInputs = inputs, .mOutputs = outputs,
                            .mFlags = kAUChainFlag_Reset};
  const long before = page_faults();
  for (int i = 0; i < count; i++) {
    units[i] = make_unit(kAudioUnitType_Effect, subtype);
    SUCCEED(AUChainNew(&units[i], 1, &chains[i]));
    SUCCEED(AUChainRender(chains[i], &call));
  }
  const long faults = page_faults() - before;
  for (int i = 0; i < count; i++) {
    SUCCEED(AUChainDispose(chains[i]));
    SUCCEED(AudioComponentInstanceDispose(units[i]));
  }
  return faults;
}

int main(void) {
  // The first of each brings what all of them share.
  of_chains(kAudioUnitSubType_Reverb2, 1);
  const long chain = of_chains(kAudioUnitSubType_Reverb2, 1), device = of_a_device();
  // Buffers and queues of a unit are 35 pages, most of which 64 frames do not use.
  const long each = of_chains(kAudioUnitSubType_HighPassFilter, CHAINS) / CHAINS;
  if (device > 8) printf("%ld page faults of renders\n", device);
  // All of the memory are 750 pages.
  if (chain > 200) printf("%ld page faults of a chain\n", chain);
  if (each > 17) printf("%ld page faults of each of many chains\n", each);
  if (device > 8 || chain > 200 || each > 17) return 1;
  puts("a device has its memory, a chain takes little");
}
