// SPDX-License-Identifier: Apache-2.0
// A base class for units in C++, in the style of plug-ins: one object per instance behind the
// function table for the host, properties and parameters through virtual functions, exceptions
// inside and error codes outside.
#pragma once

#include "UnitParts.hpp"

class UnitBase {
 public:
  explicit UnitBase(std::vector<ParameterSpec> parameters, bool hasInput)
      : specs(std::move(parameters)), hasInput(hasInput) {
    for (const auto &spec : specs) values[spec.id] = spec.initial;
    format = {44100, kAudioFormatLinearPCM,
              kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
              4, 1, 4, 2, 32, 0};
    inputFormat = format;
    events.reserve(1024);
    setPresetName(CFSTR("Untitled"));
  }
  virtual ~UnitBase() { CFRelease(preset); }
  UnitBase(const UnitBase &) = delete;

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
  virtual bool acceptsNotes() const { return false; }

  AudioComponentInstance instance = nullptr;
  AudioComponentDescription description = {};

  // MARK: Life

  void initialize() {
    if (isInitialized) return;
    if (hasInput
        && (inputFormat.mChannelsPerFrame != format.mChannelsPerFrame
            || inputFormat.mSampleRate != format.mSampleRate)) {
      throw Failure{kAudioUnitErr_FormatNotSupported};
    }
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
    if (std::isnan(value)) throw Failure{kAudioUnitErr_InvalidParameterValue};
    values[id] = std::clamp(value, limits.minimum, limits.maximum);
  }

