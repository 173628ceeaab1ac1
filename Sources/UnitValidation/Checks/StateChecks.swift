// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Saved states and presets.
enum StateChecks {
  private static let id = kAudioUnitProperty_ClassInfo

  static func state(of tested: TestedUnit) throws -> [String: Any] {
    guard let object = tested.object(id) else { throw Fault("ClassInfo cannot be read") }
    guard let state = object as? [String: Any] else { throw Fault("ClassInfo is no dictionary") }
    return state
  }

  /// A saved state contains the codes of its component.
  static func keys(_ subject: TestedComponent) throws -> String? {
    let state = try state(of: TestedUnit(subject))
    let numbers: [(String, UInt32)] = [
      (kAUPresetTypeKey, subject.description.componentType),
      (kAUPresetSubtypeKey, subject.description.componentSubType),
      (kAUPresetManufacturerKey, subject.description.componentManufacturer),
    ]
    for (key, code) in numbers {
      guard let number = state[key] as? NSNumber else { throw Fault("ClassInfo has no \"\(key)\"") }
      try expect(
        UInt32(truncatingIfNeeded: number.int64Value) == code,
        "\"\(key)\" of ClassInfo is \(number), the component's is \(code)")
    }
    try expect(state[kAUPresetVersionKey] is NSNumber, "ClassInfo has no \"version\"")
    try expect(state[kAUPresetNameKey] is NSString, "ClassInfo has no \"name\"")
    return nil
  }

