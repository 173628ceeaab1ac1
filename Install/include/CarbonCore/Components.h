// SPDX-License-Identifier: Apache-2.0

#ifndef CARBON_CORE_COMPONENTS_H
#define CARBON_CORE_COMPONENTS_H

// The Component Manager's calls, as programs of old find and open units with them. Each is a call of
// AudioToolbox/AudioComponent.h by another name.

#include <AudioToolbox/AudioComponent.h>

#include "MacErrors.h"
#include "MacMemory.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef AudioComponentDescription ComponentDescription;

/// A component, by its type: nobody looks there.
struct ComponentRecord {
  long data[1];
};
typedef struct ComponentRecord ComponentRecord;
typedef ComponentRecord *Component;
typedef OSStatus ComponentResult;

enum { kAnyComponentType = 0, kAnyComponentSubType = 0, kAnyComponentManufacturer = 0 };
enum { kAnyComponentFlagsMask = 0 };

/// The next component that matches; start with null. [control thread]
static __inline__ Component FindNextComponent(Component component, ComponentDescription *wanted) {
  return (Component)AudioComponentFindNext((AudioComponent)component, wanted);
}

/// How many components match. [control thread]
static __inline__ long CountComponents(ComponentDescription *wanted) {
  return (long)AudioComponentCount(wanted);
}

/// Makes an instance. [control thread]
static __inline__ OSErr OpenAComponent(Component component, ComponentInstance *instance) {
  const OSStatus status = AudioComponentInstanceNew((AudioComponent)component, instance);
  return (OSErr)(status < -32768 || status > 32767 ? invalidComponentID : status);
}

/// Makes an instance; null when that fails. [control thread]
static __inline__ ComponentInstance OpenComponent(Component component) {
  ComponentInstance instance = NULL;
  return AudioComponentInstanceNew((AudioComponent)component, &instance) == noErr ? instance : NULL;
}

/// Makes an instance of the first component of a type and subtype; null when that fails.
/// [control thread]
static __inline__ ComponentInstance OpenDefaultComponent(OSType type, OSType subType) {
  ComponentDescription wanted = {type, subType, 0, 0, 0};
  Component component = FindNextComponent(NULL, &wanted);
  return component ? OpenComponent(component) : NULL;
}

/// Ends an instance. [control thread]
static __inline__ OSErr CloseComponent(ComponentInstance instance) {
  return (OSErr)AudioComponentInstanceDispose(instance);
}

/// The component of an instance, null when it is no living one. [any thread]
static __inline__ Component GetComponentOfInstance(ComponentInstance instance) {
  return (Component)AudioComponentInstanceGetComponent(instance);
}

/// The description of a component and, into `name`, its name as a Pascal string. A component has no
/// further text, and no icon: such a handle becomes empty. [control thread]
static __inline__ OSErr GetComponentInfo(Component component, ComponentDescription *description,
                                         Handle name, Handle information, Handle icon) {
  if (description) {
    const OSStatus status =
        AudioComponentGetDescription((AudioComponent)component, description);
    if (status != noErr) return (OSErr)status;
  }
  if (name) {
    CFStringRef text = NULL;
    const OSStatus status = AudioComponentCopyName((AudioComponent)component, &text);
    if (status != noErr) return (OSErr)status;
    char characters[256] = "";
    CFStringGetCString(text, characters, sizeof characters, kCFStringEncodingUTF8);
    CFRelease(text);
    const size_t length = strlen(characters);
    SetHandleSize(name, (Size)(length + 1));
    if (GetHandleSize(name) != (Size)(length + 1)) return memFullErr;
    **name = (char)length;
    memcpy(*name + 1, characters, length);
  }
  if (information) SetHandleSize(information, 0);
  if (icon) SetHandleSize(icon, 0);
  return noErr;
}

#ifdef __cplusplus
}
#endif

#endif
