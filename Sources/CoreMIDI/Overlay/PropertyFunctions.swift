// SPDX-License-Identifier: Apache-2.0

// The functions for properties, with the types of Core Foundation in Swift.

/// The memory for an object, as the functions in C have it.
private func raw<Object>(
  _ pointer: UnsafeMutablePointer<Unmanaged<Object>?>
) -> UnsafeMutablePointer<UnsafeRawPointer?> {
  UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: UnsafeRawPointer?.self)
}

/// The value of an integer property. [any thread]
@discardableResult
public func MIDIObjectGetIntegerProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ outValue: UnsafeMutablePointer<Int32>
) -> OSStatus {
  midiObjectGetIntegerProperty(obj, address(propertyID), outValue)
}

/// Sets an integer property. [control thread]
@discardableResult
public func MIDIObjectSetIntegerProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ value: Int32
) -> OSStatus {
  midiObjectSetIntegerProperty(obj, address(propertyID), value)
}

/// The value of a text property, which the caller takes over retained. [any thread]
@discardableResult
public func MIDIObjectGetStringProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString,
  _ str: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
  midiObjectGetStringProperty(obj, address(propertyID), raw(str))
}

/// Sets a text property. [control thread]
@discardableResult
public func MIDIObjectSetStringProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ str: CFString
) -> OSStatus {
  midiObjectSetStringProperty(obj, address(propertyID), address(str))
}

/// The value of a data property, which the caller takes over retained. [any thread]
@discardableResult
public func MIDIObjectGetDataProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString,
  _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>
) -> OSStatus {
  midiObjectGetDataProperty(obj, address(propertyID), raw(outData))
}

/// Sets a data property. [control thread]
@discardableResult
public func MIDIObjectSetDataProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ data: CFData
) -> OSStatus {
  midiObjectSetDataProperty(obj, address(propertyID), address(data))
}

/// The value of a dictionary property, which the caller takes over retained. [any thread]
@discardableResult
public func MIDIObjectGetDictionaryProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString,
  _ outDict: UnsafeMutablePointer<Unmanaged<CFDictionary>?>
) -> OSStatus {
  midiObjectGetDictionaryProperty(obj, address(propertyID), raw(outDict))
}

/// Sets a dictionary property. [control thread]
@discardableResult
public func MIDIObjectSetDictionaryProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ dict: CFDictionary
) -> OSStatus {
  midiObjectSetDictionaryProperty(obj, address(propertyID), address(dict))
}

/// All properties of an object as a dictionary, which the caller takes over retained; `deep` adds
/// those of the entities and endpoints in it. [any thread]
@discardableResult
public func MIDIObjectGetProperties(
  _ obj: MIDIObjectRef, _ outProperties: UnsafeMutablePointer<Unmanaged<CFPropertyList>?>,
  _ deep: Bool
) -> OSStatus {
  midiObjectGetProperties(obj, raw(outProperties), deep ? 1 : 0)
}

/// Removes a property. [control thread]
@discardableResult
public func MIDIObjectRemoveProperty(_ obj: MIDIObjectRef, _ propertyID: CFString) -> OSStatus {
  midiObjectRemoveProperty(obj, address(propertyID))
}
