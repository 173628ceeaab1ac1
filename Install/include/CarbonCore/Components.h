// SPDX-License-Identifier: Apache-2.0

#ifndef CARBON_CORE_COMPONENTS_H
#define CARBON_CORE_COMPONENTS_H

// The functions of the Component Manager, with which older programs find and open units. Each one
// calls a function of AudioToolbox/AudioComponent.h.

#include <AudioToolbox/AudioComponent.h>

#include "MacErrors.h"
#include "MacMemory.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Type, subtype and manufacturer of a component; 0 matches any.
typedef AudioComponentDescription ComponentDescription;

/// The pointee type of a component; it is never accessed.
struct ComponentRecord {
  /// Not used.
  long data[1];
};
typedef struct ComponentRecord ComponentRecord;
typedef ComponentRecord *Component;
typedef OSStatus ComponentResult;

/// In a query: any type, subtype or manufacturer.
enum { kAnyComponentType = 0, kAnyComponentSubType = 0, kAnyComponentManufacturer = 0 };
/// In a query: any flags.
enum { kAnyComponentFlagsMask = 0 };

/// The next component that matches; start with null. [control thread]
static __inline__ Component FindNextComponent(Component component, ComponentDescription *query) {
  return (Component)AudioComponentFindNext((AudioComponent)component, query);
}

/// The number of components that match. [control thread]
static __inline__ long CountComponents(ComponentDescription *query) {
  return (long)AudioComponentCount(query);
}

/// Creates an instance. [control thread]
static __inline__ OSErr OpenAComponent(Component component, ComponentInstance *instance) {
  const OSStatus status = AudioComponentInstanceNew((AudioComponent)component, instance);
  return (OSErr)(status < -32768 || status > 32767 ? invalidComponentID : status);
}

/// Creates an instance; null if that fails. [control thread]
static __inline__ ComponentInstance OpenComponent(Component component) {
  ComponentInstance instance = NULL;
  return AudioComponentInstanceNew((AudioComponent)component, &instance) == noErr ? instance : NULL;
}

/// Creates an instance of the first component with a type and subtype; null if that fails. [control
/// thread]
static __inline__ ComponentInstance OpenDefaultComponent(OSType type, OSType subType) {
  ComponentDescription query = {type, subType, 0, 0, 0};
  Component component = FindNextComponent(NULL, &query);
  return component ? OpenComponent(component) : NULL;
}

/// Disposes of an instance. [control thread]
static __inline__ OSErr CloseComponent(ComponentInstance instance) {
  return (OSErr)AudioComponentInstanceDispose(instance);
}

/// The component of an instance; null if the instance is invalid. [any thread]
static __inline__ Component GetComponentOfInstance(ComponentInstance instance) {
  return (Component)AudioComponentInstanceGetComponent(instance);
}

/// The description of a component, and in `name` its name as a Pascal string. A component has no
/// info text and no icon: those handles become empty. [control thread]
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
