// SPDX-License-Identifier: Apache-2.0

/// The base class of effects that `au new --plug-in` writes.
enum EffectTemplate {
  static let source = #"""
    // An effect with one input and one output of one or two channels: what is the same for all of
    // them. plug_in.hpp calls it.
    #pragma once

    #include <AudioToolbox/AudioToolbox.h>

    #include <algorithm>
    #include <atomic>
    #include <cmath>
    #include <cstring>
    #include <memory>
    #include <vector>

    struct Parameter {
      const char *name;
      AudioUnitParameterUnit unit;
      Float32 minimum, maximum, initial;
    };

    /// What hosts see of an effect, and what is the same for all.
    class Effect {
     public:
      explicit Effect(std::vector<Parameter> parameters)
          : parameters(std::move(parameters)), values(this->parameters.size()) {
        for (size_t id = 0; id < values.size(); id++) values[id] = this->parameters[id].initial;
        for (auto &format : formats) {
          format = {44100, kAudioFormatLinearPCM,
                    kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
                    4, 1, 4, 2, 32, 0};
        }
        events.reserve(1024);
        setPresetName(CFSTR("Untitled"));
      }
      virtual ~Effect() { CFRelease(presetName); }

      // What an effect overrides. Changes the samples in place, on the audio thread.
      virtual void process(Float32 *const *channels, UInt32 channelCount, UInt32 frameCount) = 0;
      // Before the first render, and when it shall forget the sound so far.
      virtual void reset() {}
      // In seconds: by how much the output lags, and how long it sounds after the input.
      virtual Float64 latency() const { return 0; }
      virtual Float64 tail() const { return 0; }

      Float32 value(AudioUnitParameterID id) const { return values[id]; }
      Float64 sampleRate() const { return formats[1].mSampleRate; }

      AudioComponentInstance instance = nullptr;
      AudioComponentDescription codes = {};

      // MARK: Life

      OSStatus initialize() {
        if (formats[0].mSampleRate != formats[1].mSampleRate
            || formats[0].mChannelsPerFrame != formats[1].mChannelsPerFrame) {
          return kAudioUnitErr_FormatNotSupported;
        }
        for (auto &channel : memory) channel.assign(maximumFrames, 0);
        reset();
        isInitialized = true;
        return noErr;
      }
      OSStatus uninitialize() {
        isInitialized = false;
        return noErr;
      }

      // MARK: Parameters

