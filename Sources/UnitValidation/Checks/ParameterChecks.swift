// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The descriptions of parameters, and their values.
enum ParameterChecks {
  /// Each parameter is listed once, with a name, a range, and a default within it.
  static func information(_ subject: TestedComponent) throws -> String? {
    let parameters = try TestedUnit(subject).someParameters()
    var seen: Set<UInt64> = []
    for parameter in parameters {
      let info = parameter.info
      try expect(
        seen.insert(UInt64(parameter.scope) << 32 | UInt64(parameter.id)).inserted,
        "\(parameter.title) is listed twice")
      try expect(!parameter.name.isEmpty, "\(parameter.title) has no name")
      try expect(
        info.minValue.isFinite && info.maxValue.isFinite && info.minValue <= info.maxValue,
        "\(parameter.title) goes from \(info.minValue) to \(info.maxValue)")
      try expect(
        parameter.range.contains(info.defaultValue),
        "the default of \(parameter.title) is \(info.defaultValue), outside of "
          + "\(info.minValue) to \(info.maxValue)")
      try expect(
        parameter.isReadable || parameter.isWritable,
        "\(parameter.title) can neither be read nor set")
      try expect(
        info.unit.rawValue <= AudioUnitParameterUnit.midi2Controller.rawValue,
        "\(parameter.title) has the unit of measure \(info.unit.rawValue), which is unknown")
    }
    return "\(parameters.count) parameters"
  }

  /// A new unit has its default values.
  static func defaults(_ subject: TestedComponent) throws -> String? {
    for parameter in try TestedUnit(subject).someParameters(where: \.isPlain) {
      let value = try parameter.value()
      try expect(
        parameter.equals(value, parameter.info.defaultValue),
        "\(parameter.title) begins with \(value), its default is \(parameter.info.defaultValue)")
    }
    return nil
  }

  /// Values read back as they were set, also while the unit is initialised and afterwards.
  static func readBack(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    let parameters = try tested.someParameters(where: \.isPlain)
    func setAndRead(_ situation: String) throws {
      for parameter in parameters {
        for value in parameter.testValues + [parameter.info.defaultValue] {
          try expect(parameter.set(value), "setting \(parameter.title) to \(value)")
          let actual = try parameter.value()
          try expect(
            parameter.equals(actual, value),
            "\(parameter.title) is \(actual) after it was set to \(value), \(situation)")
        }
      }
    }
    try setAndRead("before the unit is initialised")
    try tested.initialize()
    try setAndRead("initialised")
    for parameter in parameters { _ = parameter.set(parameter.testValues[2]) }
    let before = try tested.plainValues()
    try tested.uninitialize()
    try tested.reset()
    try tested.initialize()
    try expect(
      try tested.plainValues() == before, "parameters change when the unit is initialised again")
    return nil
  }

