// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

/// The formats that each unit accepts, one unit at a time: its properties must agree with its
/// behavior.
@Suite("Formats of every built-in unit")
struct FormatRequirementTests {
  /// Input and output channel counts; each is set on all buses of a scope.
  private static let counts: [UInt32] = [1, 2, 3, 6]

  /// Without I/O units, which have the channels of their device.
  private static let units = BuiltIn.rendering

  private func elements(_ instance: Instance, _ scope: AudioUnitScope) -> UInt32 {
    var count: UInt32 = 0
    #expect(instance.get(kAudioUnitProperty_ElementCount, into: &count, scope) == noErr)
    return count
  }

  /// Sets the channel counts on every bus and initializes; returns the first failure.
  private func initialize(_ unit: BuiltIn, _ input: UInt32, _ output: UInt32) throws -> OSStatus {
    let instance = try unit.instance()
    for (scope, channels) in [(kAudioUnitScope_Output, output), (kAudioUnitScope_Input, input)] {
      for element in 0..<elements(instance, scope) {
        let format = stereoFormat(44_100, channels: channels)
        let status = instance.set(kAudioUnitProperty_StreamFormat, format, scope, element)
        guard status == noErr else { return status }
      }
    }
    return AudioUnitInitialize(instance.unit)
  }

  /// Whether an entry of the list allows the counts; without a list, input and output must have
  /// equal counts.
  private func allows(
    _ list: [AUChannelInfo], _ input: UInt32, _ output: UInt32, _ inputs: UInt32, _ outputs: UInt32
  ) -> Bool {
    func matches(_ rule: Int16, _ channels: UInt32, _ count: UInt32) -> Bool {
      switch rule {
      case 0: count == 0
      case -1, -2: true
      case ..<(-2): channels * count <= UInt32(-Int(rule))
      default: Int(rule) == Int(channels)
      }
    }
    guard !list.isEmpty else { return inputs == 0 || outputs == 0 || input == output }
    return list.contains { info in
      guard info.inChannels != -1 || info.outChannels != -1 else {
        return inputs == 0 || outputs == 0 || input == output
      }
      return matches(info.inChannels, input, inputs) && matches(info.outChannels, output, outputs)
    }
  }

  @Test("match its channel list, and others are refused with a reason", arguments: units)
  func channels(unit: BuiltIn) throws {
    let instance = try unit.instance()
    let list = instance.array(
      kAudioUnitProperty_SupportedNumChannels, of: AUChannelInfo.self, kAudioUnitScope_Global)
    let inputs = elements(instance, kAudioUnitScope_Input)
    let outputs = elements(instance, kAudioUnitScope_Output)
    var accepted = 0
    for input in Self.counts {
      for output in Self.counts {
        let status = try initialize(unit, input, output)
        guard status != noErr else {
          accepted += 1
          #expect(
            allows(list, input, output, inputs, outputs), "\(input) in and \(output) out work")
          continue
        }
        #expect(status == kAudioUnitErr_FormatNotSupported, "\(input) in, \(output) out")
        let reason = AUDiagnosticsCopyLastExplanation().map { "\($0.takeRetainedValue())" } ?? ""
        #expect(reason.contains("channels"), "\(input) in, \(output) out: \(reason)")
      }
    }
    #expect(accepted > 0)
  }

  @Test("are refused if they are invalid", arguments: units)
  func nonsense(unit: BuiltIn) throws {
    let instance = try unit.instance()
    var formats: [AudioStreamBasicDescription] = []
    for change in [
      { $0.mFormatID = 0x61616320 }, { $0.mSampleRate = -1 }, { $0.mSampleRate = .nan },
      { $0.mChannelsPerFrame = 0 }, { $0.mBitsPerChannel = 31 }, { $0.mBytesPerFrame = 3 },
    ] as [(inout AudioStreamBasicDescription) -> Void] {
      var format = stereoFormat(44_100)
      change(&format)
      formats.append(format)
    }
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] where elements(instance, scope) > 0
    {
      for format in formats {
        #expect(
          instance.set(kAudioUnitProperty_StreamFormat, format, scope)
            == kAudioUnitErr_FormatNotSupported, "scope \(scope): \(format)")
      }
    }
  }

  @Test("of AUiPodEQ are set on both sides, and must have equal channel counts")
  func listenerEqualizer() throws {
    let equalizer = BuiltIn(
      type: kAudioUnitType_Effect, subType: kAudioUnitSubType_AUiPodEQ,
      manufacturer: kAudioUnitManufacturer_Apple, name: "")
    for (input, output) in [(1, 2), (2, 1)] as [(UInt32, UInt32)] {
      #expect(try initialize(equalizer, input, output) == -10868)
    }
    let instance = try equalizer.instance()
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      #expect(
        instance.set(kAudioUnitProperty_StreamFormat, stereoFormat(32_000, channels: 1), scope)
          == noErr)
    }
    let ones: AURenderCallback = { _, _, _, _, _, data in
      guard let buffers = UnsafeMutableAudioBufferListPointer(data) else {
        return kAudio_ParamError
      }
      for buffer in buffers { UnsafeMutableBufferPointer<Float>(buffer).update(repeating: 0.5) }
      return noErr
    }
    #expect(instance.feed(ones, NSObject()) == noErr)
    #expect(AudioUnitInitialize(instance.unit) == noErr)
    let rendered = try instance.render(512, at: 0, channels: 1)
    #expect(rendered[0].contains { $0.magnitude > 0.1 })
  }
}
