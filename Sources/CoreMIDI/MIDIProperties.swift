// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import MIDIPorts
@_spi(TrappingConversions) import CheckedNumbers

// The functions of MIDIServices.h for properties.

// MARK: In C

/// The value of a property as an object that the caller releases.
private func get(
  _ obj: MIDIObjectRef, _ propertyID: UnsafeRawPointer?, _ type: Setup.ValueType,
  _ out: UnsafeMutablePointer<UnsafeRawPointer?>?, in call: StaticString
) -> OSStatus {
  deviceStatus(in: call) { () throws(AudioError) in
    let name = try text(propertyID, "propertyID")
    let out = try memory(out, "the result")
    let value = try MIDI.setup.property(name, of: obj, type)
    out.pointee =
      value.string.map { Bridge.current.retainedString($0) }
      ?? Bridge.current.retainedPropertyList(value)
  }
}

private func set(
  _ obj: MIDIObjectRef, _ propertyID: UnsafeRawPointer?, in call: StaticString,
  _ value: () throws(AudioError) -> PropertyList?
) -> OSStatus {
  deviceStatus(in: call) { () throws(AudioError) in
    let name = try text(propertyID, "propertyID")
    try MIDI.setup.setProperty(name, of: obj, to: value())
  }
}

@_cdecl("MIDIObjectGetIntegerProperty")
public func midiObjectGetIntegerProperty(
  _ obj: MIDIObjectRef, _ propertyID: UnsafeRawPointer?, _ outValue: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  deviceStatus(in: "MIDIObjectGetIntegerProperty") { () throws(AudioError) in
    let name = try text(propertyID, "propertyID")
    let outValue = try memory(outValue, "outValue")
    let value = try MIDI.setup.property(name, of: obj, .integer).integer ?? 0
    outValue.pointee = Int32(truncatingIfNeeded: value)
  }
}

@_cdecl("MIDIObjectSetIntegerProperty")
public func midiObjectSetIntegerProperty(
  _ obj: MIDIObjectRef, _ propertyID: UnsafeRawPointer?, _ value: Int32
) -> OSStatus {
  set(obj, propertyID, in: "MIDIObjectSetIntegerProperty") { .integer(Int(value)) }
}

@_cdecl("MIDIObjectGetStringProperty")
public func midiObjectGetStringProperty(
  _ obj: MIDIObjectRef, _ propertyID: UnsafeRawPointer?,
  _ str: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> OSStatus {
  get(obj, propertyID, .string, str, in: "MIDIObjectGetStringProperty")
}

@_cdecl("MIDIObjectSetStringProperty")
public func midiObjectSetStringProperty(
  _ obj: MIDIObjectRef, _ propertyID: UnsafeRawPointer?, _ str: UnsafeRawPointer?
) -> OSStatus {
  set(obj, propertyID, in: "MIDIObjectSetStringProperty") { () throws(AudioError) in
    .string(try text(str, "str"))
  }
}

/// The contents of an object of a type that a program passed.
private func contents(
  _ object: UnsafeRawPointer?, _ argument: String, _ isRight: (PropertyList) -> Bool
) throws(AudioError) -> PropertyList {
  guard let object else { throw .null(argument) }
  guard let value = Bridge.current.propertyList(object), isRight(value) else {
    throw .invalidArgument.because("\(argument) is an object of another type")
  }
  return value
}

@_cdecl("MIDIObjectGetDataProperty")
public func midiObjectGetDataProperty(
  _ obj: MIDIObjectRef, _ propertyID: UnsafeRawPointer?,
  _ outData: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> OSStatus {
  get(obj, propertyID, .data, outData, in: "MIDIObjectGetDataProperty")
}

@_cdecl("MIDIObjectSetDataProperty")
public func midiObjectSetDataProperty(
  _ obj: MIDIObjectRef, _ propertyID: UnsafeRawPointer?, _ data: UnsafeRawPointer?
) -> OSStatus {
  set(obj, propertyID, in: "MIDIObjectSetDataProperty") { () throws(AudioError) in
    try contents(data, "data") { if case .data = $0 { true } else { false } }
  }
}

@_cdecl("MIDIObjectGetDictionaryProperty")
public func midiObjectGetDictionaryProperty(
  _ obj: MIDIObjectRef, _ propertyID: UnsafeRawPointer?,
  _ outDict: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> OSStatus {
  get(obj, propertyID, .dictionary, outDict, in: "MIDIObjectGetDictionaryProperty")
}

@_cdecl("MIDIObjectSetDictionaryProperty")
public func midiObjectSetDictionaryProperty(
  _ obj: MIDIObjectRef, _ propertyID: UnsafeRawPointer?, _ dict: UnsafeRawPointer?
) -> OSStatus {
  set(obj, propertyID, in: "MIDIObjectSetDictionaryProperty") { () throws(AudioError) in
    try contents(dict, "dict") { if case .dictionary = $0 { true } else { false } }
  }
}

@_cdecl("MIDIObjectGetProperties")
public func midiObjectGetProperties(
  _ obj: MIDIObjectRef, _ outProperties: UnsafeMutablePointer<UnsafeRawPointer?>?, _ deep: UInt8
) -> OSStatus {
  deviceStatus(in: "MIDIObjectGetProperties") { () throws(AudioError) in
    let outProperties = try memory(outProperties, "outProperties")
    outProperties.pointee = Bridge.current.retainedPropertyList(
      try MIDI.setup.properties(of: obj, deep: deep != 0))
  }
}

@_cdecl("MIDIObjectRemoveProperty")
public func midiObjectRemoveProperty(
  _ obj: MIDIObjectRef, _ propertyID: UnsafeRawPointer?
) -> OSStatus {
  set(obj, propertyID, in: "MIDIObjectRemoveProperty") { nil }
}

@c @implementation
public func MIDIObjectFindByUniqueID(
  _ inUniqueID: MIDIUniqueID, _ outObject: UnsafeMutablePointer<MIDIObjectRef>?,
  _ outObjectType: UnsafeMutablePointer<MIDIObjectType>?
) -> OSStatus {
  outObject?.pointee = 0
  return deviceStatus { () throws(AudioError) in
    let found = try MIDI.setup.find(uniqueID: inUniqueID)
    outObject?.pointee = found.ref
    outObjectType?.pointee = found.type
  }
}
