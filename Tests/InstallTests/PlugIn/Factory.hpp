// SPDX-License-Identifier: Apache-2.0
// The table of functions between a host and a UnitBase.
#pragma once

#include "UnitBase.hpp"

/// The object that a host has: the function table first, then the C++ object behind it.
struct PlugIn {
  AudioComponentPlugInInterface interface;
  std::unique_ptr<UnitBase> unit;
};

inline os_log_t plugInLog() {
  static const os_log_t log = os_log_create("org.example.plug-ins", "life");
  return log;
}

/// Runs the body on the object behind the table; returns a thrown error as its code.
template <class Body> OSStatus withUnit(void *self, Body body) {
  try {
    return body(*static_cast<PlugIn *>(self)->unit);
  } catch (const Failure &failure) {
    os_log_debug(plugInLog(), "%{public}s %d", "refused with", static_cast<int>(failure.status));
    return failure.status;
  } catch (...) {
    return kAudio_MemFullError;
  }
}

namespace methods {
inline OSStatus initialize(void *self) {
  return withUnit(self, [](UnitBase &unit) { return unit.initialize(), OSStatus(noErr); });
}
inline OSStatus uninitialize(void *self) {
  return withUnit(self, [](UnitBase &unit) { return unit.uninitialize(), OSStatus(noErr); });
}
inline OSStatus reset(void *self, AudioUnitScope, AudioUnitElement) {
  return withUnit(self, [](UnitBase &unit) { return unit.forget(), OSStatus(noErr); });
}
inline OSStatus getPropertyInfo(void *self, AudioUnitPropertyID id, AudioUnitScope scope,
                                AudioUnitElement element, UInt32 *size, Boolean *isWritable) {
  return withUnit(self, [=](UnitBase &unit) {
    const auto info = unit.propertyInfo(id, scope, element);
    if (size) *size = info.size;
    if (isWritable) *isWritable = info.isWritable;
    return OSStatus(noErr);
  });
}
inline OSStatus getProperty(void *self, AudioUnitPropertyID id, AudioUnitScope scope,
                            AudioUnitElement element, void *data, UInt32 *size) {
  return withUnit(self, [=](UnitBase &unit) {
    const auto info = unit.propertyInfo(id, scope, element);
    if (*size < info.size) return OSStatus(kAudioUnitErr_InvalidPropertyValue);
    unit.getProperty(id, scope, element, data);
    *size = info.size;
    return OSStatus(noErr);
  });
}
inline OSStatus setProperty(void *self, AudioUnitPropertyID id, AudioUnitScope scope,
                            AudioUnitElement element, const void *data, UInt32 size) {
  return withUnit(self, [=](UnitBase &unit) {
    if (!unit.propertyInfo(id, scope, element).isWritable) {
      return OSStatus(kAudioUnitErr_PropertyNotWritable);
    }
    unit.setProperty(id, scope, element, data, size);
    return OSStatus(noErr);
  });
}
inline OSStatus addListener(void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc proc,
                            void *data) {
  return withUnit(self, [=](UnitBase &unit) {
    unit.listeners.push_back({id, proc, data});
    return OSStatus(noErr);
  });
}
inline OSStatus removeListener(void *self, AudioUnitPropertyID id,
                               AudioUnitPropertyListenerProc proc, void *data) {
  return withUnit(self, [=](UnitBase &unit) {
    auto &all = unit.listeners;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [=](const UnitBase::Listener &each) {
                               return each.id == id && each.proc == proc && each.data == data;
                             }),
              all.end());
    return OSStatus(noErr);
  });
}
inline OSStatus addNotify(void *self, AURenderCallback proc, void *data) {
  return withUnit(self, [=](UnitBase &unit) {
    unit.notifies.push_back({proc, data});
    return OSStatus(noErr);
  });
}
inline OSStatus removeNotify(void *self, AURenderCallback proc, void *data) {
  return withUnit(self, [=](UnitBase &unit) {
    auto &all = unit.notifies;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [=](const AURenderCallbackStruct &each) {
                               return each.inputProc == proc && each.inputProcRefCon == data;
                             }),
              all.end());
    return OSStatus(noErr);
  });
}
inline OSStatus getParameter(void *self, AudioUnitParameterID id, AudioUnitScope scope,
                             AudioUnitElement, AudioUnitParameterValue *value) {
  return withUnit(self, [=](UnitBase &unit) {
    if (scope != kAudioUnitScope_Global) return OSStatus(kAudioUnitErr_InvalidScope);
    *value = unit.value(id);
    return OSStatus(noErr);
  });
}
inline OSStatus setParameter(void *self, AudioUnitParameterID id, AudioUnitScope scope,
                             AudioUnitElement, AudioUnitParameterValue value, UInt32) {
  return withUnit(self, [=](UnitBase &unit) {
    if (scope != kAudioUnitScope_Global) return OSStatus(kAudioUnitErr_InvalidScope);
    unit.setValue(id, value);
    return OSStatus(noErr);
  });
}
inline OSStatus schedule(void *self, const AudioUnitParameterEvent *events, UInt32 count) {
  return withUnit(self, [=](UnitBase &unit) { return unit.schedule(events, count), OSStatus(noErr); });
}
inline OSStatus render(void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                       UInt32 bus, UInt32 frames, AudioBufferList *data) {
  return withUnit(self, [=](UnitBase &unit) {
    AudioUnitRenderActionFlags none = 0;
    return unit.render(flags ? *flags : none, *time, bus, frames, *data);
  });
}
inline OSStatus midiEvent(void *self, UInt32 status, UInt32 data1, UInt32 data2, UInt32 offset) {
  return withUnit(self, [=](UnitBase &unit) { return unit.midiEvent(status, data1, data2, offset); });
}
inline OSStatus sysEx(void *self, const UInt8 *data, UInt32 length) {
  return withUnit(self, [=](UnitBase &unit) { return unit.sysEx(data, length); });
}
inline OSStatus startNote(void *self, MusicDeviceInstrumentID, MusicDeviceGroupID group,
                          NoteInstanceID *note, UInt32 offset, const MusicDeviceNoteParams *how) {
  return withUnit(self, [=](UnitBase &unit) { return unit.startNote(group, note, offset, *how); });
}
inline OSStatus stopNote(void *self, MusicDeviceGroupID group, NoteInstanceID note, UInt32 offset) {
  return withUnit(self, [=](UnitBase &unit) { return unit.stopNote(group, note, offset); });
}

