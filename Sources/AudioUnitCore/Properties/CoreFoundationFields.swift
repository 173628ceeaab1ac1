// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// C structures that hold Core Foundation strings, filled through the bridge.

extension AudioUnitParameterNameInfo {
  /// Takes over a name, as much of it as was requested, as a string that the asker releases.
  mutating func setName(_ name: String) {
    let wanted = inDesiredLength > 0 ? String(name.prefix(Int(inDesiredLength))) : name
    __outName = UnsafeRawPointer(Bridge.current.retainedString(wanted))
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
  /// What a host hears of a parameter; strings are the caller's.
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

  /// Answers `ParameterStringFromValue`: a name where values have names, else nothing.
  final func nameValue(
    _ question: inout AudioUnitParameterStringFromValue, _ address: PropertyAddress
  ) throws(AudioError) {
    let definition = try definition(question.inParamID, address.scope)
    let asked: UnsafePointer<AudioUnitParameterValue>? = question.inValue
    let place = ParameterAddress(question.inParamID, address.scope, address.element)
    // In C the pointer may be null: the current value is meant.
    let value = if let asked { asked.pointee } else { try self.value(place) }
    let spec = definition.spec
    // A host may pass any value, such as one that does not fit in an integer.
    let index = Int(exactly: (value - spec.range.lowerBound).rounded())
    question.__outString = index.flatMap { index in
      spec.valueNames.indices.contains(index)
        ? UnsafeRawPointer(Bridge.current.retainedString(spec.valueNames[index])) : nil
    }
  }

  /// Answers `ParameterValueFromString`: a value's name, or a number.
  final func readValue(
    _ question: inout AudioUnitParameterValueFromString, _ address: PropertyAddress
  ) throws(AudioError) {
    let spec = try definition(question.inParamID, address.scope).spec
    guard let text = Bridge.current.string(question.__inString) else {
      throw .invalidPropertyValue.because("expected a CFString")
    }
    if let index = spec.valueNames.firstIndex(of: text) {
      question.outValue = spec.range.lowerBound + Float(index)
    } else if let number = Float(text), spec.range.contains(number) {
      question.outValue = number
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
