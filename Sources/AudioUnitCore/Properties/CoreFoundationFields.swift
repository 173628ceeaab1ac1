// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// C structures that hold Core Foundation strings, filled through the bridge.

extension AudioUnitParameterNameInfo {
  /// Stores a name, cut to the requested length, as a string that the caller releases.
  mutating func setName(_ name: String) {
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

extension NativeUnit {
  /// The description of a parameter for a host; the caller owns the strings.
  final func parameterInfo(_ address: PropertyAddress) throws(AudioError) -> AudioUnitParameterInfo
  {
    let definition = try definition(address)
    let spec = definition.spec
    let range = spec.range(at: global.format(or: outputs.first).sampleRate)
    var info = AudioUnitParameterInfo()
    info.__cfNameString = UnsafeRawPointer(Bridge.current.retainedString(spec.name))
    info.unit = spec.unit
    info.minValue = range.lowerBound
    info.maxValue = range.upperBound
    info.defaultValue = min(max(spec.defaultValue, range.lowerBound), range.upperBound)
    info.clumpID = spec.clump?.id ?? 0
    info.flags = spec.options.union(.flag_CFNameRelease)
    return info
  }

  /// Implements `ParameterStringFromValue`: the name of a value; null if values have no names.
  final func findValueName(
    _ query: inout AudioUnitParameterStringFromValue, _ address: PropertyAddress
  ) throws(AudioError) {
    let definition = try definition(query.inParamID, address.scope)
    let requested: UnsafePointer<AudioUnitParameterValue>? = query.inValue
    let parameter = ParameterAddress(query.inParamID, address.scope, address.element)
    // In C the pointer may be null, which means the current value.
    let value = if let requested { requested.pointee } else { try self.value(parameter) }
    let spec = definition.spec
    // A host may pass any value, even one that does not fit in an integer.
    let index = Int(exactly: (value - spec.range.lowerBound).rounded())
    query.__outString = index.flatMap { index in
      spec.valueNames.indices.contains(index)
        ? UnsafeRawPointer(Bridge.current.retainedString(spec.valueNames[index])) : nil
    }
  }

  /// Implements `ParameterValueFromString`: the string is the name of a value, or a number.
  final func parseValue(
    _ query: inout AudioUnitParameterValueFromString, _ address: PropertyAddress
  ) throws(AudioError) {
    let spec = try definition(query.inParamID, address.scope).spec
    guard let text = Bridge.current.string(query.__inString) else {
      throw .invalidPropertyValue.because("expected a CFString")
    }
    if let index = spec.valueNames.firstIndex(of: text) {
      query.outValue = spec.range.lowerBound + Float(index)
    } else if let number = Float(text), spec.range.contains(number) {
      query.outValue = number
    } else {
      throw .invalidPropertyValue.because(
        "\"\(text)\" is not a value of \(spec.name); expected one of "
          + (spec.valueNames.isEmpty
            ? "\(spec.range.lowerBound) to \(spec.range.upperBound)"
            : spec.valueNames.joined(separator: ", ")))
    }
  }
}

extension Element {
  func format(or other: Element?) -> StreamFormat { other?.format ?? format }
}
