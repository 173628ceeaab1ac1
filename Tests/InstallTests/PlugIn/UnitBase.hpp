// SPDX-License-Identifier: Apache-2.0
// A base class for units in C++, in the manner in which plug-ins are written: one object per instance
// behind the table of functions that a host looks up, properties and parameters by virtual functions,
// errors as exceptions inside and as codes outside.
#pragma once

#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <AudioUnit/MusicDevice.h>
#include <Availability.h>
#include <CoreAudio/CoreAudio.h>
#include <CoreFoundation/CFByteOrder.h>
#include <CoreFoundation/CoreFoundation.h>
#include <TargetConditionals.h>
#include <libkern/OSAtomic.h>
#include <os/log.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

/// A code of the interface, thrown within a unit.
struct Failure {
  OSStatus status;
};

/// What a host may know of a parameter.
struct ParameterSpec {
  AudioUnitParameterID id;
  std::string name;
  AudioUnitParameterUnit unit;
  AudioUnitParameterValue minimum, maximum, initial;
};

class UnitBase {
 public:
  explicit UnitBase(std::vector<ParameterSpec> parameters, bool hasInput)
      : specs(std::move(parameters)), hasInput(hasInput) {
    for (const auto &spec : specs) values[spec.id] = spec.initial;
    format = {44100, kAudioFormatLinearPCM,
              kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
              4, 1, 4, 2, 32, 0};
  }
  virtual ~UnitBase() = default;

  // What a unit of one's own says and does.
  virtual Float64 latency() const { return 0; }
  virtual bool supportsTail() const { return true; }
  virtual Float64 tail() const { return 0; }
  virtual void prepare() {}
  virtual void forget() {}
  virtual void process(AudioBufferList &buffers, UInt32 frames) = 0;
  virtual OSStatus midiEvent(UInt32, UInt32, UInt32, UInt32) { return kAudio_UnimplementedError; }
  virtual OSStatus sysEx(const UInt8 *, UInt32) { return kAudio_UnimplementedError; }
  virtual OSStatus startNote(MusicDeviceGroupID, NoteInstanceID *, UInt32,
                             const MusicDeviceNoteParams &) {
    return kAudio_UnimplementedError;
  }
  virtual OSStatus stopNote(MusicDeviceGroupID, NoteInstanceID, UInt32) {
    return kAudio_UnimplementedError;
  }
  virtual bool takesNotes() const { return false; }

  AudioComponentInstance instance = nullptr;

  // MARK: Life

  void initialize() {
    if (isInitialized) return;
    const UInt32 channels = format.mChannelsPerFrame;
    memory.assign(channels, std::vector<Float32>(maximumFrames));
    prepare();
    isInitialized = true;
  }
  void uninitialize() { isInitialized = false; }

  // MARK: Parameters

  const ParameterSpec &spec(AudioUnitParameterID id) const {
    const auto found = std::find_if(specs.begin(), specs.end(),
                                    [id](const ParameterSpec &spec) { return spec.id == id; });
    if (found == specs.end()) throw Failure{kAudioUnitErr_InvalidParameter};
    return *found;
  }
  Float32 value(AudioUnitParameterID id) const {
    spec(id);
    return values.at(id);
  }
  void setValue(AudioUnitParameterID id, Float32 value) {
    const auto &limits = spec(id);
    values[id] = std::clamp(value, limits.minimum, limits.maximum);
  }

  // MARK: Properties

  struct Info {
    UInt32 size;
    Boolean isWritable;
  };