  /// Values out of range, NaN and infinity do not harm the sound.
  static func limits(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(48_000))
    for parameter in try run.tested.someParameters(where: \.isPlain) {
      let width = max(1, parameter.range.upperBound - parameter.range.lowerBound)
      let beyond: [Float] = [
        parameter.range.lowerBound - width, parameter.range.upperBound + width, .nan, .infinity,
        -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      ]
      for value in beyond {
        // The unit may refuse, limit or keep the value.
        _ = parameter.set(value)
        let actual = try parameter.value()
        try expect(!actual.isNaN, "\(parameter.title) is NaN after it was set to \(value)")
        try run.mustRender(128, "with \(parameter.title) set to \(value)")
      }
      try expect(
        parameter.set(parameter.info.defaultValue), "setting \(parameter.title) to its default")
      let actual = try parameter.value()
      try expect(
        parameter.equals(actual, parameter.info.defaultValue),
        "\(parameter.title) is \(actual) after it was set to its default")
    }
    return nil
  }

  /// A parameter that does not exist can neither be read nor set.
  static func unknown(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    var value: Float = 0
    let refusals = [kAudioUnitErr_InvalidParameter, kAudioUnitErr_InvalidElement]
    try expect(
      AudioUnitGetParameter(tested.unit, 0xFFFF_FFF0, kAudioUnitScope_Global, 0, &value),
      "reading an unknown parameter", isOneOf: refusals)
    try expect(
      AudioUnitSetParameter(tested.unit, 0xFFFF_FFF0, kAudioUnitScope_Global, 0, 1, 0),
      "setting an unknown parameter", isOneOf: refusals)
    return nil
  }

  /// Each step of a parameter with named values has a name, and the text of a value reads back as
  /// the value.
  static func strings(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    var count = 0
    for parameter in try tested.someParameters() {
      // Read as NSArray: a foreign CFArray may not convert to a Swift array.
      if let names = tested.object(
        kAudioUnitProperty_ParameterValueStrings, parameter.scope, parameter.id) as? NSArray
      {
        let steps = Int(parameter.range.upperBound - parameter.range.lowerBound) + 1
        try expect(
          names.count == steps,
          "\(parameter.title) has \(names.count) names for \(steps) values")
        count += 1
      } else {
        try expect(
          !parameter.info.flags.contains(.flag_ValuesHaveStrings)
            || tested.info(
              kAudioUnitProperty_ParameterStringFromValue, parameter.scope, parameter.id) != nil
            || tested.info(kAudioUnitProperty_ParameterStringFromValue, parameter.scope) != nil,
          "\(parameter.title) claims that its values have names, but has none")
      }
      count += try textsRoundTrip(parameter) ? 1 : 0
    }
    if count == 0 { throw Skip("its values have no names") }
    return "\(count) with names"
  }

  private static func textsRoundTrip(_ parameter: TestedParameter) throws -> Bool {
    guard parameter.isPlain else { return false }
    let tested = parameter.tested
    for value in parameter.testValues {
      let text: String? = withUnsafePointer(to: value) { pointer in
        var query = AudioUnitParameterStringFromValue(
          inParamID: parameter.id, inValue: pointer, outString: nil)
        var size = UInt32(MemoryLayout.size(ofValue: query))
        let status = AudioUnitGetProperty(
          tested.unit, kAudioUnitProperty_ParameterStringFromValue, parameter.scope, 0, &query,
          &size)
        return status == noErr
          ? query.outString.map { String(describing: $0.takeRetainedValue()) } : nil
      }
      guard let text else { return false }
      try expect(!text.isEmpty, "the text of \(parameter.title) at \(value) is empty")
      let string = NSString(string: text)
      var query = AudioUnitParameterValueFromString(
        inParamID: parameter.id,
        inString: Unmanaged.passUnretained(string), outValue: 0)
      var size = UInt32(MemoryLayout.size(ofValue: query))
      let status = AudioUnitGetProperty(
        tested.unit, kAudioUnitProperty_ParameterValueFromString, parameter.scope, 0, &query,
        &size)
      guard withExtendedLifetime(string, { status == noErr }) else { return false }
      let tolerance = parameter.isStepped ? 0 : 0.01 * max(abs(value), 1)
      try expect(
        abs(query.outValue - value) <= tolerance,
        "\(parameter.title) shows \(value) as \"\(text)\", but reads that as \(query.outValue)")
    }
    return true
  }

  /// Each clump with parameters has a name.
  static func clumps(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    let parameters = try tested.someParameters { $0.info.flags.contains(.flag_HasClump) }
    for parameter in parameters {
      var query = AudioUnitParameterIDName()
      query.inID = parameter.info.clumpID
      query.inDesiredLength = Int32(kAudioUnitParameterName_Full)
      var size = UInt32(MemoryLayout.size(ofValue: query))
      let status = AudioUnitGetProperty(
        tested.unit, kAudioUnitProperty_ParameterClumpName, parameter.scope,
        parameter.info.clumpID, &query, &size)
      try expect(status, "reading the name of clump \(parameter.info.clumpID)")
      let name = query.outName.map { String(describing: $0.takeRetainedValue()) } ?? ""
      try expect(!name.isEmpty, "clump \(parameter.info.clumpID) of \(parameter.title) has no name")
    }
    return "\(Set(parameters.map(\.info.clumpID)).count) clumps"
  }
}