  /// A state restores all parameters, in the instance that saved it and in another, even after it
  /// was written to and read from a property list.
  static func restores(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    var generator = SeededGenerator(3)
    for parameter in try tested.parameters() where parameter.isPlain {
      let value = generator.next(in: parameter.range)
      _ = parameter.set(parameter.isStepped ? value.rounded() : value)
    }
    let values = try tested.plainValues()
    let saved = try state(of: tested)
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: saved, format: .binary, options: 0)
    let read = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    for parameter in try tested.parameters() where parameter.isPlain {
      _ = parameter.set(parameter.info.defaultValue)
    }
    let other = try TestedUnit(subject)
    try other.initialize()
    for (unit, whose) in [(tested, "the instance that saved it"), (other, "another instance")] {
      try expect(
        unit.set(id, object: read as AnyObject), "setting ClassInfo of \(whose)")
      let restored = try unit.plainValues()
      for (parameter, pair) in zip(
        try unit.parameters().filter(\.isPlain), zip(restored, values))
      where !parameter.info.flags.contains(.flag_OmitFromPresets) {
        try expect(
          parameter.equals(pair.0, pair.1),
          "\(parameter.title) is \(pair.0) after the state with \(pair.1) was set in \(whose)")
      }
      try expect(
        try state(of: unit)[kAUPresetDataKey] as? NSData == saved[kAUPresetDataKey] as? NSData,
        "\(whose) saves a different state than the one that was set")
    }
    return "\(values.count) parameters, \(bytes.count) bytes"
  }

  /// A damaged state is refused, or leaves parameters within their ranges.
  static func damaged(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    let whole = try state(of: tested)
    var variants: [[String: Any]] = whole.keys.map { key in whole.filter { $0.key != key } }
    variants += whole.keys.map { whole.merging([$0: "text"]) { $1 } }
    variants += whole.keys.map { whole.merging([$0: NSNumber(value: -7)]) { $1 } }
    variants += whole.keys.map { whole.merging([$0: [NSNumber(value: 1)]]) { $1 } }
    var generator = SeededGenerator(4)
    if let data = whole[kAUPresetDataKey] as? Data {
      let lengths = subject.choice(
        [0, 1, data.count / 2, max(0, data.count - 1)],
        all: Array(0..<data.count))
      variants += lengths.map { whole.merging([kAUPresetDataKey: data.prefix($0)]) { $1 } }
      variants += [whole.merging([kAUPresetDataKey: data + data]) { $1 }]
      variants += (0..<subject.choice([40], all: [1_000])[0]).map { _ in
        var mutated = data
        for _ in 0...generator.next(in: 0..<4) where !data.isEmpty {
          mutated[mutated.startIndex + generator.next(in: 0..<data.count)] =
            [0x00, 0x7F, 0x80, 0xFF, UInt8(generator.next(in: 0..<256))][generator.next(in: 0..<5)]
        }
        return whole.merging([kAUPresetDataKey: mutated]) { $1 }
      }
    }
    let run = try? RenderRun(subject, signal: TestSignal.noise(4_096))
    for (number, variant) in variants.enumerated() {
      _ = tested.set(id, object: variant as NSDictionary)
      try expectNumbers(tested, "after damaged state \(number)")
      // Units that play to a device cannot be rendered here.
      guard let run else { continue }
      _ = run.tested.set(id, object: variant as NSDictionary)
      if run.render(64) == noErr {
        for channel in 0..<run.channelCount {
          try expect(
            run.samples(channel).allSatisfy(\.isFinite),
            "after damaged state \(number) the output is not finite")
        }
      }
    }
    _ = tested.set(id, object: "no dictionary" as NSString)
    try expect(
      tested.set(id, object: whole as NSDictionary), "setting a whole state after damaged ones")
    let saved = try state(of: tested)[kAUPresetDataKey] as? NSData
    try expect(
      saved == whole[kAUPresetDataKey] as? NSData,
      "the saved state differs from the intact one that was set after damaged ones")
    return "\(variants.count) damaged states"
  }

  private static func expectNumbers(_ tested: TestedUnit, _ situation: String) throws {
    for parameter in try tested.parameters() where parameter.isReadable {
      let value = try parameter.value()
      try expect(!value.isNaN, "\(parameter.title) is NaN, \(situation)")
    }
  }

  /// A state of another component is refused.
  static func foreign(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    let code = NSNumber(value: Int32(bitPattern: 0x6E6F_6E65))
    let foreign = try state(of: tested).merging([kAUPresetSubtypeKey: code]) { $1 }
    let before = try tested.plainValues()
    try expect(
      tested.set(id, object: foreign as NSDictionary) != noErr,
      "a state of another component is accepted")
    try expect(try tested.plainValues() == before, "a state that was refused changed parameters")
    return nil
  }

  /// Factory presets can be chosen, and PresentPreset then reports the choice.
  static func presets(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    var object: Unmanaged<CFArray>?
    var size = UInt32(MemoryLayout<UnsafeRawPointer>.size)
    guard
      AudioUnitGetProperty(
        tested.unit, kAudioUnitProperty_FactoryPresets, kAudioUnitScope_Global, 0, &object, &size)
        == noErr, let array = object?.takeRetainedValue()
    else { throw Skip("it has no factory presets") }
    let count = CFArrayGetCount(array)
    try withExtendedLifetime(array) {
      for index in 0..<count {
        guard let address = CFArrayGetValueAtIndex(array, index) else {
          throw Fault("factory preset \(index) is null")
        }
        let preset = address.assumingMemoryBound(to: AUPreset.self).pointee
        try choose(preset, tested)
      }
    }
    return "\(count) presets"
  }

  private static func choose(_ preset: AUPreset, _ tested: TestedUnit) throws {
    let name = preset.presetName.map { String(describing: $0.takeUnretainedValue()) } ?? ""
    try expect(!name.isEmpty, "factory preset \(preset.presetNumber) has no name")
    try expect(
      tested.set(kAudioUnitProperty_PresentPreset, preset), "choosing preset \"\(name)\"")
    guard let present = tested.property(kAudioUnitProperty_PresentPreset, over: AUPreset()) else {
      throw Fault("PresentPreset cannot be read after \"\(name)\" was chosen")
    }
    let shown = present.presetName.map { String(describing: $0.takeRetainedValue()) } ?? ""
    try expect(
      present.presetNumber == preset.presetNumber && shown == name,
      "PresentPreset is \(present.presetNumber) \"\(shown)\" after "
        + "\(preset.presetNumber) \"\(name)\" was chosen")
    for parameter in try tested.parameters() where parameter.isPlain {
      let value = try parameter.value()
      try expect(
        parameter.range.contains(value), "\(parameter.title) is \(value) with preset \"\(name)\"")
    }
  }
}