  virtual Info propertyInfo(AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
    switch (id) {
      case kAudioUnitProperty_StreamFormat:
        checkElement(scope, element);
        return {sizeof format, !isInitialized};
      case kAudioUnitProperty_SampleRate:
        checkElement(scope, element);
        return {sizeof(Float64), !isInitialized};
      case kAudioUnitProperty_ElementCount: return {sizeof(UInt32), false};
      case kAudioUnitProperty_MaximumFramesPerSlice: return {sizeof(UInt32), !isInitialized};
      case kAudioUnitProperty_LastRenderError: return {sizeof(OSStatus), false};
      case kAudioUnitProperty_BypassEffect: return {sizeof(UInt32), true};
      case kAudioUnitProperty_Latency: return {sizeof(Float64), false};
      case kAudioUnitProperty_TailTime: return {sizeof(Float64), false};
      case kAudioUnitProperty_SupportedNumChannels: return {2 * sizeof(AUChannelInfo), false};
      case kAudioUnitProperty_ParameterList:
        return {scope == kAudioUnitScope_Global
                    ? static_cast<UInt32>(specs.size() * sizeof(AudioUnitParameterID))
                    : 0,
                false};
      case kAudioUnitProperty_ParameterInfo:
        spec(element);
        return {sizeof(AudioUnitParameterInfo), false};
      case kAudioUnitProperty_ClassInfo: return {sizeof(CFPropertyListRef), true};
      case kAudioUnitProperty_SetRenderCallback:
      case kAudioUnitProperty_MakeConnection:
        if (!hasInput) throw Failure{kAudioUnitErr_InvalidProperty};
        return {sizeof(AURenderCallbackStruct), true};
      case kAudioUnitProperty_IconLocation: return {sizeof(CFURLRef), false};
      default: throw Failure{kAudioUnitErr_InvalidProperty};
    }
  }

  virtual void getProperty(AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
                           void *data) {
    switch (id) {
      case kAudioUnitProperty_StreamFormat: give(data, format); break;
      case kAudioUnitProperty_SampleRate: give(data, format.mSampleRate); break;
      case kAudioUnitProperty_ElementCount: give(data, elementCount(scope)); break;
      case kAudioUnitProperty_MaximumFramesPerSlice: give(data, maximumFrames); break;
      case kAudioUnitProperty_LastRenderError:
        give(data, lastError);
        lastError = noErr;
        break;
      case kAudioUnitProperty_BypassEffect: give(data, UInt32(isBypassed)); break;
      case kAudioUnitProperty_Latency: give(data, latency()); break;
      case kAudioUnitProperty_TailTime: give(data, tail()); break;
      case kAudioUnitProperty_SupportedNumChannels: {
        const SInt16 one = hasInput ? 1 : 0, two = hasInput ? 2 : 0;
        const AUChannelInfo channels[] = {{one, 1}, {two, 2}};
        std::memcpy(data, channels, sizeof channels);
        break;
      }
      case kAudioUnitProperty_ParameterList: {
        auto *ids = static_cast<AudioUnitParameterID *>(data);
        for (const auto &spec : specs) *ids++ = spec.id;
        break;
      }
      case kAudioUnitProperty_ParameterInfo: give(data, information(spec(element))); break;
      case kAudioUnitProperty_ClassInfo: give(data, copyState()); break;
      case kAudioUnitProperty_IconLocation:
        give(data, CFURLCreateWithFileSystemPath(nullptr, CFSTR("/icons/unit.svg"),
                                                 kCFURLPOSIXPathStyle, false));
        break;
      default: throw Failure{kAudioUnitErr_PropertyNotInUse};
    }
  }

  virtual void setProperty(AudioUnitPropertyID id, AudioUnitScope, AudioUnitElement,
                           const void *data, UInt32 size) {
    switch (id) {
      case kAudioUnitProperty_StreamFormat: setFormat(take<AudioStreamBasicDescription>(data, size)); break;
      case kAudioUnitProperty_SampleRate: format.mSampleRate = take<Float64>(data, size); break;
      case kAudioUnitProperty_MaximumFramesPerSlice: maximumFrames = take<UInt32>(data, size); break;
      case kAudioUnitProperty_BypassEffect: isBypassed = take<UInt32>(data, size) != 0; break;
      case kAudioUnitProperty_SetRenderCallback:
        source = take<AURenderCallbackStruct>(data, size);
        connection = {};
        break;
      case kAudioUnitProperty_MakeConnection:
        connection = take<AudioUnitConnection>(data, size);
        source = {};
        break;
      case kAudioUnitProperty_ClassInfo:
        restoreState(static_cast<CFDictionaryRef>(take<CFPropertyListRef>(data, size)));
        break;
      default: throw Failure{kAudioUnitErr_PropertyNotWritable};
    }
    propertyChanged(id);
  }

