// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

@Suite("Parameters")
struct ParameterTests {
  private static let (global, input, output) = (
    kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output
  )

  /// Parameter, scope, element, value and expected status of setting it. After success, reading
  /// returns the same value.
  @Test(
    "that do not exist are refused, and so are NaN and infinity",
    arguments: [
      (0, global, 0, 0.5, noErr), (0, global, 0, -7, noErr), (0, global, 0, 1e30, noErr),
      (1, global, 0, 0.5, kAudioUnitErr_InvalidParameter),
      (20, global, 0, 0.5, kAudioUnitErr_InvalidParameter),
      (.max, global, 0, 0.5, kAudioUnitErr_InvalidParameter),
      (0, output, 0, 0.5, kAudioUnitErr_InvalidParameter),
      (0, input, 0, 0.5, kAudioUnitErr_InvalidElement),
      (0, global, 1, 0.5, kAudioUnitErr_InvalidElement),
      (0, output, .max, 0.5, kAudioUnitErr_InvalidElement),
      (0, kAudioUnitScope_Group, 0, 0.5, kAudioUnitErr_InvalidScope),
      (0, .max, 0, 0.5, kAudioUnitErr_InvalidScope),
      (0, global, 0, .nan, kAudioUnitErr_InvalidParameterValue),
      (0, global, 0, .infinity, kAudioUnitErr_InvalidParameterValue),
      (0, global, 0, -.infinity, kAudioUnitErr_InvalidParameterValue),
    ] as [(AudioUnitParameterID, AudioUnitScope, AudioUnitElement, Float, OSStatus)])
  func errors(
    id: AudioUnitParameterID, scope: AudioUnitScope, element: AudioUnitElement, value: Float,
    expected: OSStatus
  ) throws {
    for isInitialized in [false, true] {
      let host = try Host(.values)
      if isInitialized { #expect(host.initialize() == noErr) }
      #expect(host.setParameter(id, value, scope, element) == expected)
      #expect(host.setParameter(id, value, scope, element, at: 5) == expected)
      #expect(host.schedule(.immediate(id, value, at: 0, scope, element)) == expected)
      if expected == noErr { #expect(try host.parameter(id, scope, element) == value) }
    }
  }

  @Test("are read back unchanged, and limited to their ranges for the kernel")
  func beyondRange() throws {
    let host = try Host(.values)
    #expect(host.setParameter(7, 1e30) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(2)[1] == [100, 100])
    #expect(try host.parameter(7) == 1e30)
    #expect(host.setParameter(7, -3e38) == noErr)
    #expect(host.render(2, at: 2)[1] == [0, 0])
    #expect(try host.parameter(7) == -3e38)
  }

  @Test("are limited by the sample rate of the output", arguments: [8_000, 44_100, 400_000])
  func beyondHalfSampleRate(rate: Double) throws {
    let host = try Host(.values)
    #expect(host.setParameter(9, 99_999) == noErr)
    for rate in [22_050, rate] {
      #expect(host.setFormat(kAudioUnitScope_Output, rate: rate, channels: 3) == noErr)
      #expect(host.initialize() == noErr)
      #expect(host.render(1, channels: 3)[2] == [Float(min(rate / 2, 99_999))])
      #expect(host.uninitialize() == noErr)
    }
  }

  @Test("that are read only can be read")
  func readOnly() throws {
    let host = try Host(.values)
    #expect(host.initialize() == noErr)
    _ = host.render(100)
    #expect(try host.parameter(20) == 100)
  }

  @Test("a null result is an argument error")
  func null() throws {
    let host = try Host(.values)
    let null = fromBits(0, UnsafeMutablePointer<Float>.self)
    #expect(AudioUnitGetParameter(host.unit, 0, 0, 0, null) == kAudio_ParamError)
    let events = fromBits(0, UnsafePointer<AudioUnitParameterEvent>.self)
    #expect(AudioUnitScheduleParameters(host.unit, events, 1) == kAudio_ParamError)
    #expect(AudioUnitScheduleParameters(host.unit, events, 0) == noErr)
  }

  @Test("of one element are independent of those of others")
  func elements() throws {
    let host = try Host(.sums)
    #expect(host.setParameter(0, 0.25, kAudioUnitScope_Input, 1) == noErr)
    #expect(host.setParameter(1, 0.75, kAudioUnitScope_Output, 0) == noErr)
    let values = try [(0, 1, 0), (0, 1, 1), (1, 2, 0), (1, 2, 1)].map {
      try host.parameter(UInt32($0.0), UInt32($0.1), UInt32($0.2))
    }
    #expect(values == [1, 0.25, 0.75, 1])
    #expect(host.setParameter(1, 0, kAudioUnitScope_Input, 1) == kAudioUnitErr_InvalidParameter)
  }

  @Test("are listed on their scope, in their order")
  func list() throws {
    let host = try Host(.values)
    typealias Five = (UInt32, UInt32, UInt32, UInt32, UInt32)
    let ids = try host.get(kAudioUnitProperty_ParameterList, as: Five.self)
    #expect(ids == (0, 3, 7, 9, 20))
    let lists = try [Self.global, Self.input, Self.output].map {
      try Host(.sums).info(kAudioUnitProperty_ParameterList, $0).size
    }
    #expect(lists == [0, 4, 4])
  }

  @Test("report name, unit, range, default and flags")
  func info() throws {
    let host = try Host(.values)
    let info = try host.get(
      kAudioUnitProperty_ParameterInfo, as: AudioUnitParameterInfo.self, Self.global, 0)
    #expect(info.cfNameString?.takeRetainedValue() == "level")
    #expect(info.unit == .linearGain)
    #expect((info.minValue, info.maxValue, info.defaultValue) == (0, 1, 0.5))
    #expect(
      info.flags == [
        .flag_IsReadable, .flag_IsWritable, .flag_HasCFNameString, .flag_CFNameRelease,
        .flag_CanRamp,
      ])
    let meter = try host.get(
      kAudioUnitProperty_ParameterInfo, as: AudioUnitParameterInfo.self, Self.global, 20)
    #expect(meter.flags.contains(.flag_MeterReadOnly) && !meter.flags.contains(.flag_IsWritable))
    #expect(
      host.statusOfGetting(kAudioUnitProperty_ParameterInfo, Self.global, 1)
        == kAudioUnitErr_InvalidParameter)
  }

