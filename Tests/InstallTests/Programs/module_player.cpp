// SPDX-License-Identifier: Apache-2.0
// A player of music modules in C++: formats as a class derived from the C struct, a thread that
// mixes ahead, properties of the unit through templates, exceptions for errors.
// Plays 261.6 Hz at 0.35.

#include <AudioToolbox/AudioToolbox.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

class Description : public AudioStreamBasicDescription {
 public:
  Description() { memset(this, 0, sizeof *this); }
  Description(double rate, UInt32 channels) : Description() {
    mSampleRate = rate;
    mFormatID = kAudioFormatLinearPCM;
    mFormatFlags = kAudioFormatFlagsNativeFloatPacked;
    mBitsPerChannel = 8 * sizeof(Float32);
    mChannelsPerFrame = channels;
    mFramesPerPacket = 1;
    mBytesPerPacket = mBytesPerFrame = channels * sizeof(Float32);
  }
  bool operator==(const AudioStreamBasicDescription &other) const {
    return mSampleRate == other.mSampleRate && mFormatFlags == other.mFormatFlags
           && mChannelsPerFrame == other.mChannelsPerFrame;
  }
};

class Error : public std::runtime_error {
 public:
  Error(const char *what, OSStatus status)
      : std::runtime_error(std::string(what) + ": " + std::to_string(status)) {}
};
static void XThrowIfError(OSStatus status, const char *what) {
  if (status != noErr) throw Error(what, status);
}

class Unit {
 public:
  explicit Unit(OSType subtype) {
    AudioComponentDescription description = {kAudioUnitType_Output, subtype,
                                        kAudioUnitManufacturer_Apple, 0, 0};
    AudioComponent component = AudioComponentFindNext(nullptr, &description);
    if (!component) throw Error("no component", invalidComponentID);
    XThrowIfError(AudioComponentInstanceNew(component, &unit), "open");
  }
  ~Unit() { AudioComponentInstanceDispose(unit); }
  Unit(const Unit &) = delete;
  template <typename T>
  void set(AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, const T &value) {
    XThrowIfError(AudioUnitSetProperty(unit, id, scope, element, &value, sizeof value), "set");
  }
  template <typename T>
  T get(AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) const {
    T value;
    UInt32 size = sizeof value;
    XThrowIfError(AudioUnitGetProperty(unit, id, scope, element, &value, &size), "get");
    return value;
  }
  operator AudioUnit() const { return unit; }

 private:
  AudioUnit unit = nullptr;
};

class Player {
 public:
  Player() : unit(kAudioUnitSubType_DefaultOutput), format(44100, 2), mixer([this] { mix(); }) {
    unit.set<AudioStreamBasicDescription>(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                                          format);
    if (!(format == unit.get<AudioStreamBasicDescription>(kAudioUnitProperty_StreamFormat,
                                                          kAudioUnitScope_Input, 0)))
      throw Error("format", kAudioUnitErr_FormatNotSupported);
    unit.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
             AURenderCallbackStruct{&Player::render, this});
    XThrowIfError(AudioUnitInitialize(unit), "initialize");
    XThrowIfError(AudioOutputUnitStart(unit), "start");
  }
  ~Player() {
    AudioOutputUnitStop(unit);
    done = true;
    room.notify_all();
    mixer.join();
  }
  UInt64 position() const { return played; }

 private:
  static OSStatus render(void *me, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32,
                         UInt32 frames, AudioBufferList *list) {
    auto &player = *static_cast<Player *>(me);
    auto *out = static_cast<Float32 *>(list->mBuffers[0].mData);
    std::lock_guard<std::mutex> guard(player.lock);
    for (UInt32 i = 0; i < 2 * frames; i++) {
      out[i] = player.ahead.empty() ? 0 : player.ahead.front();
      if (!player.ahead.empty()) player.ahead.pop_front();
    }
    player.played += frames;
    player.room.notify_one();
    return noErr;
  }
  void mix() {
    for (UInt64 n = 0; !done; n++) {
      std::unique_lock<std::mutex> guard(lock);
      room.wait(guard, [this] { return done || ahead.size() < 16384; });
      const auto sample = static_cast<Float32>(0.35 * std::sin(2 * M_PI * 261.6 * n / 44100));
      ahead.insert(ahead.end(), {sample, sample});
    }
  }
  Unit unit;
  Description format;
  std::mutex lock;
  std::condition_variable room;
  std::deque<Float32> ahead;
  std::atomic<bool> done{false};
  std::atomic<UInt64> played{0};
  std::thread mixer;
};

int main() try {
  Player player;
  usleep(350000);
  return player.position() > 4410 ? 0 : 1;
} catch (const std::exception &error) {
  fprintf(stderr, "%s\n", error.what());
  return 2;
}