  void propertyChanged(AudioUnitPropertyID id) {
    for (const auto &listener : listeners) {
      if (listener.id == id) listener.proc(listener.data, instance, id, kAudioUnitScope_Global, 0);
    }
  }

  struct Listener {
    AudioUnitPropertyID id;
    AudioUnitPropertyListenerProc proc;
    void *data;
  };
  std::vector<Listener> listeners;
  std::vector<AURenderCallbackStruct> notifies;

  // MARK: Rendering

  OSStatus render(AudioUnitRenderActionFlags &flags, const AudioTimeStamp &time, UInt32 bus,
                  UInt32 frames, AudioBufferList &output) {
    if (!isInitialized) return fail(kAudioUnitErr_Uninitialized);
    if (bus != 0) return fail(kAudioUnitErr_InvalidElement);
    if (frames > maximumFrames) return fail(kAudioUnitErr_TooManyFramesToProcess);
    notify(kAudioUnitRenderAction_PreRender, flags, time, bus, frames, output);
    for (UInt32 channel = 0; channel < output.mNumberBuffers; channel++) {
      AudioBuffer &buffer = output.mBuffers[channel];
      if (!buffer.mData) buffer.mData = memory[channel].data();
      buffer.mDataByteSize = frames * sizeof(Float32);
    }
    if (hasInput) {
      const OSStatus status = pull(flags, time, frames, output);
      if (status != noErr) return fail(status);
    }
    if (!isBypassed) process(output, frames);
    flags &= ~static_cast<UInt32>(kAudioUnitRenderAction_OutputIsSilence);
    notify(kAudioUnitRenderAction_PostRender, flags, time, bus, frames, output);
    return noErr;
  }

 protected:
  AudioStreamBasicDescription format;
  UInt32 maximumFrames = 1156;

  template <class Value> static void give(void *data, const Value &value) {
    std::memcpy(data, &value, sizeof value);
  }
  template <class Value> static Value take(const void *data, UInt32 size) {
    if (size < sizeof(Value)) throw Failure{kAudioUnitErr_InvalidPropertyValue};
    Value value;
    std::memcpy(&value, data, sizeof value);
    return value;
  }

 private:
  UInt32 elementCount(AudioUnitScope scope) const {
    switch (scope) {
      case kAudioUnitScope_Global:
      case kAudioUnitScope_Output: return 1;
      case kAudioUnitScope_Input: return hasInput ? 1 : 0;
      default: return 0;
    }
  }
  void checkElement(AudioUnitScope scope, AudioUnitElement element) const {
    if (scope > kAudioUnitScope_Output) throw Failure{kAudioUnitErr_InvalidScope};
    if (element >= elementCount(scope)) throw Failure{kAudioUnitErr_InvalidElement};
  }
  void setFormat(const AudioStreamBasicDescription &wanted) {
    if (isInitialized) throw Failure{kAudioUnitErr_Initialized};
    if (wanted.mFormatID != kAudioFormatLinearPCM || wanted.mBitsPerChannel != 32
        || !(wanted.mFormatFlags & kAudioFormatFlagIsFloat)
        || !(wanted.mFormatFlags & kAudioFormatFlagIsNonInterleaved)
        || wanted.mChannelsPerFrame < 1 || wanted.mChannelsPerFrame > 2) {
      throw Failure{kAudioUnitErr_FormatNotSupported};
    }
    format = wanted;
  }

