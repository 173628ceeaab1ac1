// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Formats, sample rates and channel counts.
enum FormatChecks {
  /// The unit renders with the channel counts that it declares, and refuses all others.
  static func channels(_ subject: TestedComponent) throws -> String? {
    let probe = try TestedUnit(subject)
    guard [.effect, .generator].contains(probe.kind) else {
      throw Skip("its buses have different formats")
    }
    let hasInput = probe.kind == .effect
    let rules = probe.channelRules
    var accepted: [String] = []
    // Those that it declares, too, up to a limit: a unit may have just one.
    let declared = (rules ?? []).flatMap { [Int($0.inChannels), Int($0.outChannels)] }
    let usual = subject.choice([1, 2, 3, 6, 8], all: Array(1...16))
    let counts = Set(usual + declared.filter { (1...64).contains($0) }).sorted()
    for input in hasInput ? counts : [0] {
      for output in counts {
        let isAllowed = allows(rules, input, output, hasInput)
        let tested = try TestedUnit(subject)
        let isAccepted = accepts(tested, input, output)
        try expect(
          isAccepted == isAllowed,
          "\(input) channels in and \(output) out are \(isAccepted ? "accepted" : "refused"), but "
            + (rules == nil
              ? "a unit without SupportedNumChannels has as many output as input channels"
              : "SupportedNumChannels says otherwise"))
        guard isAccepted else { continue }
        try tested.uninitialize()
        let run = try RenderRun(subject, signal: TestSignal.noise(1_024)) { unit in
          try setChannels(unit, input, output)
        }
        try run.mustRender(256, "\(input) channels in, \(output) out")
        accepted.append(hasInput ? "\(input)-\(output)" : "\(output)")
      }
    }
    try expect(!accepted.isEmpty, "no number of channels is accepted")
    return accepted.count <= 8 ? accepted.joined(separator: ", ") : "\(accepted.count) pairs"
  }

  private static func setChannels(_ unit: TestedUnit, _ input: Int, _ output: Int) throws {
    for (scope, count) in [(kAudioUnitScope_Input, input), (kAudioUnitScope_Output, output)]
    where count > 0 {
      try expect(
        unit.set(kAudioUnitProperty_StreamFormat, floatFormat(48_000, count), scope),
        "setting \(count) channels")
    }
  }

  private static func accepts(_ unit: TestedUnit, _ input: Int, _ output: Int) -> Bool {
    guard (try? setChannels(unit, input, output)) != nil else { return false }
    return AudioUnitInitialize(unit.unit) == noErr
  }

  private static func allows(
    _ rules: [AUChannelInfo]?, _ input: Int, _ output: Int, _ hasInput: Bool
  ) -> Bool {
    guard let rules else { return !hasInput || input == output }
    return rules.contains { rule in
      let (inputRule, outputRule) = (Int(rule.inChannels), Int(rule.outChannels))
      if inputRule == -1, outputRule == -1 { return !hasInput || input == output }
      // Below -2, a rule is the negated maximum of the channels of all buses.
      func matches(_ rule: Int, _ count: Int) -> Bool {
        rule >= 0 ? rule == count : rule >= -2 || count <= -rule
      }
      return (!hasInput || matches(inputRule, input)) && matches(outputRule, output)
    }
  }

  /// Rates from 8 to 192 kHz, and one that no device has.
  static func rates(_ subject: TestedComponent) throws -> String? {
    let rates = subject.choice(
      [8_000, 44_100, 48_000, 192_000],
      all: [
        8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400,
        192_000, 12_345.678,
      ])
    for rate in rates {
      let run = try RenderRun(subject, signal: TestSignal.noise(4_096)) { unit in
        for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
          for bus in 0..<unit.busCount(scope) {
            let count = unit.format(scope, bus)?.mChannelsPerFrame ?? 2
            try expect(
              unit.set(
                kAudioUnitProperty_StreamFormat, floatFormat(rate, Int(count)), scope,
                AudioUnitElement(bus)), "setting \(rate) Hz on \(scopeName(scope)) bus \(bus)")
            let actual = unit.format(scope, bus)?.mSampleRate ?? 0
            try expect(actual == rate, "the rate is \(actual) Hz after \(rate) Hz were set")
          }
        }
      }
      for frames in [512, 37, 4_096] {
        try run.mustRender(frames, "\(frames) frames at \(rate) Hz")
      }
    }
    return "\(rates.count) rates"
  }

  /// Inconsistent formats are refused and change nothing.
  static func nonsense(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    let scope = kAudioUnitScope_Output
    guard let before = tested.format(scope) else { throw Fault("output bus 0 has no StreamFormat") }
    func changed(
      _ change: (inout AudioStreamBasicDescription) -> Void
    ) -> AudioStreamBasicDescription {
      var format = floatFormat(48_000, Int(before.mChannelsPerFrame))
      change(&format)
      return format
    }
    let formats: [(String, AudioStreamBasicDescription)] = [
      ("0 Hz", changed { $0.mSampleRate = 0 }), ("-48000 Hz", changed { $0.mSampleRate = -48_000 }),
      ("NaN Hz", changed { $0.mSampleRate = .nan }),
      ("infinite Hz", changed { $0.mSampleRate = .infinity }),
      ("no channels", changed { $0.mChannelsPerFrame = 0 }),
      ("4 billion channels", changed { $0.mChannelsPerFrame = .max }),
      ("an unknown format", changed { $0.mFormatID = 0x3F3F_3F3F }),
      (
        "no bytes in a frame",
        changed {
          $0.mBytesPerFrame = 0; $0.mBytesPerPacket = 0
        }
      ),
      ("31 bits", changed { $0.mBitsPerChannel = 31 }),
    ]
    for (what, format) in formats {
      let status = tested.set(kAudioUnitProperty_StreamFormat, format, scope)
      try expect(status != noErr, "a format with \(what) is accepted")
      guard let after = tested.format(scope) else { throw Fault("no format after \(what)") }
      try expect(
        after.mSampleRate == before.mSampleRate
          && after.mChannelsPerFrame == before.mChannelsPerFrame
          && after.mFormatID == before.mFormatID && after.mBytesPerFrame == before.mBytesPerFrame,
        "a format with \(what) is refused, but changes the previous one")
    }
    return "\(formats.count) formats"
  }

  /// The format of an initialised unit cannot change.
  static func fixed(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject)
    guard run.tested.subject.description.componentType != kAudioUnitType_Output else {
      throw Skip("output units may change their formats")
    }
    let before = run.sampleRate
    let status = run.tested.set(
      kAudioUnitProperty_StreamFormat, floatFormat(before * 2, run.channelCount),
      kAudioUnitScope_Output)
    try expect(
      status, "setting the rate of an initialised unit",
      isOneOf: [kAudioUnitErr_Initialized, kAudioUnitErr_PropertyNotWritable])
    try expect(
      run.tested.format(kAudioUnitScope_Output)?.mSampleRate == before,
      "the rate changed although it could not be set")
    try run.mustRender(256)
    return nil
  }
}