      OSStatus getParameter(AudioUnitParameterID id, AudioUnitScope scope,
                            Float32 &result) const {
        if (scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
        if (id >= values.size()) return kAudioUnitErr_InvalidParameter;
        result = values[id];
        return noErr;
      }
      OSStatus setParameter(AudioUnitParameterID id, AudioUnitScope scope, Float32 value) {
        if (scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
        if (id >= values.size()) return kAudioUnitErr_InvalidParameter;
        if (!std::isfinite(value)) return kAudioUnitErr_InvalidParameterValue;
        values[id] = std::clamp(value, parameters[id].minimum, parameters[id].maximum);
        return noErr;
      }
      // Changes at frames of the next slice.
      OSStatus schedule(const AudioUnitParameterEvent *list, UInt32 count) {
        for (const auto *event = list; event < list + count; event++) {
          if (event->parameter >= values.size() || event->eventType != kParameterEvent_Immediate) {
            return kAudioUnitErr_InvalidParameter;
          }
        }
        if (count > events.capacity() - events.size()) return kAudio_MemFullError;
        events.insert(events.end(), list, list + count);
        return noErr;
      }

      // MARK: Properties

      OSStatus getInfo(AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
                       UInt32 &size, Boolean &isWritable) const {
        const auto is = [&](size_t bytes, bool writable) -> OSStatus {
          size = static_cast<UInt32>(bytes);
          isWritable = writable;
          return noErr;
        };
        switch (id) {
          case kAudioUnitProperty_StreamFormat:
          case kAudioUnitProperty_SampleRate:
            if (scope > kAudioUnitScope_Output) return kAudioUnitErr_InvalidScope;
            if (element > 0) return kAudioUnitErr_InvalidElement;
            return is(id == kAudioUnitProperty_SampleRate ? sizeof(Float64) : sizeof formats[0],
                      !isInitialized);
          case kAudioUnitProperty_ElementCount: return is(sizeof(UInt32), false);
          case kAudioUnitProperty_MaximumFramesPerSlice: return is(sizeof(UInt32), !isInitialized);
          case kAudioUnitProperty_BypassEffect:
          case kAudioUnitProperty_InPlaceProcessing: return is(sizeof(UInt32), true);
          case kAudioUnitProperty_LastRenderError: return is(sizeof(OSStatus), false);
          case kAudioUnitProperty_PresentPreset: return is(sizeof(AUPreset), true);
          case kAudioUnitProperty_Latency:
          case kAudioUnitProperty_TailTime: return is(sizeof(Float64), false);
          case kAudioUnitProperty_SupportedNumChannels: return is(2 * sizeof(AUChannelInfo), false);
          case kAudioUnitProperty_ParameterList:
            if (scope != kAudioUnitScope_Global) return is(0, false);
            return is(values.size() * sizeof(AudioUnitParameterID), false);
          case kAudioUnitProperty_ParameterInfo:
            if (scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
            if (element >= values.size()) return kAudioUnitErr_InvalidParameter;
            return is(sizeof(AudioUnitParameterInfo), false);
          case kAudioUnitProperty_ClassInfo: return is(sizeof(CFPropertyListRef), true);
          case kAudioUnitProperty_SetRenderCallback: return is(sizeof(AURenderCallbackStruct), true);
          case kAudioUnitProperty_MakeConnection: return is(sizeof(AudioUnitConnection), true);
          default: return kAudioUnitErr_InvalidProperty;
        }
      }

      OSStatus get(AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
                   void *data, UInt32 &size) {
        UInt32 needed = 0;
        Boolean isWritable;
        if (const OSStatus status = getInfo(id, scope, element, needed, isWritable)) return status;
        if (size < needed) return kAudioUnitErr_InvalidPropertyValue;
        size = needed;
        const auto give = [=](const auto &value) { std::memcpy(data, &value, sizeof value); };
        switch (id) {
          case kAudioUnitProperty_StreamFormat: give(formatOf(scope)); break;
          case kAudioUnitProperty_SampleRate: give(formatOf(scope).mSampleRate); break;
          case kAudioUnitProperty_ElementCount:
            give(static_cast<UInt32>(scope <= kAudioUnitScope_Output));
            break;
          case kAudioUnitProperty_MaximumFramesPerSlice: give(maximumFrames); break;
          case kAudioUnitProperty_BypassEffect: give(static_cast<UInt32>(isBypassed)); break;
          case kAudioUnitProperty_InPlaceProcessing: give(static_cast<UInt32>(isInPlace)); break;
          case kAudioUnitProperty_LastRenderError: give(lastError.exchange(noErr)); break;
          case kAudioUnitProperty_PresentPreset:
            CFRetain(presetName);  // the reader releases it
            give(AUPreset{-1, presetName});
            break;
          case kAudioUnitProperty_Latency: give(latency()); break;
          case kAudioUnitProperty_TailTime: give(tail()); break;
          case kAudioUnitProperty_SupportedNumChannels: {
            const AUChannelInfo channels[] = {{1, 1}, {2, 2}};
            give(channels);
            break;
          }
          case kAudioUnitProperty_ParameterList:
            for (UInt32 index = 0; index < size / sizeof(AudioUnitParameterID); index++) {
              static_cast<AudioUnitParameterID *>(data)[index] = index;
            }
            break;
          case kAudioUnitProperty_ParameterInfo: give(information(parameters[element])); break;
          case kAudioUnitProperty_ClassInfo: give(copyState()); break;
          default: return kAudioUnitErr_PropertyNotInUse;
        }
        return noErr;
      }

      OSStatus set(AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
                   const void *data, UInt32 size) {
        UInt32 needed = 0;
        Boolean isWritable = false;
        if (const OSStatus status = getInfo(id, scope, element, needed, isWritable)) return status;
        if (!isWritable) {
          const bool isFixedNow = id == kAudioUnitProperty_StreamFormat
                                  || id == kAudioUnitProperty_SampleRate
                                  || id == kAudioUnitProperty_MaximumFramesPerSlice;
          return isFixedNow ? kAudioUnitErr_Initialized : kAudioUnitErr_PropertyNotWritable;
        }
        if (!data || size < needed) return kAudioUnitErr_InvalidPropertyValue;
        const auto take = [=](auto value) {
          std::memcpy(&value, data, sizeof value);
          return value;
        };
        OSStatus status = noErr;
        switch (id) {
          case kAudioUnitProperty_StreamFormat: status = setFormat(scope, take(formats[0])); break;
          case kAudioUnitProperty_SampleRate: {
            auto format = formatOf(scope);
            format.mSampleRate = take(Float64());
            status = setFormat(scope, format);
            break;
          }
          case kAudioUnitProperty_MaximumFramesPerSlice: {
            const UInt32 frames = take(UInt32());
            if (frames < 1 || frames > 65536) return kAudioUnitErr_InvalidPropertyValue;
            maximumFrames = frames;
            break;
          }
          case kAudioUnitProperty_BypassEffect: isBypassed = take(UInt32()) != 0; break;
          // It works in whatever memory it is given.
          case kAudioUnitProperty_InPlaceProcessing: isInPlace = take(UInt32()) != 0; break;
          case kAudioUnitProperty_PresentPreset: {
            const auto preset = take(AUPreset());
            if (preset.presetNumber >= 0) return kAudioUnitErr_InvalidPropertyValue;
            if (preset.presetName) setPresetName(preset.presetName);
            break;
          }
          case kAudioUnitProperty_SetRenderCallback:
            callback = take(AURenderCallbackStruct());
            connection = {};
            break;
          case kAudioUnitProperty_MakeConnection:
            connection = take(AudioUnitConnection());
            callback = {};
            break;
          case kAudioUnitProperty_ClassInfo: status = setState(take(CFPropertyListRef())); break;
          default: return kAudioUnitErr_PropertyNotWritable;
        }
        if (status != noErr) return status;
        for (const auto &listener : std::vector<Listener>(listeners)) {
          if (listener.id == id) listener.function(listener.context, instance, id, scope, element);
        }
        return noErr;
      }

      /// A function that a host wants to be called when a property changes.
      struct Listener {
        AudioUnitPropertyID id;
        AudioUnitPropertyListenerProc function;
        void *context;
      };
      std::vector<Listener> listeners;
      std::vector<AURenderCallbackStruct> notifies;

      // MARK: Rendering

      OSStatus render(AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                      UInt32 frames, AudioBufferList *list) {
        if (!isInitialized) return fail(kAudioUnitErr_Uninitialized);
        if (bus > 0) return fail(kAudioUnitErr_InvalidElement);
        if (frames > maximumFrames) return fail(kAudioUnitErr_TooManyFramesToProcess);
        if (list->mNumberBuffers != formats[1].mChannelsPerFrame) return fail(kAudio_ParamError);
        const UInt32 bytes = frames * static_cast<UInt32>(sizeof(Float32));
        for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++) {
          if (list->mBuffers[channel].mData && list->mBuffers[channel].mDataByteSize < bytes) {
            return fail(kAudio_ParamError);
          }
        }
        notify(kAudioUnitRenderAction_PreRender, flags, time, frames, list);
        Float32 *channels[2] = {};
        for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++) {
          AudioBuffer &buffer = list->mBuffers[channel];
          if (!buffer.mData) buffer.mData = memory[channel].data();
          buffer.mDataByteSize = bytes;
          channels[channel] = static_cast<Float32 *>(buffer.mData);
        }
        if (const OSStatus status = pull(time, frames, list)) return fail(status);
        for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++) {
          AudioBuffer &buffer = list->mBuffers[channel];
          // A source may give its own memory.
          if (buffer.mData != channels[channel]) std::memcpy(channels[channel], buffer.mData, bytes);
          buffer.mData = channels[channel];
        }
        processBetweenEvents(channels, list->mNumberBuffers, frames);
        if (flags) *flags &= ~static_cast<UInt32>(kAudioUnitRenderAction_OutputIsSilence);
        notify(kAudioUnitRenderAction_PostRender, flags, time, frames, list);
        return noErr;
      }

