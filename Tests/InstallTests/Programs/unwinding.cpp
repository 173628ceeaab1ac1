// SPDX-License-Identifier: Apache-2.0
// Stack unwinding from callbacks: an exception leaves the render, a crash handler takes a
// backtrace, a thread is cancelled. The library is between them and main.
// Prints caught: no more input
// Prints the backtrace ends where main's does
// Prints the thread ended with 7, its scratch freed

#include <AudioToolbox/AudioToolbox.h>
#include <execinfo.h>
#include <pthread.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <vector>

namespace {

using Action = std::function<void()>;

OSStatus supply(void *action, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, UInt32,
                AudioBufferList *) {
  (*static_cast<Action *>(action))();
  return noErr;
}

/// Renders a slice of a filter whose input callback runs a function.
void render(Action action) {
  const AudioComponentDescription filter = {kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter,
                                            kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit = nullptr;
  AudioComponentInstanceNew(AudioComponentFindNext(nullptr, &filter), &unit);
  const AURenderCallbackStruct callback = {supply, &action};
  AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                       &callback, sizeof callback);
  AudioUnitInitialize(unit);

  constexpr UInt32 frames = 256, bytes = frames * sizeof(Float32);
  std::vector<Float32> left(frames), right(frames);
  struct {
    UInt32 count = 2;
    AudioBuffer buffers[2];
  } list;
  list.buffers[0] = {1, bytes, left.data()};
  list.buffers[1] = {1, bytes, right.data()};
  AudioTimeStamp time = {};
  time.mFlags = kAudioTimeStampSampleTimeValid;
  AudioUnitRender(unit, nullptr, &time, 0, frames, reinterpret_cast<AudioBufferList *>(&list));
}

struct Calls {
  std::array<void *, 64> places = {};
  int count = 0;
  void capture() { count = backtrace(places.data(), static_cast<int>(places.size())); }
  void *outermost() const { return count > 0 ? places[static_cast<size_t>(count - 1)] : nullptr; }
};

bool scratch_is_freed = false;

struct Scratch {
  ~Scratch() { scratch_is_freed = true; }
};

void *end_in_a_render(void *) {
  Scratch scratch;
  render([] { pthread_exit(reinterpret_cast<void *>(intptr_t{7})); });
  return nullptr;
}

}  // namespace

int main() {
  try {
    render([] { throw std::runtime_error("no more input"); });
  } catch (const std::exception &error) {
    std::printf("caught: %s\n", error.what());
  }

  Calls here, inside;
  here.capture();
  render([&] { inside.capture(); });
  if (inside.count > here.count && inside.outermost() == here.outermost()) {
    std::puts("the backtrace ends where main's does");
  }

  pthread_t thread;
  void *result = nullptr;
  pthread_create(&thread, nullptr, end_in_a_render, nullptr);
  pthread_join(thread, &result);
  std::printf("the thread ended with %d%s\n", static_cast<int>(reinterpret_cast<intptr_t>(result)),
              scratch_is_freed ? ", its scratch freed" : "");
}