  static AudioUnitParameterInfo information(const ParameterSpec &spec) {
    AudioUnitParameterInfo info = {};
    info.cfNameString = CFStringCreateWithCString(nullptr, spec.name.c_str(), kCFStringEncodingUTF8);
    info.unit = spec.unit;
    info.minValue = spec.minimum;
    info.maxValue = spec.maximum;
    info.defaultValue = spec.initial;
    info.flags = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable
                 | kAudioUnitParameterFlag_HasCFNameString | kAudioUnitParameterFlag_CFNameRelease;
    return info;
  }

  // The values lie in a data object, each as its number and its bits, most significant byte first.
  CFPropertyListRef copyState() const {
    std::vector<UInt32> words;
    for (const auto &[id, value] : values) {
      UInt32 bits;
      std::memcpy(&bits, &value, sizeof bits);
      words.push_back(CFSwapInt32HostToBig(id));
      words.push_back(CFSwapInt32HostToBig(bits));
    }
    CFMutableDictionaryRef state = CFDictionaryCreateMutable(
        nullptr, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFDataRef data = CFDataCreate(nullptr, reinterpret_cast<const UInt8 *>(words.data()),
                                  static_cast<CFIndex>(words.size() * sizeof(UInt32)));
    CFDictionarySetValue(state, CFSTR(kAUPresetDataKey), data);
    CFRelease(data);
    return state;
  }
  void restoreState(CFDictionaryRef state) {
    const auto data = static_cast<CFDataRef>(CFDictionaryGetValue(state, CFSTR(kAUPresetDataKey)));
    if (!data) throw Failure{kAudioUnitErr_InvalidPropertyValue};
    std::vector<UInt32> words(static_cast<size_t>(CFDataGetLength(data)) / sizeof(UInt32));
    std::memcpy(words.data(), CFDataGetBytePtr(data), words.size() * sizeof(UInt32));
    for (size_t index = 0; index + 1 < words.size(); index += 2) {
      const UInt32 bits = CFSwapInt32BigToHost(words[index + 1]);
      Float32 value;
      std::memcpy(&value, &bits, sizeof value);
      setValue(CFSwapInt32BigToHost(words[index]), value);
    }
  }

  OSStatus pull(AudioUnitRenderActionFlags &flags, const AudioTimeStamp &time, UInt32 frames,
                AudioBufferList &buffers) {
    if (source.inputProc) {
      AudioUnitRenderActionFlags input = 0;
      return source.inputProc(source.inputProcRefCon, &input, &time, 0, frames, &buffers);
    }
    if (connection.sourceAudioUnit) {
      void *places[2] = {buffers.mBuffers[0].mData,
                         buffers.mNumberBuffers > 1 ? buffers.mBuffers[1].mData : nullptr};
      AudioUnitRenderActionFlags input = flags;
      const OSStatus status = AudioUnitRender(connection.sourceAudioUnit, &input, &time,
                                              connection.sourceOutputNumber, frames, &buffers);
      for (UInt32 channel = 0; status == noErr && channel < buffers.mNumberBuffers; channel++) {
        AudioBuffer &buffer = buffers.mBuffers[channel];
        if (buffer.mData == places[channel]) continue;
        std::memcpy(places[channel], buffer.mData, frames * sizeof(Float32));
        buffer.mData = places[channel];
      }
      return status;
    }
    return kAudioUnitErr_NoConnection;
  }

  void notify(AudioUnitRenderActionFlags when, AudioUnitRenderActionFlags flags,
              const AudioTimeStamp &time, UInt32 bus, UInt32 frames, AudioBufferList &buffers) {
    for (const auto &each : notifies) {
      AudioUnitRenderActionFlags told = flags | when;
      each.inputProc(each.inputProcRefCon, &told, &time, bus, frames, &buffers);
    }
  }

  OSStatus fail(OSStatus status) {
    if (lastError == noErr) lastError = status;
    return status;
  }

  std::vector<ParameterSpec> specs;
  std::map<AudioUnitParameterID, Float32> values;
  bool hasInput, isInitialized = false, isBypassed = false;
  OSStatus lastError = noErr;
  AURenderCallbackStruct source = {};
  AudioUnitConnection connection = {};
  std::vector<std::vector<Float32>> memory;
};