     private:
      AudioStreamBasicDescription &formatOf(AudioUnitScope scope) {
        return formats[scope == kAudioUnitScope_Input ? 0 : 1];
      }
      OSStatus setFormat(AudioUnitScope scope, const AudioStreamBasicDescription &format) {
        const AudioFormatFlags needed = kAudioFormatFlagIsFloat | kAudioFormatFlagIsNonInterleaved;
        if (format.mFormatID != kAudioFormatLinearPCM || (format.mFormatFlags & needed) != needed
            || format.mBitsPerChannel != 32 || format.mBytesPerFrame != 4
            || format.mBytesPerPacket != 4 || format.mFramesPerPacket != 1
            || format.mChannelsPerFrame < 1 || format.mChannelsPerFrame > 2
            || !(format.mSampleRate >= 1000 && format.mSampleRate <= 1e6)) {
          return kAudioUnitErr_FormatNotSupported;
        }
        formatOf(scope) = format;
        return noErr;
      }
      void setPresetName(CFStringRef name) {
        CFRetain(name);
        if (presetName) CFRelease(presetName);
        presetName = name;
      }
      static AudioUnitParameterInfo information(const Parameter &parameter) {
        AudioUnitParameterInfo info = {};
        info.cfNameString =
            CFStringCreateWithCString(nullptr, parameter.name, kCFStringEncodingUTF8);
        info.unit = parameter.unit;
        info.minValue = parameter.minimum;
        info.maxValue = parameter.maximum;
        info.defaultValue = parameter.initial;
        info.flags = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable
                     | kAudioUnitParameterFlag_HasCFNameString | kAudioUnitParameterFlag_CFNameRelease;
        return info;
      }

