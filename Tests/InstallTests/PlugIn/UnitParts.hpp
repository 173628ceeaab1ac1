// SPDX-License-Identifier: Apache-2.0
// Helpers of units: errors, parameters, saved states, parts of buffer lists.
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
#include <new>
#include <string>
#include <vector>

/// An error code, thrown within a unit.
struct Failure {
  OSStatus status;
};

/// The description of a parameter.
struct ParameterSpec {
  AudioUnitParameterID id;
  std::string name;
  AudioUnitParameterUnit unit;
  AudioUnitParameterValue minimum, maximum, initial;
};

using ParameterValues = std::map<AudioUnitParameterID, Float32>;

/// Some frames of a buffer list with one or two channels.
struct PartOfList {
  PartOfList(const AudioBufferList &whole, UInt32 first, UInt32 end)
      : list(new (memory) AudioBufferList) {
    list->mNumberBuffers = std::min(whole.mNumberBuffers, 2u);
    for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++) {
      list->mBuffers[channel] = {1, (end - first) * UInt32(sizeof(Float32)),
                                 static_cast<Float32 *>(whole.mBuffers[channel].mData) + first};
    }
  }
  PartOfList(const PartOfList &) = delete;
  AudioBufferList *list;

 private:
  alignas(AudioBufferList) unsigned char memory[sizeof(AudioBufferList) + sizeof(AudioBuffer)];
};

inline void addNumber(CFMutableDictionaryRef state, CFStringRef key, UInt32 number) {
  CFNumberRef object = CFNumberCreate(nullptr, kCFNumberSInt32Type, &number);
  CFDictionarySetValue(state, key, object);
  CFRelease(object);
}

inline bool holds(CFDictionaryRef state, CFStringRef key, UInt32 expected) {
  CFTypeRef object = CFDictionaryGetValue(state, key);
  SInt64 number = 0;
  return object && CFGetTypeID(object) == CFNumberGetTypeID()
         && CFNumberGetValue(static_cast<CFNumberRef>(object), kCFNumberSInt64Type, &number)
         && static_cast<UInt32>(number) == expected;
}

/// The saved state of a unit. Its values are in a data object, each as its number and its bits,
/// big-endian.
inline CFPropertyListRef copyState(const AudioComponentDescription &unit, CFStringRef name,
                                   const ParameterValues &values) {
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
  CFDictionarySetValue(state, CFSTR(kAUPresetNameKey), name);
  addNumber(state, CFSTR(kAUPresetVersionKey), 0);
  addNumber(state, CFSTR(kAUPresetTypeKey), unit.componentType);
  addNumber(state, CFSTR(kAUPresetSubtypeKey), unit.componentSubType);
  addNumber(state, CFSTR(kAUPresetManufacturerKey), unit.componentManufacturer);
  return state;
}

/// The values in a state of any contents; that of another unit is refused.
inline ParameterValues valuesOf(CFPropertyListRef list, const AudioComponentDescription &unit) {
  const Failure refusal = {kAudioUnitErr_InvalidPropertyValue};
  if (!list || CFGetTypeID(list) != CFDictionaryGetTypeID()) throw refusal;
  const auto state = static_cast<CFDictionaryRef>(list);
  const auto found = CFDictionaryGetValue(state, CFSTR(kAUPresetDataKey));
  if (!holds(state, CFSTR(kAUPresetTypeKey), unit.componentType)
      || !holds(state, CFSTR(kAUPresetSubtypeKey), unit.componentSubType)
      || !holds(state, CFSTR(kAUPresetManufacturerKey), unit.componentManufacturer) || !found
      || CFGetTypeID(found) != CFDataGetTypeID()) {
    throw refusal;
  }
  const auto data = static_cast<CFDataRef>(found);
  std::vector<UInt32> words(static_cast<size_t>(CFDataGetLength(data)) / sizeof(UInt32));
  std::memcpy(words.data(), CFDataGetBytePtr(data), words.size() * sizeof(UInt32));
  ParameterValues values;
  for (size_t index = 0; index + 1 < words.size(); index += 2) {
    const UInt32 bits = CFSwapInt32BigToHost(words[index + 1]);
    Float32 value;
    std::memcpy(&value, &bits, sizeof value);
    values[CFSwapInt32BigToHost(words[index])] = value;
  }
  return values;
}
