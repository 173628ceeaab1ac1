// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@testable import BuiltInUnits

@Suite("Groups of instruments", .enabled(if: InstrumentHost.isAvailable))
struct InstrumentGroupTests {
  private static let group = kAudioUnitScope_Group

  private func status(
    _ unit: AudioUnit, _ id: AudioUnitParameterID, _ value: Float, group: UInt32 = 0
  ) -> OSStatus { AudioUnitSetParameter(unit, id, Self.group, group, value, 0) }

  @Test("have sixteen elements and list their parameters", arguments: InstrumentHost.kinds)
  func list(kind: OSType) throws {
    let unit = try InstrumentHost(kind, initializes: false).host.unit
    #expect(try unit.get(kAudioUnitProperty_ElementCount, as: UInt32(0), Self.group) == 16)
    #expect(
      unit.setting(kAudioUnitProperty_ElementCount, to: UInt32(8), Self.group)
        == kAudioUnitErr_PropertyNotWritable)
    let ids = try unit.getArray(
      kAudioUnitProperty_ParameterList, of: AudioUnitParameterID(0), Self.group, 0)
    #expect(
      ids == [1, 4, 7, 10, 11, 64, 66, 67, 91, 93, 120, 121, 123, 208, 224]
        + Array(1_000...1_007))
    for id in ids {
      let info = try unit.get(
        kAudioUnitProperty_ParameterInfo, as: AudioUnitParameterInfo(), Self.group, id)
      #expect(info.unit == .midiController)
      #expect(info.flags.contains(.flag_IsWritable) && !info.flags.contains(.flag_CanRamp))
      #expect(info.flags.contains(.flag_IsReadable) == ![120, 121, 123].contains(id))
      #expect(info.minValue == (id == 224 ? -8_192 : 0))
      #expect(info.maxValue == (id == 224 ? 8_191 : 127))
      var value = Float.nan
      #expect(AudioUnitGetParameter(unit.handle, id, Self.group, 15, &value) == noErr)
      #expect(value == info.defaultValue)
      info.cfNameString.map { $0.release() }
    }
  }

  @Test("refuse groups, parameters and values that do not exist", arguments: InstrumentHost.kinds)
  func refusals(kind: OSType) throws {
    let synth = try InstrumentHost(kind)
    let unit = synth.unit
    #expect(status(unit, 7, 1, group: 16) == kAudioUnitErr_InvalidElement)
    #expect(status(unit, 2, 1) == kAudioUnitErr_InvalidParameter)
    #expect(status(unit, 1_008, 1) == kAudioUnitErr_InvalidParameter)
    for value in [Float.nan, .infinity, -.infinity] {
      #expect(status(unit, 7, value) == kAudioUnitErr_InvalidParameterValue)
    }
    var value: Float = 0
    #expect(AudioUnitGetParameter(unit, 7, Self.group, 16, &value) == kAudioUnitErr_InvalidElement)
    #expect(AudioUnitGetParameter(unit, 9, Self.group, 0, &value) == kAudioUnitErr_InvalidParameter)
    #expect(AudioUnitGetParameter(unit, 7, Self.group, 0, &value) == noErr && value == 100)
    var event = AudioUnitParameterEvent()
    (event.scope, event.parameter, event.eventType) = (Self.group, 7, .parameterEvent_Ramped)
    #expect(AudioUnitScheduleParameters(unit, &event, 1) == kAudio_ParamError)
    withExtendedLifetime(synth) {}
  }

  @Test("values are those of MIDI, whole and within the range", arguments: InstrumentHost.kinds)
  func values(kind: OSType) throws {
    let synth = try InstrumentHost(kind)
    for (id, set, expected) in [
      (7, 63.6, 64), (10, 1e9, 127), (11, -3, 0), (224, -9_000, -8_192), (208, 5, 5),
      (1_007, 99, 99),
    ] as [(AudioUnitParameterID, Float, Float)] {
      try synth.host.set(id, set, Self.group, 3)
      #expect(try synth.host.value(id, Self.group, 3) == expected)
    }
    #expect(try synth.host.value(7, Self.group, 2) == 100, "of another group")
  }

  @Test("MIDI moves them, and its resets too", arguments: InstrumentHost.kinds)
  func midi(kind: OSType) throws {
    let synth = try InstrumentHost(kind)
    func value(_ id: AudioUnitParameterID) throws -> Float {
      try synth.host.value(id, Self.group, 5)
    }
    try synth.send(0xb5, 7, 20)
    try synth.send(0xb5, 1, 30)
    try synth.send(0xb5, 83, 40)
    try synth.send(0xd5, 50)
    try synth.send(0xe5, 1, 0)
    #expect(try value(7) == 20 && value(1) == 30 && value(1_007) == 40)
    #expect(try value(208) == 50 && value(224) == -8_191)
    _ = try synth.render(64)
    #expect(try value(7) == 20)
    try synth.host.set(121, 0, Self.group, 5)
    #expect(try value(7) == 20 && value(1) == 0 && value(208) == 0 && value(224) == 0)
    try synth.send(0xff)
    #expect(try value(7) == 100 && value(1_007) == 0)
  }

  @Test("a parameter sounds like the controller, in slices of any size", arguments: [64, 512, 37])
  func sound(slice: Int) throws {
    func level(_ change: (InstrumentHost) throws -> Void) throws -> [Double] {
      let synth = try InstrumentHost()
      try synth.chooseOrgan()
      try synth.send(0x90, 60, 100)
      _ = try synth.render(4_800, slices: [slice])
      try change(synth)
      return try synth.render(9_600, slices: [slice]).samples
    }
    let midi = try level { try $0.send(0xb0, 7, 30) }
    let parameter = try level { try $0.host.set(7, 30, Self.group, 0) }
    let scheduled = try level { try $0.host.schedule(7, to: 30, at: 0, Self.group) }
    let unchanged = try level { _ in }
    #expect(parameter == midi && scheduled == midi)
    #expect(areAlike(midi, unchanged) == false)
    let bent = try level { try $0.host.set(224, 8_191, Self.group, 0) }
    let bentByMIDI = try level { try $0.send(0xe0, 127, 127) }
    #expect(bent == bentByMIDI && areAlike(bent, unchanged) == false)
  }

  @Test("what is set before a unit is initialised sounds from its beginning")
  func before() throws {
    func play(_ set: (InstrumentHost) throws -> Void) throws -> Double {
      let synth = try InstrumentHost(initializes: false)
      try set(synth)
      try synth.host.initialize()
      try synth.chooseOrgan()
      try synth.send(0x90, 60, 100)
      return try synth.render(9_600).samples.map(abs).max() ?? 0
    }
    let silent = try play { try $0.host.set(7, 0, Self.group, 0) }
    let full = try play { _ in }
    #expect(silent < 1e-4 && full > 0.01)
  }

  // MARK: Output buses

  /// Renders two buses together; returns the left channel of each.
  private final class TwoBuses {
    let synth: InstrumentHost
    private var time = 0.0

    init(_ kind: OSType = kAudioUnitSubType_DLSSynth, rate: Double = 48_000) throws {
      synth = try InstrumentHost(kind, rate: rate, initializes: false)
      let unit = synth.host.unit
      try unit.set(kAudioUnitProperty_ElementCount, to: UInt32(2), kAudioUnitScope_Output)
      try unit.set(kAudioUnitProperty_SampleRate, to: rate, kAudioUnitScope_Output, 1)
      try synth.host.initialize()
    }

    func render(_ frames: Int, slice: Int = 512) throws -> [[Float]] {
      var samples: [[Float]] = [[], []]
      let list = AudioBufferList.allocate(maximumBuffers: 2)
      defer { free(list.unsafeMutablePointer) }
      while samples[0].count < frames {
        let count = min(slice, frames - samples[0].count)
        for bus in 0..<2 {
          for channel in 0..<2 {
            list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
          }
          var stamp = AudioTimeStamp()
          (stamp.mSampleTime, stamp.mFlags) = (time, .sampleTimeValid)
          var flags = AudioUnitRenderActionFlags()
          try check(
            AudioUnitRender(
              synth.unit, &flags, &stamp, UInt32(bus), UInt32(count), list.unsafeMutablePointer))
          let data = list[0].mData?.assumingMemoryBound(to: Float.self)
          samples[bus] += UnsafeBufferPointer(start: data, count: count)
        }
        time += Double(count)
      }
      return samples
    }

    func route(_ group: UInt32, _ bus: UInt32) throws {
      try synth.host.unit.set(kMusicDeviceProperty_GroupOutputBus, to: bus, Self.scope, group)
    }

    private static let scope = kAudioUnitScope_Group
  }

  private func level(_ samples: [Float]) -> Float { samples.map(abs).max() ?? 0 }

  @Test("play to the first bus, or to that which is chosen", arguments: InstrumentHost.kinds)
  func buses(kind: OSType) throws {
    let pair = try TwoBuses(kind)
    for group in 0..<16 as Range<UInt32> {
      #expect(
        try pair.synth.host.unit.get(
          kMusicDeviceProperty_GroupOutputBus, as: UInt32.max, Self.group, group) == 0)
    }
    try pair.synth.send(0x90, 60, 100)
    var samples = try pair.render(4_800)
    #expect(level(samples[0]) > 1e-3 && level(samples[1]) == 0)
    try pair.route(1, 1)
    // The reverberation stays on the first bus.
    for channel in [0, 1] as [UInt32] { try pair.synth.send(0xb0 | channel, 91, 0) }
    try pair.synth.send(0x80, 60)
    _ = try pair.render(48_000 * 9, slice: 1_024)
    try pair.synth.send(0x91, 64, 100)
    samples = try pair.render(4_800)
    #expect(level(samples[0]) < 1e-4 && level(samples[1]) > 1e-3)
  }

  @Test("refuse buses and groups that do not exist")
  func busRefusals() throws {
    let (pair, one) = (try TwoBuses(), try InstrumentHost())
    let id = kMusicDeviceProperty_GroupOutputBus
    let unit = pair.synth.host.unit
    #expect(unit.setting(id, to: UInt32(2), Self.group) == kAudioUnitErr_InvalidPropertyValue)
    #expect(unit.setting(id, to: UInt32(0), Self.group, 16) == kAudioUnitErr_InvalidElement)
    #expect(unit.setting(id, to: UInt32(0)) == kAudioUnitErr_InvalidScope)
    #expect(
      one.host.unit.setting(id, to: UInt32(1), Self.group) == kAudioUnitErr_InvalidPropertyValue)
    let wideHost = try InstrumentHost(initializes: false)
    let wide = wideHost.host.unit
    let count = kAudioUnitProperty_ElementCount
    #expect(
      wide.setting(count, to: UInt32(17), kAudioUnitScope_Output)
        == kAudioUnitErr_InvalidPropertyValue)
    try wide.set(count, to: UInt32(16), kAudioUnitScope_Output)
    try wide.set(kAudioUnitProperty_SampleRate, to: 44_100.0, kAudioUnitScope_Output, 15)
    #expect(AudioUnitInitialize(wide.handle) == kAudioUnitErr_FormatNotSupported, "two rates")
    withExtendedLifetime(wideHost) {}
  }

  @Test(
    "a group that sounds moves to another bus without a click, and nothing of it is lost",
    arguments: [512, 64, 100])
  func moves(slice: Int) throws {
    func play(_ moves: Bool) throws -> (buses: [[Float]], sum: [Float]) {
      let pair = try TwoBuses()
      try pair.synth.chooseOrgan()
      try pair.synth.send(0x90, 60, 100)
      _ = try pair.render(9_600, slice: slice)
      if moves { try pair.route(0, 1) }
      let buses = try pair.render(4_800, slice: slice)
      return (buses, zip(buses[0], buses[1]).map { $0 + $1 })
    }
    let (moved, still) = (try play(true), try play(false))
    #expect(zip(moved.sum, still.sum).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(level(Array(moved.buses[0][480...])) == 0, "after ten milliseconds")
    #expect(level(moved.buses[1]) > 1e-3)
    // No step is larger than those of the tone, apart from the slope of the crossfade.
    func step(_ samples: [Float]) -> Float {
      zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }
    let limit = step(still.sum) + level(still.sum) / 480
    #expect(step(moved.buses[0]) <= limit && step(moved.buses[1]) <= limit)
    #expect(abs(moved.buses[1][0]) <= level(still.sum) / 480)
  }

  @Test("buses sound alike at rates that are converted")
  func convertedRate() throws {
    let pair = try TwoBuses(rate: 192_000)
    try pair.synth.chooseOrgan(1)
    try pair.route(1, 1)
    try pair.synth.send(0x91, 60, 100)
    let samples = try pair.render(19_200)
    #expect(level(samples[0]) == 0 && level(samples[1]) > 1e-3)
  }

  @Test("are part of a saved state", arguments: InstrumentHost.kinds)
  func state(kind: OSType) throws {
    func state(_ unit: AudioUnit) throws -> CFPropertyList {
      var list: Unmanaged<CFPropertyList>?
      var size = UInt32(MemoryLayout<Unmanaged<CFPropertyList>?>.size)
      try check(AudioUnitGetProperty(unit, kAudioUnitProperty_ClassInfo, 0, 0, &list, &size))
      return try #require(list).takeRetainedValue()
    }
    func restore(_ unit: HostedUnit, _ state: CFPropertyList) throws {
      try unit.set(
        kAudioUnitProperty_ClassInfo, to: Unmanaged.passUnretained(state as AnyObject).toOpaque())
    }
    let (pair, other) = (try TwoBuses(kind), try TwoBuses(kind))
    let initial = try state(pair.synth.unit)
    try pair.route(4, 1)
    try pair.synth.host.set(7, 33, Self.group, 4)
    try pair.synth.host.set(224, -100, Self.group, 15)
    let changed = try state(pair.synth.unit)
    try restore(other.synth.host.unit, changed)
    func values(_ host: MixerHost) throws -> [Float] {
      let bus = try host.unit.get(
        kMusicDeviceProperty_GroupOutputBus, as: UInt32(9), Self.group, 4)
      return [
        Float(bus), try host.value(7, Self.group, 4), try host.value(224, Self.group, 15),
      ]
    }
    #expect(try values(other.synth.host) == [1, 33, -100])
    _ = try other.render(64)
    #expect(try values(other.synth.host) == [1, 33, -100])
    try restore(other.synth.host.unit, initial)
    #expect(try values(other.synth.host) == [0, 100, 0])
  }

  @Test("the value that remains is the one that sounds, whoever sets it last")
  func storm() throws {
    let synth = try InstrumentHost()
    nonisolated(unsafe) let unit = synth.unit
    try synth.chooseOrgan()
    try synth.send(0x90, 60, 127)
    func level(_ value: Float) throws -> Double {
      try synth.host.set(11, value, Self.group, 0)
      _ = try synth.render(4_800)
      return try synth.render(2_400).samples.map(abs).max() ?? 0
    }
    let (quiet, loud) = (try level(7), try level(99))
    try #require(quiet < loud / 4)
    for _ in 0..<60 {
      let threads = [7, 99].map { value in
        OwnThread {
          for _ in 0..<10 {
            MusicDeviceMIDIEvent(unit, 0xb0, 11, UInt32(value), 0)
            AudioUnitSetParameter(unit, 11, kAudioUnitScope_Group, 0, Float(value), 0)
          }
        }
      }
      for thread in threads { thread.join() }
      _ = try synth.render(4_800)
      let sounding = try synth.render(2_400).samples.map(abs).max() ?? 0
      let value = try synth.host.value(11, Self.group, 0)
      #expect((value == 99) == (sounding > (quiet + loud) / 2), "\(value), \(sounding)")
    }
  }
}