template <class Function> AudioComponentMethod method(Function *function) {
  return reinterpret_cast<AudioComponentMethod>(reinterpret_cast<void *>(function));
}

inline AudioComponentMethod lookupUnit(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return method(initialize);
    case kAudioUnitUninitializeSelect: return method(uninitialize);
    case kAudioUnitResetSelect: return method(reset);
    case kAudioUnitGetPropertyInfoSelect: return method(getPropertyInfo);
    case kAudioUnitGetPropertySelect: return method(getProperty);
    case kAudioUnitSetPropertySelect: return method(setProperty);
    case kAudioUnitAddPropertyListenerSelect: return method(addListener);
    case kAudioUnitRemovePropertyListenerWithUserDataSelect: return method(removeListener);
    case kAudioUnitAddRenderNotifySelect: return method(addNotify);
    case kAudioUnitRemoveRenderNotifySelect: return method(removeNotify);
    case kAudioUnitGetParameterSelect: return method(getParameter);
    case kAudioUnitSetParameterSelect: return method(setParameter);
    case kAudioUnitScheduleParametersSelect: return method(schedule);
    case kAudioUnitRenderSelect: return method(render);
    default: return nullptr;
  }
}
inline AudioComponentMethod lookupInstrument(SInt16 selector) {
  switch (selector) {
    case kMusicDeviceMIDIEventSelect: return method(midiEvent);
    case kMusicDeviceSysExSelect: return method(sysEx);
    case kMusicDeviceStartNoteSelect: return method(startNote);
    case kMusicDeviceStopNoteSelect: return method(stopNote);
    default: return lookupUnit(selector);
  }
}
}  // namespace methods

/// The factory for a class of units, for registering a component.
template <class Unit> AudioComponentPlugInInterface *makePlugIn(
    const AudioComponentDescription *description) {
  auto *plugIn = new PlugIn;
  plugIn->interface.Open = [](void *self, AudioComponentInstance instance) {
    return withUnit(self, [=](UnitBase &unit) {
      unit.instance = instance;
      return OSStatus(noErr);
    });
  };
  plugIn->interface.Close = [](void *self) {
    delete static_cast<PlugIn *>(self);
    return OSStatus(noErr);
  };
  plugIn->unit = std::make_unique<Unit>();
  plugIn->unit->description = *description;
  plugIn->interface.Lookup =
      plugIn->unit->acceptsNotes() ? methods::lookupInstrument : methods::lookupUnit;
  plugIn->interface.reserved = nullptr;
  return &plugIn->interface;
}
