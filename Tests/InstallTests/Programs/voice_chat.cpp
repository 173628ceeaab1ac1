// SPDX-License-Identifier: Apache-2.0
// A voice program: one unit for both directions at the telephone's rate, a ring with barriers
// between the capture and the playback callback, a mute switch, and levels.
// Captures 300 Hz at 0.5.
// Plays 300 Hz at 0.5.

#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <libkern/OSAtomic.h>
#include <mach/mach_time.h>

#include <algorithm>
#include <cassert>
#include <vector>

namespace voice {

constexpr double kRate = 16000;
constexpr size_t kCapacity = 1 << 14;

class Ring {
 public:
  void write(const SInt16 *samples, size_t count) {
    for (size_t i = 0; i < count; i++) memory[(end + i) % kCapacity] = samples[i];
    OSMemoryBarrier();
    end += count;
  }
  bool read(SInt16 *samples, size_t count) {
    if (end - begin < count + reserve) return false;
    reserve = 0;
    OSMemoryBarrier();
    for (size_t i = 0; i < count; i++) samples[i] = memory[(begin + i) % kCapacity];
    begin += count;
    return true;
  }

 private:
  SInt16 memory[kCapacity] = {};
  volatile size_t begin = 0, end = 0;
  size_t reserve = 1600;  // a tenth of a second before it begins
};

class AudioDeviceMac {
 public:
  AudioDeviceMac() : scratch(4096) {
    AudioComponentDescription description{kAudioUnitType_Output, kAudioUnitSubType_HALOutput,
                                          kAudioUnitManufacturer_Apple, 0, 0};
    must(AudioComponentInstanceNew(AudioComponentFindNext(nullptr, &description), &unit));
    UInt32 one = 1;
    must(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &one,
                              sizeof one));
    must(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, &one,
                              sizeof one));
    AudioDeviceID device = kAudioObjectUnknown;
    UInt32 size = sizeof device;
    must(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Input, 0,
                              &device, &size));
    must(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 1,
                              &device, sizeof device));
    AudioStreamBasicDescription telephone{
        kRate, kAudioFormatLinearPCM,
        kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked, 2, 1, 2, 1, 16, 0};
    must(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1,
                              &telephone, sizeof telephone));
    must(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                              &telephone, sizeof telephone));
    AURenderCallbackStruct in{captured, this}, out{requested, this};
    must(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global,
                              1, &in, sizeof in));
    must(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                              &out, sizeof out));
    UInt32 flag = 0;
    must(AudioUnitSetProperty(unit, kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitScope_Output, 1,
                              &flag, sizeof flag));
    must(AudioUnitInitialize(unit));
    must(AudioOutputUnitStart(unit));
  }
  ~AudioDeviceMac() {
    AudioOutputUnitStop(unit);
    AudioUnitUninitialize(unit);
    AudioComponentInstanceDispose(unit);
  }
  bool muted() const {
    UInt32 isMuted = 9, size = sizeof isMuted;
    must(AudioUnitGetProperty(unit, kAudioDevicePropertyMute, kAudioUnitScope_Output, 0, &isMuted,
                              &size));
    return isMuted != 0;
  }

 private:
  static void must(OSStatus status) {
    if (status == noErr) return;
    CFStringRef text = CFStringCreateWithFormat(nullptr, nullptr, CFSTR("OSStatus %d"), int(status));
    CFShow(text);
    CFRelease(text);
    exit(1);
  }
  static OSStatus captured(void *context, AudioUnitRenderActionFlags *flags,
                           const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames,
                           AudioBufferList *) {
    auto *me = static_cast<AudioDeviceMac *>(context);
    AudioBufferList list;
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = 1;
    list.mBuffers[0].mDataByteSize = frames * sizeof(SInt16);
    list.mBuffers[0].mData = me->scratch.data();
    const OSStatus status = AudioUnitRender(me->unit, flags, stamp, 1, frames, &list);
    if (status == noErr) me->ring.write(me->scratch.data(), frames);
    return status;
  }
  static OSStatus requested(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *,
                         UInt32 bus, UInt32 frames, AudioBufferList *list) {
    auto *me = static_cast<AudioDeviceMac *>(context);
    auto *samples = static_cast<SInt16 *>(list->mBuffers[0].mData);
    assert(bus == 0 && list->mNumberBuffers == 1);
    if (!me->ring.read(samples, frames)) std::fill_n(samples, frames, SInt16(0));
    return noErr;
  }
  AudioUnit unit = nullptr;
  Ring ring;
  std::vector<SInt16> scratch;
};

}  // namespace voice

int main() {
  voice::AudioDeviceMac device;
  if (device.muted()) return 2;
  mach_timebase_info_data_t base;
  mach_timebase_info(&base);
  const uint64_t end = mach_absolute_time() + 700000000ull * base.denom / base.numer;
  while (mach_absolute_time() < end) usleep(5000);
}
