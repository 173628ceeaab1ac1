// SPDX-License-Identifier: Apache-2.0
// An effect and an instrument on the base class.
#pragma once

#include "Factory.hpp"

/// Multiplies by a gain and delays by ten frames.
class GainUnit : public UnitBase {
 public:
  enum { gain = 0 };
  static const UInt32 delayFrames = 10;
  GainUnit()
      : UnitBase({{gain, "gain", kAudioUnitParameterUnit_LinearGain, 0, 2, 0.5f}}, true) {}

  Float64 latency() const override { return delayFrames / format.mSampleRate; }
  void prepare() override { past.assign(format.mChannelsPerFrame, {}); }
  void forget() override {
    for (auto &channel : past) channel = {};
  }
  void process(AudioBufferList &buffers, UInt32 frames) override {
    const Float32 factor = isBypassed ? 1 : value(gain);
    for (UInt32 channel = 0; channel < buffers.mNumberBuffers; channel++) {
      auto *samples = static_cast<Float32 *>(buffers.mBuffers[channel].mData);
      auto &line = past[channel];
      for (UInt32 frame = 0; frame < frames; frame++) {
        std::swap(samples[frame], line.samples[line.next]);
        line.next = (line.next + 1) % delayFrames;
        samples[frame] *= factor;
      }
    }
  }

 private:
  struct Line {
    Float32 samples[delayFrames] = {};
    UInt32 next = 0;
  };
  std::vector<Line> past;
};

/// One sine for each pressed key.
class SineUnit : public UnitBase {
 public:
  enum { volume = 0 };
  SineUnit() : UnitBase({{volume, "volume", kAudioUnitParameterUnit_LinearGain, 0, 1, 1}}, false) {}

  bool acceptsNotes() const override { return true; }
  void forget() override { voices.clear(); }

  OSStatus midiEvent(UInt32 status, UInt32 key, UInt32 velocity, UInt32 offset) override {
    const MusicDeviceNoteParams how = {2, Float32(key), Float32(velocity), {{0, 0}}};
    NoteInstanceID note = key;
    switch (status & 0xf0) {
      case 0x90: return velocity ? start(note, offset, how) : stopNote(0, note, offset);
      case 0x80: return stopNote(0, note, offset);
      case 0xb0:
        if (key == 120 || key == 123) voices.clear();  // all sounds off, all notes off
        return noErr;
      default: return noErr;
    }
  }
  OSStatus sysEx(const UInt8 *data, UInt32 length) override {
    if (length < 2 || data[0] != 0xf0 || data[length - 1] != 0xf7) return kAudio_ParamError;
    voices.clear();
    OSAtomicIncrement32Barrier(&messages);
    return noErr;
  }
  OSStatus startNote(MusicDeviceGroupID, NoteInstanceID *note, UInt32 offset,
                     const MusicDeviceNoteParams &how) override {
    if (how.argCount < 2) return kAudio_ParamError;
    *note = ++lastNote;
    return start(*note, offset, how);
  }
  OSStatus stopNote(MusicDeviceGroupID, NoteInstanceID note, UInt32 offset) override {
    const auto voice = voices.find(note);
    if (voice == voices.end()) return kAudio_ParamError;
    voice->second.framesLeft = offset;
    return noErr;
  }

  Info propertyInfo(AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) override {
    switch (id) {
      case kMusicDeviceProperty_InstrumentCount: return {sizeof(UInt32), false};
      case kMusicDeviceProperty_SupportsStartStopNote: return {sizeof(UInt32), false};
      default: return UnitBase::propertyInfo(id, scope, element);
    }
  }
  void getProperty(AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
                   void *data) override {
    switch (id) {
      case kMusicDeviceProperty_InstrumentCount: give(data, UInt32(1)); break;
      case kMusicDeviceProperty_SupportsStartStopNote: give(data, UInt32(1)); break;
      default: UnitBase::getProperty(id, scope, element, data);
    }
  }

  void process(AudioBufferList &buffers, UInt32 frames) override {
    for (UInt32 channel = 0; channel < buffers.mNumberBuffers; channel++) {
      std::memset(buffers.mBuffers[channel].mData, 0, frames * sizeof(Float32));
    }
    for (auto &[note, voice] : voices) sound(voice, buffers, frames);
    for (auto voice = voices.begin(); voice != voices.end();) {
      voice = voice->second.framesLeft == 0 ? voices.erase(voice) : std::next(voice);
    }
  }

 private:
  struct Voice {
    double phase = 0, step = 0, level = 0;
    UInt32 framesToWait = 0;
    SInt64 framesLeft = -1;  // -1 as long as the key is down
  };

  OSStatus start(NoteInstanceID note, UInt32 offset, const MusicDeviceNoteParams &how) {
    Voice voice;
    voice.step = 2 * M_PI * 440 * std::pow(2, (how.mPitch - 69) / 12.0) / format.mSampleRate;
    voice.level = how.mVelocity / 127 / 2;
    voice.framesToWait = offset;
    voices[note] = voice;
    return noErr;
  }
  void sound(Voice &voice, AudioBufferList &buffers, UInt32 frames) {
    for (UInt32 frame = 0; frame < frames && voice.framesLeft != 0; frame++) {
      if (voice.framesToWait > 0) {
        voice.framesToWait--;
        continue;
      }
      const auto sample = Float32(std::sin(voice.phase) * voice.level * value(volume));
      voice.phase = std::fmod(voice.phase + voice.step, 2 * M_PI);
      for (UInt32 channel = 0; channel < buffers.mNumberBuffers; channel++) {
        static_cast<Float32 *>(buffers.mBuffers[channel].mData)[frame] += sample;
      }
      if (voice.framesLeft > 0) voice.framesLeft--;
    }
  }

  std::map<NoteInstanceID, Voice> voices;
  NoteInstanceID lastNote = 1000;
  volatile int32_t messages = 0;
};
