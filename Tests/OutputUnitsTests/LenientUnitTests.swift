// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Testing

/// A property with a scope and element that programs use on other systems.
struct LenientRow: Sendable, CustomTestStringConvertible {
  let name: String
  let id: AudioUnitPropertyID
  let scope: AudioUnitScope
  let element: AudioUnitElement
  /// Sets or reads the property; returns whether that worked.
  let act: @Sendable (HostedUnit, LenientRow) throws -> Bool
  /// The state of the unit at that time.
  var moment = Moment.new

  enum Moment: String { case new, initialized, running }

  var testDescription: String {
    "\(name) at scope \(scope), element \(element), \(moment.rawValue)"
  }

  private static let (global, input, output) = (
    kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output
  )
  private static let everywhere = [
    (global, 0), (global, 1), (input, 0), (input, 1), (output, 0), (output, 1),
  ].map { ($0.0, AudioUnitElement($0.1)) }

  static let all = devices + slices + running + callbacks + maps + switches + layouts + formats

  private static let devices = everywhere.map { scope, element in
    LenientRow(
      name: "CurrentDevice", id: kAudioOutputUnitProperty_CurrentDevice, scope: scope,
      element: element,
      act: { unit, row in
        let device = try unit.get(row.id, as: AudioDeviceID(0), row.scope, row.element)
        try unit.set(row.id, to: device, row.scope, row.element)
        return try device != 0 && unit.get(row.id, as: AudioDeviceID(0)) == device
      })
  }

  private static let slices = everywhere.map { scope, element in
    LenientRow(
      name: "MaximumFramesPerSlice", id: kAudioUnitProperty_MaximumFramesPerSlice, scope: scope,
      element: element,
      act: { unit, row in
        try unit.set(row.id, to: UInt32(777), row.scope, row.element)
        return try unit.get(row.id, as: UInt32(0)) == 777
          && unit.get(row.id, as: UInt32(0), row.scope, row.element) == 777
      })
  }

  private static let running = [AudioUnitElement(0), 1].flatMap { element in
    [
      LenientRow(
        name: "IsRunning", id: kAudioOutputUnitProperty_IsRunning, scope: global, element: element,
        act: { unit, row in try unit.get(row.id, as: UInt32(0), row.scope, row.element) == 1 },
        moment: .running),
      LenientRow(
        name: "AudioUnitReset", id: 0, scope: global, element: element,
        act: { unit, row in AudioUnitReset(unit.handle, row.scope, row.element) == noErr }),
      LenientRow(
        name: "Latency", id: kAudioUnitProperty_Latency, scope: global, element: element,
        act: { unit, row in try unit.get(row.id, as: 9.0, row.scope, row.element) < 1 }),
    ]
  }

  private static let callbacks = [(input, 0), (global, 0), (output, 0)].map { scope, element in
    LenientRow(
      name: "SetRenderCallback", id: kAudioUnitProperty_SetRenderCallback, scope: scope,
      element: AudioUnitElement(element),
      act: { unit, row in
        let callback = HostCallback.playing([[0.5], [0.5]])
        unit.retain(callback)
        try unit.set(row.id, to: callback.callbackStruct, row.scope, row.element)
        try unit.initialize()
        try unit.start()
        return wait { callback.frames > 0 }
      })
  }

  private static let maps = [(global, 0), (output, 0), (input, 0)].map { scope, element in
    LenientRow(
      name: "ChannelMap", id: kAudioOutputUnitProperty_ChannelMap, scope: scope,
      element: AudioUnitElement(element),
      act: { unit, row in
        try check(unit.setArray(row.id, to: [1, 0] as [Int32], row.scope, row.element))
        return try unit.getArray(row.id, of: Int32(9), output, 0) == [1, 0]
          && unit.getArray(row.id, of: Int32(9), row.scope, row.element) == [1, 0]
      })
  }