      // A state has the codes of the component, and the values in the order of the parameters.
      CFPropertyListRef copyState() const {
        CFMutableDictionaryRef state = CFDictionaryCreateMutable(
            nullptr, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
        const auto add = [=](CFStringRef key, CFTypeRef value) {
          CFDictionarySetValue(state, key, value);
          CFRelease(value);
        };
        const auto number = [](UInt32 value) {
          return CFNumberCreate(nullptr, kCFNumberSInt32Type, &value);
        };
        add(CFSTR(kAUPresetVersionKey), number(0));
        add(CFSTR(kAUPresetTypeKey), number(codes.componentType));
        add(CFSTR(kAUPresetSubtypeKey), number(codes.componentSubType));
        add(CFSTR(kAUPresetManufacturerKey), number(codes.componentManufacturer));
        add(CFSTR(kAUPresetNameKey), CFRetain(presetName));
        const std::vector<Float32> saved(values.begin(), values.end());
        const auto *bytes = reinterpret_cast<const UInt8 *>(saved.data());
        const auto size = static_cast<CFIndex>(saved.size() * sizeof(Float32));
        add(CFSTR(kAUPresetDataKey), CFDataCreate(nullptr, bytes, size));
        return state;
      }
      OSStatus setState(CFPropertyListRef list) {
        if (!list || CFGetTypeID(list) != CFDictionaryGetTypeID()) {
          return kAudioUnitErr_InvalidPropertyValue;
        }
        const auto state = static_cast<CFDictionaryRef>(list);
        const auto holds = [=](CFStringRef key, UInt32 code) {
          const auto value = CFDictionaryGetValue(state, key);
          SInt64 number = 0;
          return value && CFGetTypeID(value) == CFNumberGetTypeID()
                 && CFNumberGetValue(static_cast<CFNumberRef>(value), kCFNumberSInt64Type, &number)
                 && static_cast<UInt32>(number) == code;
        };
        const auto data = CFDictionaryGetValue(state, CFSTR(kAUPresetDataKey));
        if (!holds(CFSTR(kAUPresetTypeKey), codes.componentType)
            || !holds(CFSTR(kAUPresetSubtypeKey), codes.componentSubType)
            || !holds(CFSTR(kAUPresetManufacturerKey), codes.componentManufacturer) || !data
            || CFGetTypeID(data) != CFDataGetTypeID()) {
          return kAudioUnitErr_InvalidPropertyValue;
        }
        const auto bytes = static_cast<CFDataRef>(data);
        std::vector<Float32> saved(static_cast<size_t>(CFDataGetLength(bytes)) / sizeof(Float32));
        std::memcpy(saved.data(), CFDataGetBytePtr(bytes), saved.size() * sizeof(Float32));
        for (UInt32 id = 0; id < std::min(saved.size(), values.size()); id++) {
          setParameter(id, kAudioUnitScope_Global, saved[id]);
        }
        return noErr;
      }

      OSStatus pull(const AudioTimeStamp *time, UInt32 frames, AudioBufferList *list) {
        AudioUnitRenderActionFlags flags = 0;
        if (callback.inputProc) {
          return callback.inputProc(callback.inputProcRefCon, &flags, time, 0, frames, list);
        }
        if (!connection.sourceAudioUnit) return kAudioUnitErr_NoConnection;
        return AudioUnitRender(connection.sourceAudioUnit, &flags, time,
                               connection.sourceOutputNumber, frames, list);
      }

      // Cuts the slice at the frames at which parameters change.
      void processBetweenEvents(Float32 *const *channels, UInt32 channelCount, UInt32 frames) {
        const auto frameOf = [](const AudioUnitParameterEvent &event) {
          return event.eventValues.immediate.bufferOffset;
        };
        std::sort(events.begin(), events.end(),
                  [=](const auto &one, const auto &other) { return frameOf(one) < frameOf(other); });
        UInt32 done = 0;
        const auto processUntil = [&](UInt32 end) {
          Float32 *part[2] = {channels[0] + done, channelCount > 1 ? channels[1] + done : nullptr};
          if (end > done && !isBypassed) process(part, channelCount, end - done);
          done = end;
        };
        for (const auto &event : events) {
          processUntil(std::min(frameOf(event), frames));
          setParameter(event.parameter, event.scope, event.eventValues.immediate.value);
        }
        events.clear();
        processUntil(frames);
      }

      void notify(AudioUnitRenderActionFlags when, AudioUnitRenderActionFlags *flags,
                  const AudioTimeStamp *time, UInt32 frames, AudioBufferList *list) {
        for (const auto &each : notifies) {
          AudioUnitRenderActionFlags both = (flags ? *flags : 0) | when;
          each.inputProc(each.inputProcRefCon, &both, time, 0, frames, list);
        }
      }
      OSStatus fail(OSStatus status) {
        OSStatus none = noErr;
        lastError.compare_exchange_strong(none, status);
        return status;
      }

      const std::vector<Parameter> parameters;
      std::vector<std::atomic<Float32>> values;
      AudioStreamBasicDescription formats[2];  // of the input and of the output
      UInt32 maximumFrames = 1156;
      bool isInitialized = false;
      std::atomic<bool> isBypassed{false}, isInPlace{true};
      std::atomic<OSStatus> lastError{noErr};
      CFStringRef presetName = nullptr;
      AURenderCallbackStruct callback = {};
      AudioUnitConnection connection = {};
      std::vector<AudioUnitParameterEvent> events;
      std::vector<Float32> memory[2];
    };

    """#
}
