// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI

// Properties.
extension Setup {
  /// The type of a property's value.
  package enum ValueType: Sendable { case integer, string, data, dictionary }

  /// [any thread] The value of a property: the object's own, or that of what it belongs to.
  package func property(
    _ name: String, of ref: MIDIObjectRef, _ type: ValueType
  ) throws(AudioError) -> PropertyList {
    let value = try lock.withLock { () throws(AudioError) in
      let object: MIDIObject = try object(ref, orElse: kMIDIObjectNotFound)
      guard let value = object.property(name) else {
        throw AudioError(status: kMIDIUnknownProperty).because(
          "\(Swift.type(of: object).noun) \(ref) has no property \"\(name)\"")
      }
      return value
    }
    guard value.type == type else {
      throw AudioError(status: kMIDIWrongPropertyType).because(
        "property \"\(name)\" of object \(ref) has another type")
    }
    return value
  }

  /// [any thread] All properties of an object; with `deep`, of what is in it too.
  package func properties(
    of ref: MIDIObjectRef, deep: Bool
  ) throws(AudioError) -> PropertyList {
    try lock.withLock { () throws(AudioError) in
      let object: MIDIObject = try object(ref, orElse: kMIDIObjectNotFound)
      return object.allProperties(deep: deep)
    }
  }

  /// [control thread] Sets a property, or removes it with nil. Setting the current value again
  /// notifies nobody.
  package func setProperty(
    _ name: String, of ref: MIDIObjectRef, to value: PropertyList?
  ) throws(AudioError) {
    defer {
      // Others see a virtual endpoint under another name, or not any more.
      if name == PropertyName.name || name == PropertyName.isPrivate {
        machine?.update(waits: true)
      }
    }
    try lock.withLock { () throws(AudioError) in
      let object: MIDIObject = try object(ref, orElse: kMIDIObjectNotFound)
      guard name != PropertyName.displayName else {
        throw .notPermitted.because("\"\(name)\" is made of other names; set \"name\"")
      }
      if let value, let type = PropertyTypes.known[name], value.type != type {
        throw AudioError(status: kMIDIWrongPropertyType).because(
          "property \"\(name)\" cannot have a value of this type; expected \(type)")
      }
      if name == PropertyName.uniqueID { try check(uniqueID: value, of: object) }
      guard object.properties[name] != value else { return }
      object.properties[name] = value
      notify(.property(name, of: .init(object)), .setup)
      if name == PropertyName.uniqueID { resolveThruConnections() }
    }
  }

  private func check(uniqueID value: PropertyList?, of object: MIDIObject) throws(AudioError) {
    guard object is Device || object is Entity || object is Endpoint else {
      throw .notPermitted.because(
        "a \(Swift.type(of: object).noun) has no unique identifier; devices, entities and endpoints "
          + "have one")
    }
    guard let id = value?.integer.flatMap(Int32.init(exactly:)), id != kMIDIInvalidUniqueID else {
      throw .invalidArgument.because("a unique identifier is an integer other than 0")
    }
    if let other = self.object(uniqueID: id), other !== object {
      throw AudioError(status: kMIDIIDNotUnique).because(
        "object \(other.ref) has the unique identifier \(id)")
    }
  }
}

extension PropertyList {
  /// The type of a property with this value; nil if no property has such values.
  fileprivate var type: Setup.ValueType? {
    switch self {
    case .integer, .bool: .integer
    case .string: .string
    case .data: .data
    case .dictionary: .dictionary
    case .array, .real: nil
    }
  }
}

extension MIDIObject {
  fileprivate func allProperties(deep: Bool) -> PropertyList {
    var all = properties
    if deep {
      for (name, objects) in children {
        all[name] = .array(objects.map { $0.allProperties(deep: true) })
      }
    }
    return .dictionary(all)
  }
}