  private static let switches = [
    (kAudioOutputUnitProperty_EnableIO, input, 1), (kAudioOutputUnitProperty_EnableIO, output, 0),
    (kAudioUnitProperty_ShouldAllocateBuffer, output, 1),
    (kAudioUnitProperty_ShouldAllocateBuffer, input, 0),
  ].map { id, scope, element in
    LenientRow(
      name: id == kAudioOutputUnitProperty_EnableIO ? "EnableIO" : "ShouldAllocateBuffer", id: id,
      scope: scope, element: AudioUnitElement(element),
      act: { unit, row in
        let before = try unit.get(row.id, as: UInt32(9), row.scope, row.element)
        try unit.set(row.id, to: 1 - before, row.scope, row.element)
        return try unit.get(row.id, as: UInt32(9), row.scope, row.element) == 1 - before
      }, moment: .initialized)
  }

  private static let layouts = [(output, 0), (input, 1)].map { scope, element in
    LenientRow(
      name: "AudioChannelLayout", id: kAudioUnitProperty_AudioChannelLayout, scope: scope,
      element: AudioUnitElement(element),
      act: { unit, row in
        // Tag, bitmap, count; then five words for each channel, the label first.
        let words = try unit.getArray(row.id, of: UInt32(0), row.scope, row.element)
        return words.count == 13 && words[0] == kAudioChannelLayoutTag_UseChannelDescriptions
          && words[3] == kAudioChannelLabel_Left && words[8] == kAudioChannelLabel_Right
      })
  }

  private static let formats = [
    ("of floats without the packed flag", kAudioFormatFlagIsFloat, UInt32(32)),
    (
      "that may not be mixed", kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonMixable, 32
    ),
    ("of integers without the packed flag", kAudioFormatFlagIsSignedInteger, 16),
    (
      "with the flag of all clear",
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | kAudioFormatFlagsAreAllClear, 16
    ),
  ].map { name, flags, bits in
    LenientRow(
      name: "StreamFormat \(name)", id: kAudioUnitProperty_StreamFormat, scope: input, element: 0,
      act: { unit, row in
        let bytes = bits / 8 * 2
        try unit.set(
          row.id,
          to: AudioStreamBasicDescription(
            mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
            mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
            mChannelsPerFrame: 2, mBitsPerChannel: bits, mReserved: 0xdead_beef),
          row.scope, row.element)
        return try unit.format().mBitsPerChannel == bits
      })
  }
}

@Suite("Output units accept the properties of programs")
struct LenientUnitTests {
  @Test("in the scopes that these use", arguments: LenientRow.all)
  func row(row: LenientRow) throws {
    try onDevice {
      let unit = try HostedUnit(kAudioUnitSubType_HALOutput)
      if row.moment != .new { try unit.initialize() }
      if row.moment == .running { try unit.start() }
      #expect(try row.act(unit, row))
    }
  }

  @Test("but not while they run, and report them as not writable then")
  func running() throws {
    try onDevice {
      let unit = try HostedUnit()
      try unit.initialize()
      try unit.start()
      for (id, scope, element) in [
        (kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, AudioUnitElement(1)),
        (kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitScope_Output, 1),
        (kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0),
      ] {
        #expect(unit.setting(id, to: UInt32(1), scope, element) == kAudioUnitErr_Initialized)
        var isWritable: DarwinBoolean = true
        try check(AudioUnitGetPropertyInfo(unit.handle, id, scope, element, nil, &isWritable))
        #expect(!isWritable.boolValue)
      }
    }
  }

  @Test("input that is enabled after initializing is captured")
  func lateInput() throws {
    let input = try Tape([noise(4_000), noise(4_000, seed: 2)])
    try onDevice(input: input) {
      let unit = try HostedUnit(kAudioUnitSubType_HALOutput)
      try unit.initialize()
      try unit.enable(input: true, output: false)
      let callback = HostCallback()
      try unit.setInputCallback(callback, element: 1)
      try unit.start()
      #expect(wait { callback.frames > 0 })
      try unit.stop()
    }
  }
}
