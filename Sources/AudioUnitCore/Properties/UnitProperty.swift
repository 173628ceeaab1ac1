// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// A property of units.
public typealias UnitProperty = PropertyRow<NativeUnit>

extension PropertyFamily {
  /// The properties of units. The reason of each failure begins with the property's C name.
  public static let units = PropertyFamily(
    "its",
    Errors(
      unknown: kAudioUnitErr_InvalidProperty, unreadable: kAudioUnitErr_InvalidProperty,
      readOnly: kAudioUnitErr_PropertyNotWritable, size: kAudioUnitErr_InvalidPropertyValue,
      value: kAudioUnitErr_InvalidPropertyValue, scope: kAudioUnitErr_InvalidScope),
    lengths: .longerStructures, truncation: .bytes, namesProperty: true,
    name: { PropertyNames.name($0.id) }, scopeName: { Element.scopeName($0) })
}

extension PropertyRow where Owner == NativeUnit {
  /// The row of a property that every unit may have; nil for any other.
  public static func ofEveryUnit(_ id: AudioUnitPropertyID) -> UnitProperty? {
    StandardProperties.table.row(id)
  }
}

extension PropertyRow.Writability where Owner: NativeUnit {
  /// Only while the unit is uninitialised; otherwise this error is thrown.
  public static func uninitialized(_ refusal: AudioError) -> Self {
    .unless { $0.isInitialized ? refusal : nil }
  }
}

extension PropertyRow where Owner: NativeUnit {
  /// The rows of a class of units, for its `properties`.
  public static func rows(_ rows: [PropertyRow]) -> [UnitProperty] { rows.map { $0.inherited() } }

  /// A property that is a Core Foundation string. If nothing is set, reading returns a null string
  /// (`isNullWhenUnset`) or `kAudioUnitErr_PropertyNotInUse`.
  public static func string(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope], isNullWhenUnset: Bool = false,
    get: @escaping Get<String?>, set: Set<String?>? = nil
  ) -> PropertyRow {
    var write: Write?
    var remove: Remove?
    if let set {
      write = { (unit, address, data) throws(AudioError) in
        try set(unit, address, try data.string())
      }
      remove = { (unit, address) throws(AudioError) in try set(unit, address, nil) }
    }
    return object(
      id, in: scopes, type: "CFString",
      get: { (unit, address) throws(AudioError) in
        if let text = try get(unit, address) { return .string(text) }
        guard isNullWhenUnset else { throw .propertyNotInUse.because("nothing is set") }
        return .null
      }, write: write, remove: remove)
  }

  /// `kAudioUnitProperty_AudioChannelLayout`; `layout` returns the default for a bus without one.
  public static func layout(
    in scopes: [AudioUnitScope],
    default layout: @escaping @Sendable (Owner, Element) throws(AudioError) -> [UInt8]?
  ) -> PropertyRow {
    bytes(
      kAudioUnitProperty_AudioChannelLayout, in: scopes, type: "AudioChannelLayout",
      get: { (unit, address) throws(AudioError) in
        let element = try unit.element(address.scope, address.element)
        if let layout = element.layout { return layout }
        guard let layout = try layout(unit, element) else {
          throw .propertyNotInUse.because("no layout is set")
        }
        return layout
      },
      set: { (unit, address, data) throws(AudioError) in
        try unit.element(address.scope, address.element).setLayout(data.bytes)
      },
      remove: { (unit, address) throws(AudioError) in
        try unit.element(address.scope, address.element).setLayout(nil)
      })
  }
}