  /// Stores changes for the next slice; these parameters do not ramp.
  void schedule(const AudioUnitParameterEvent *first, UInt32 count) {
    for (const auto *event = first; event < first + count; event++) {
      spec(event->parameter);
      if (event->eventType != kParameterEvent_Immediate) throw Failure{kAudioUnitErr_InvalidParameter};
    }
    events.insert(events.end(), first, first + count);
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
      case kAudioUnitProperty_BypassEffect:
        if (!hasInput) throw Failure{kAudioUnitErr_InvalidProperty};
        return {sizeof(UInt32), true};
      case kAudioUnitProperty_InPlaceProcessing: return {sizeof(UInt32), true};
      case kAudioUnitProperty_PresentPreset: return {sizeof(AUPreset), true};
      case kAudioUnitProperty_Latency: return {sizeof(Float64), false};
      case kAudioUnitProperty_TailTime: return {sizeof(Float64), false};
      case kAudioUnitProperty_SupportedNumChannels: return {2 * sizeof(AUChannelInfo), false};
      case kAudioUnitProperty_ParameterList:
        return {parameterCount(scope) * static_cast<UInt32>(sizeof(AudioUnitParameterID)), false};
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
      case kAudioUnitProperty_StreamFormat: give(data, formatOf(scope)); break;
      case kAudioUnitProperty_SampleRate: give(data, formatOf(scope).mSampleRate); break;
      case kAudioUnitProperty_ElementCount: give(data, elementCount(scope)); break;
      case kAudioUnitProperty_MaximumFramesPerSlice: give(data, maximumFrames); break;
      case kAudioUnitProperty_LastRenderError:
        give(data, lastError);
        lastError = noErr;
        break;
      case kAudioUnitProperty_BypassEffect: give(data, UInt32(isBypassed)); break;
      case kAudioUnitProperty_InPlaceProcessing: give(data, inPlace); break;
      case kAudioUnitProperty_PresentPreset:
        // The name is the reader's to release.
        CFRetain(preset);
        give(data, AUPreset{-1, preset});
        break;
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
        for (UInt32 index = 0; index < parameterCount(scope); index++) *ids++ = specs[index].id;
        break;
      }
      case kAudioUnitProperty_ParameterInfo: give(data, information(spec(element))); break;
      case kAudioUnitProperty_ClassInfo: give(data, copyState(description, preset, values)); break;
      case kAudioUnitProperty_IconLocation:
        give(data, CFURLCreateWithFileSystemPath(nullptr, CFSTR("/icons/unit.svg"),
                                                 kCFURLPOSIXPathStyle, false));
        break;
      default: throw Failure{kAudioUnitErr_PropertyNotInUse};
    }
  }

  virtual void setProperty(AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement,
                           const void *data, UInt32 size) {
    switch (id) {
      case kAudioUnitProperty_StreamFormat:
        setFormat(scope, readValue<AudioStreamBasicDescription>(data, size));
        break;
      case kAudioUnitProperty_SampleRate: {
        auto requested = formatOf(scope);
        requested.mSampleRate = readValue<Float64>(data, size);
        setFormat(scope, requested);
        break;
      }
      case kAudioUnitProperty_MaximumFramesPerSlice: {
        const auto frames = readValue<UInt32>(data, size);
        if (frames < 1 || frames > 65536) throw Failure{kAudioUnitErr_InvalidPropertyValue};
        maximumFrames = frames;
        break;
      }
      // It works in whatever memory it is given.
      case kAudioUnitProperty_InPlaceProcessing: inPlace = readValue<UInt32>(data, size) ? 1 : 0; break;
      case kAudioUnitProperty_PresentPreset: {
        const auto requested = readValue<AUPreset>(data, size);
        if (requested.presetNumber >= 0) throw Failure{kAudioUnitErr_InvalidPropertyValue};
        if (requested.presetName) setPresetName(requested.presetName);
        break;
      }
      case kAudioUnitProperty_BypassEffect: isBypassed = readValue<UInt32>(data, size) != 0; break;
      case kAudioUnitProperty_SetRenderCallback:
        source = readValue<AURenderCallbackStruct>(data, size);
        connection = {};
        break;
      case kAudioUnitProperty_MakeConnection:
        connection = readValue<AudioUnitConnection>(data, size);
        source = {};
        break;
      case kAudioUnitProperty_ClassInfo:
        for (const auto &[id, value] : valuesOf(readValue<CFPropertyListRef>(data, size), description)) {
          setValue(id, value);
        }
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
    for (UInt32 channel = 0; channel < output.mNumberBuffers; channel++) {
      const AudioBuffer &buffer = output.mBuffers[channel];
      if (buffer.mData && buffer.mDataByteSize < frames * sizeof(Float32)) {
        return fail(kAudio_ParamError);
      }
    }
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
    processBetweenEvents(output, frames);
    flags &= ~static_cast<UInt32>(kAudioUnitRenderAction_OutputIsSilence);
    notify(kAudioUnitRenderAction_PostRender, flags, time, bus, frames, output);
    return noErr;
  }

 protected:
  AudioStreamBasicDescription format, inputFormat;
  UInt32 maximumFrames = 1156;
  /// A bypassed effect passes its input, with the same delay.
  bool isBypassed = false;

  template <class Value> static void give(void *data, const Value &value) {
    std::memcpy(data, &value, sizeof value);
  }
  template <class Value> static Value readValue(const void *data, UInt32 size) {
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
  UInt32 parameterCount(AudioUnitScope scope) const {
    return scope == kAudioUnitScope_Global ? static_cast<UInt32>(specs.size()) : 0;
  }
  void setPresetName(CFStringRef name) {
    CFRetain(name);
    if (preset) CFRelease(preset);
    preset = name;
  }
  AudioStreamBasicDescription &formatOf(AudioUnitScope scope) {
    return scope == kAudioUnitScope_Input ? inputFormat : format;
  }
  void setFormat(AudioUnitScope scope, const AudioStreamBasicDescription &requested) {
    if (isInitialized) throw Failure{kAudioUnitErr_Initialized};
    if (requested.mFormatID != kAudioFormatLinearPCM || requested.mBitsPerChannel != 32
        || !(requested.mFormatFlags & kAudioFormatFlagIsFloat)
        || !(requested.mFormatFlags & kAudioFormatFlagIsNonInterleaved)
        || requested.mBytesPerFrame != 4 || requested.mBytesPerPacket != 4 || requested.mFramesPerPacket != 1
        || requested.mChannelsPerFrame < 1 || requested.mChannelsPerFrame > 2
        || !(requested.mSampleRate >= 1000 && requested.mSampleRate <= 1e6)) {
      throw Failure{kAudioUnitErr_FormatNotSupported};
    }
    formatOf(scope) = requested;
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

  /// Splits a slice at the frames at which parameters change.
  void processBetweenEvents(AudioBufferList &output, UInt32 frames) {
    std::sort(events.begin(), events.end(), [](const auto &one, const auto &other) {
      return one.eventValues.immediate.bufferOffset < other.eventValues.immediate.bufferOffset;
    });
    UInt32 done = 0;
    for (const auto &event : events) {
      const UInt32 place = std::min(event.eventValues.immediate.bufferOffset, frames);
      processPart(output, done, place);
      setValue(event.parameter, event.eventValues.immediate.value);
      done = place;
    }
    events.clear();
    processPart(output, done, frames);
  }
  void processPart(AudioBufferList &output, UInt32 first, UInt32 end) {
    if (first == end) return;
    PartOfList part(output, first, end);
    process(*part.list, end - first);
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
      AudioUnitRenderActionFlags callFlags = flags | when;
      each.inputProc(each.inputProcRefCon, &callFlags, &time, bus, frames, &buffers);
    }
  }

  OSStatus fail(OSStatus status) {
    if (lastError == noErr) lastError = status;
    return status;
  }

  std::vector<ParameterSpec> specs;
  ParameterValues values;
  bool hasInput, isInitialized = false;
  UInt32 inPlace = 1;
  CFStringRef preset = nullptr;
  std::vector<AudioUnitParameterEvent> events;
  OSStatus lastError = noErr;
  AURenderCallbackStruct source = {};
  AudioUnitConnection connection = {};
  std::vector<std::vector<Float32>> memory;
};
