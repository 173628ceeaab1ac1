// SPDX-License-Identifier: Apache-2.0
// An audio unit's render block in C++: a lambda over a structure.
#include "block_kernel.h"

#include <AudioToolbox/AUAudioUnitImplementation.h>

#include <cmath>
#include <memory>

extern "C" void *_Block_copy(const void *block);

namespace {
// A gate: it mutes samples below a threshold, which events change.
struct Gate {
  float threshold;

  void process(AudioBufferList *list, UInt32 begin, UInt32 end) const {
    for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++) {
      auto *samples = static_cast<float *>(list->mBuffers[channel].mData);
      for (UInt32 frame = begin; frame < end; frame++) {
        if (std::fabs(samples[frame]) < threshold) samples[frame] = 0;
      }
    }
  }
};
}  // namespace

const void *make_gate_block(float threshold) {
  auto gate = std::make_shared<Gate>(Gate{threshold});
  auto render = [gate](AudioBufferList *list, UInt32 frames, double start,
                       const AURenderEvent *event) {
    UInt32 done = 0;
    for (; event; event = event->head.next) {
      const auto frame =
          static_cast<UInt32>(event->head.eventSampleTime - static_cast<AUEventSampleTime>(start));
      gate->process(list, done, frame);
      done = frame;
      if (event->head.eventType == AURenderEventParameter) gate->threshold = event->parameter.value;
    }
    gate->process(list, done, frames);
  };
  AUInternalRenderBlock block = ^AUAudioUnitStatus(
      AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, AUAudioFrameCount frames,
      long bus, AudioBufferList *output, const AURenderEvent *events, AURenderPullInputBlock pull) {
    (void)bus;
    if (!pull) return kAudioUnitErr_NoConnection;
    const AUAudioUnitStatus status = pull(flags, time, frames, 0, output);
    if (status == noErr) render(output, frames, time->mSampleTime, events);
    return status;
  };
  return _Block_copy(block);
}
