// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// C structures that hold Core Foundation strings, filled through the bridge.

extension AudioUnitParameterNameInfo {
  /// Stores a name, cut to the requested length, as a string that the caller releases.
  package mutating func setName(_ name: String) {
    let cut = inDesiredLength > 0 ? String(name.prefix(Int(inDesiredLength))) : name
    __outName = UnsafeRawPointer(Bridge.current.retainedString(cut))
  }
}

extension AUHostVersionIdentifier {
  /// The name of the host.
  func nameText() throws(AudioError) -> String {
    guard let text = Bridge.current.string(__hostName) else {
      throw .invalidPropertyValue.because("the host's name is not a CFString")
    }
    return text
  }
}

/// Units of measure as strings for hosts: hosts release the names of parameters, but not these, so
/// each is made once and kept.
private enum UnitNames {
  private static let strings = Guarded<[String: UInt]>([:])

  static func string(_ name: String) -> UnsafeRawPointer? {
    let address = strings.withLock { strings in
      if let known = strings[name] { return known }
      let made = UInt(bitPattern: Bridge.current.retainedString(name))
      strings[name] = made
      return made
    }
    return UnsafeRawPointer(bitPattern: address)
  }
}

extension ParameterDefinition {
  /// The description of the parameter for a host, at a sample rate; the caller owns the strings.
  package func info(at sampleRate: Double) -> AudioUnitParameterInfo {
    let range = spec.range(at: sampleRate)
    var info = AudioUnitParameterInfo()
    info.__cfNameString = UnsafeRawPointer(Bridge.current.retainedString(spec.name))
    info.unit = spec.unit
    info.__unitName = spec.unitName.map { UnitNames.string($0) } ?? nil
    info.minValue = range.lowerBound
    info.maxValue = range.upperBound
    info.defaultValue = min(max(spec.defaultValue, range.lowerBound), range.upperBound)
    info.clumpID = spec.clump?.id ?? 0
    info.flags = spec.options.union(.flag_CFNameRelease)
    return info
  }
}

extension AudioUnitParameterStringFromValue {
  /// Stores the name of the requested value as a string that the caller releases; null if values
  /// have no names. In C the pointer to the value may be null, which means `current`.
  mutating func setString(_ spec: ParameterSpec, current: () throws(AudioError) -> Float)
    throws(AudioError)
  {
    let requested: UnsafePointer<AudioUnitParameterValue>? = inValue
    let value = if let requested { requested.pointee } else { try current() }
    __outString = spec.valueName(value).map { UnsafeRawPointer(Bridge.current.retainedString($0)) }
  }
}

extension AudioUnitParameterValueFromString {
  /// Stores the value that the given string means.
  mutating func setValue(_ spec: ParameterSpec) throws(AudioError) {
    guard let text = Bridge.current.string(__inString) else {
      throw .invalidPropertyValue.because("expected a CFString")
    }
    outValue = try spec.value(of: text)
  }
}
