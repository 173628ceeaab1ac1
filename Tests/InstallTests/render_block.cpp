// SPDX-License-Identifier: Apache-2.0
// A render block of a unit of version 3 in C++: a lambda over a structure, with events and a block that
// pulls the input. Prints each sentence that is not true; the exit code is their number.
#include <AudioToolbox/AudioToolbox.h>

#include <cstdio>
#include <memory>
#include <vector>

static int failures;
#define EXPECT(sentence) \
  ((sentence) ? 0 : (failures++, std::fprintf(stderr, "not true: %s\n", #sentence)))

extern "C" void *_Block_copy(const void *);
extern "C" void _Block_release(const void *);

// A gain that events set, or let go to a value over some frames, and that notes mute.
struct Gain {
  float value = 1, target = 1;
  AUAudioFrameCount left = 0;

  void take(const AURenderEvent &event) {
    switch (event.head.eventType) {
      case AURenderEventParameter:
        value = event.parameter.value;
        left = 0;
        break;
      case AURenderEventParameterRamp:
        target = event.parameter.value;
        left = event.parameter.rampDurationSampleFrames;
        break;
      case AURenderEventMIDI:
        if (event.MIDI.length == 3 && event.MIDI.data[0] == 0x90) value = 0;
        break;
      default: break;
    }
  }

  float next() {
    if (left > 0) value += (target - value) / static_cast<float>(left--);
    return value;
  }
};

// A block on the heap, as a unit keeps it.
static AUInternalRenderBlock make_block(std::shared_ptr<Gain> gain) {
  auto process = [gain](AudioBufferList *list, AUAudioFrameCount frames, AUEventSampleTime start,
                        const AURenderEvent *event) {
    for (AUAudioFrameCount frame = 0; frame < frames; frame++) {
      for (; event && event->head.eventSampleTime <= start + frame; event = event->head.next) {
        gain->take(*event);
      }
      const float factor = gain->next();
      for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++) {
        static_cast<float *>(list->mBuffers[channel].mData)[frame] *= factor;
      }
    }
  };
  AUInternalRenderBlock block = ^AUAudioUnitStatus(
      AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, AUAudioFrameCount frames,
      long bus, AudioBufferList *output, const AURenderEvent *events, AURenderPullInputBlock pull) {
    if (bus != 0) return kAudioUnitErr_InvalidElement;
    if (!pull) return kAudioUnitErr_NoConnection;
    const AUAudioUnitStatus status = pull(flags, time, frames, 0, output);
    if (status == noErr) {
      process(output, frames, static_cast<AUEventSampleTime>(time->mSampleTime), events);
    }
    return status;
  };
  return reinterpret_cast<AUInternalRenderBlock>(
      _Block_copy(reinterpret_cast<const void *>(block)));
}

int main() {
  auto gain = std::make_shared<Gain>();
  const AUInternalRenderBlock block = make_block(gain);
  AURenderPullInputBlock source = ^AUAudioUnitStatus(
      AudioUnitRenderActionFlags *, const AudioTimeStamp *, AUAudioFrameCount frames, long,
      AudioBufferList *list) {
    for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++) {
      auto *samples = static_cast<float *>(list->mBuffers[channel].mData);
      for (AUAudioFrameCount frame = 0; frame < frames; frame++) samples[frame] = 1;
    }
    return noErr;
  };

  std::vector<float> samples(64);
  AudioBufferList list = {};
  list.mNumberBuffers = 1;
  list.mBuffers[0] = {1, 64 * sizeof(float), samples.data()};
  AudioTimeStamp time = {};
  time.mSampleTime = 1000;
  time.mFlags = kAudioTimeStampSampleTimeValid;
  AudioUnitRenderActionFlags flags = 0;

  AURenderEvent change = {}, ramp = {}, note = {};
  change.parameter.eventSampleTime = 1010;
  change.parameter.eventType = AURenderEventParameter;
  change.parameter.value = 0.5f;
  change.parameter.next = &ramp;
  ramp.parameter.eventSampleTime = 1020;
  ramp.parameter.eventType = AURenderEventParameterRamp;
  ramp.parameter.rampDurationSampleFrames = 10;
  ramp.parameter.value = 1;
  ramp.parameter.next = &note;
  note.MIDI.eventSampleTime = 1040;
  note.MIDI.eventType = AURenderEventMIDI;
  note.MIDI.length = 3;
  note.MIDI.data[0] = 0x90;

  EXPECT(block(&flags, &time, 64, 0, &list, &change, source) == noErr);
  EXPECT(samples[9] == 1 && samples[10] == 0.5f && samples[19] == 0.5f);
  EXPECT(samples[24] > 0.74f && samples[24] < 0.76f);
  EXPECT(samples[29] > 0.999f && samples[39] > 0.999f && samples[40] == 0 && samples[63] == 0);
  EXPECT(block(&flags, &time, 64, 1, &list, nullptr, source) == kAudioUnitErr_InvalidElement);
  EXPECT(block(&flags, &time, 64, 0, &list, nullptr, nullptr) == kAudioUnitErr_NoConnection);
  EXPECT(AUEventSampleTimeImmediate == -4294967296LL);
  _Block_release(reinterpret_cast<const void *>(block));
  EXPECT(gain.use_count() == 1);
  return failures;
}