  @Test("that are limited to half the sample rate end there", arguments: [8_000, 44_100, 400_000])
  func halfSampleRate(rate: Double) throws {
    let host = try Host(.values)
    #expect(host.setFormat(kAudioUnitScope_Output, rate: rate) == noErr)
    let info = try host.get(
      kAudioUnitProperty_ParameterInfo, as: AudioUnitParameterInfo.self, Self.global, 9)
    #expect(info.maxValue == Float(min(rate / 2, 100_000)))
    #expect(info.defaultValue == min(30_000, info.maxValue))
  }

  @Test("whose values have names report them, and find values by name")
  func valueNames() throws {
    let host = try Host(.values)
    let names = try host.get(
      kAudioUnitProperty_ParameterValueStrings, as: Unmanaged<CFArray>.self, Self.global, 3)
    #expect(names.takeRetainedValue() as? [String] == ["First", "Second", "Third"])
    #expect(
      host.statusOfGetting(kAudioUnitProperty_ParameterValueStrings, Self.global, 0)
        == kAudioUnitErr_PropertyNotInUse)
    #expect(try text(of: 3, host) == "Third")
    for nameless in [0.4, 3.6, -1e30, .infinity, .nan] as [Float] {
      #expect(try text(of: nameless, host) == nil, "\(nameless)")
    }
    #expect(try text(of: nil, host) == "Second", "the current value")
    #expect(try value(of: "Third", host) == 3)
    #expect(try value(of: "1", host) == 1)
    for wrong in ["Fourth", "9", ""] {
      #expect(throws: Failure(status: kAudioUnitErr_InvalidPropertyValue)) {
        try value(of: wrong, host)
      }
    }
  }

  /// The name of a value of the choice; nil queries that of the current value.
  private func text(of value: Float?, _ host: Host) throws -> String? {
    try withUnsafeTemporaryAllocation(of: Float.self, capacity: 1) { memory in
      let place = try #require(memory.baseAddress)
      place.initialize(to: value ?? 0)
      var query = AudioUnitParameterStringFromValue(
        inParamID: 3,
        inValue: value == nil
          ? fromBits(0, UnsafePointer<Float>.self) : UnsafePointer(place),
        outString: nil)
      var size = UInt32(MemoryLayout.size(ofValue: query))
      #expect(
        AudioUnitGetProperty(
          host.unit, kAudioUnitProperty_ParameterStringFromValue, Self.global, 0, &query, &size)
          == noErr)
      return query.outString?.takeRetainedValue().description
    }
  }

  @discardableResult
  private func value(of text: String, _ host: Host) throws -> Float {
    let string = NSString(string: text)
    var query = AudioUnitParameterValueFromString(
      inParamID: 3, inString: Unmanaged.passUnretained(string), outValue: -1)
    var size = UInt32(MemoryLayout.size(ofValue: query))
    let status = AudioUnitGetProperty(
      host.unit, kAudioUnitProperty_ParameterValueFromString, Self.global, 0, &query, &size)
    guard status == noErr else { throw Failure(status: status) }
    return withExtendedLifetime(string) { query.outValue }
  }

  @Test(
    "have short names",
    arguments: [
      (-1, "rendered frames"), (0, "rendered frames"), (8, "rendered"), (99, "rendered frames"),
    ])
  func shortName(length: Int32, expected: String) throws {
    let host = try Host(.values)
    var query = AudioUnitParameterIDName(inID: 20, inDesiredLength: length, outName: nil)
    var size = UInt32(MemoryLayout.size(ofValue: query))
    let status = AudioUnitGetProperty(
      host.unit, kAudioUnitProperty_ParameterIDName, Self.global, 0, &query, &size)
    #expect(status == noErr)
    #expect(query.outName?.takeRetainedValue().description == expected)
    size = 8
    #expect(
      AudioUnitGetProperty(
        host.unit, kAudioUnitProperty_ParameterIDName, Self.global, 0, &query, &size)
        == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test("of the overview are the writable global ones, as many as the caller's size allows")
  func overview() throws {
    let host = try Host(.values)
    let id = kAudioUnitProperty_ParametersForOverview
    #expect(try host.info(id).size == 4 * 24)
    typealias Two = (AudioUnitParameter, AudioUnitParameter)
    let memory = UnsafeMutablePointer<Two>.allocate(capacity: 1)
    defer { memory.deallocate() }
    var size = UInt32(MemoryLayout<Two>.size)
    #expect(AudioUnitGetProperty(host.unit, id, Self.global, 0, memory, &size) == noErr)
    #expect(memory.pointee.0.mAudioUnit == host.unit)
    #expect((memory.pointee.0.mParameterID, memory.pointee.1.mParameterID) == (0, 3))
  }

  @Test("can be set and read from many threads while the unit renders")
  func manyThreads() async throws {
    let host = try Host(.values)
    #expect(host.initialize() == noErr)
    await withTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          for index in 0..<5_000 {
            let value = Float((thread + index) % 3) / 2
            _ = host.setParameter(0, value, at: UInt32(index % 64))
            _ = host.schedule(.ramp(0, from: 0, to: value, at: Int32(index % 64), frames: 40))
            let read = (try? host.parameter(0)) ?? -1
            #expect((0...1).contains(read))
          }
        }
      }
      group.addTask {
        for index in 0..<500 {
          let rendered = host.render(64, at: Double(index) * 64)
          #expect(rendered.status == noErr)
          #expect(rendered[0].allSatisfy { $0 >= 0 && $0 <= 1 })
        }
      }
    }
  }
}
