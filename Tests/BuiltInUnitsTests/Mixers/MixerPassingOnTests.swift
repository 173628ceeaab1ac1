// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// A mixer that has nothing to change passes on its input's buffer. The sound must not differ.
@Suite("Mixer of one input")
struct MixerPassingOnTests {
  private let volume = AudioUnitParameterID(kMultiChannelMixerParam_Volume)
  private let enable = AudioUnitParameterID(kMultiChannelMixerParam_Enable)
  private let pan = AudioUnitParameterID(kMultiChannelMixerParam_Pan)

  private static func sample(_ channel: Int, _ frame: Int) -> Float {
    Float((frame * 37 + channel * 11) % 201 - 100) / 128
  }

  /// A mixer whose input is fed by a callback.
  private func source() throws -> MixerHost {
    let source = try MixerHost(inputs: 1)
    try source.feed(0, Self.sample)
    try source.initialize()
    return source
  }

  private func connect(_ source: HostedUnit, to unit: HostedUnit, bus: UInt32 = 0) throws {
    // A unit that ends would be disconnected.
    unit.retain(source)
    try unit.set(
      kAudioUnitProperty_MakeConnection,
      to: AudioUnitConnection(
        sourceAudioUnit: source.handle, sourceOutputNumber: 0, destInputNumber: bus),
      kAudioUnitScope_Input, bus)
  }

  /// A chain of a source and `count` mixers.
  private func chain(_ count: Int) throws -> [MixerHost] {
    var units = [try source()]
    for _ in 0..<count {
      let next = try MixerHost(inputs: 1)
      try connect(units[units.count - 1].unit, to: next.unit)
      try next.initialize()
      units.append(next)
    }
    return units
  }

  /// The address and the values of a unit's samples.
  private func frames(_ unit: HostedUnit, at time: Int, _ count: Int = 64) throws -> (
    place: UnsafeMutableRawPointer?, left: [Float], right: [Float]
  ) {
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    for channel in 0..<2 {
      list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
    }
    var stamp = AudioTimeStamp()
    (stamp.mSampleTime, stamp.mFlags) = (Double(time), .sampleTimeValid)
    try check(
      AudioUnitRender(
        unit.handle, nil, &stamp, 0, UInt32(count), list.unsafeMutablePointer), "render")
    func samples(_ channel: Int) -> [Float] {
      let data = list[channel].mData?.assumingMemoryBound(to: Float.self)
      return Array(UnsafeBufferPointer(start: data, count: count))
    }
    return (list[0].mData, samples(0), samples(1))
  }

  @Test("passes its buffer on while it is at full volume and in the middle")
  func place() throws {
    let units = try chain(3)
    let (first, last) = (units[0], units[3])
    _ = try frames(last.unit, at: 0)
    let rendered = try frames(last.unit, at: 64)
    #expect(try rendered.place == frames(first.unit, at: 64).place)
    #expect(rendered.left == (0..<64).map { Self.sample(0, 64 + $0) })
    #expect(rendered.right == (0..<64).map { Self.sample(1, 64 + $0) })
    try last.set(volume, 0.5)
    var time = 128
    while time < 4_096 {
      _ = try frames(last.unit, at: time)
      time += 64
    }
    let quiet = try frames(last.unit, at: time)
    #expect(try quiet.place != frames(first.unit, at: time).place)
    #expect(quiet.left == (0..<64).map { 0.5 * Self.sample(0, time + $0) })
  }

  @Test("sounds like a mixer that copies, whatever changes meanwhile")
  func changes() throws {
    let (passing, copying) = (try chain(2)[2], try source())
    let slices = [64, 37, 512, 1, 300]
    func both(_ change: (MixerHost) throws -> Void) throws {
      try change(passing)
      try change(copying)
      let (one, other) = (
        try passing.render(1_500, slices: slices), try copying.render(1_500, slices: slices)
      )
      #expect(one[0].samples == other[0].samples && one[1].samples == other[1].samples)
    }
    try both { _ in }
    try both { try $0.schedule(volume, to: 0.25, at: 700) }
    try both { try $0.schedule(volume, from: 0.25, to: 1, at: 10, frames: 400) }
    try both { try $0.set(pan, -1) }
    try both { try $0.set(pan, 0) }
    try both {
      try $0.unit.set(kAudioUnitProperty_MeteringMode, to: UInt32(1), kAudioUnitScope_Input)
    }
    try both {
      try $0.unit.set(kAudioUnitProperty_MeteringMode, to: UInt32(0), kAudioUnitScope_Input)
    }
    try both { try $0.set(volume, 0.5, kAudioUnitScope_Output) }
    try both { try $0.set(volume, 1, kAudioUnitScope_Output) }
    try both { try $0.set(enable, 0) }
    try both { try $0.set(enable, 1) }
    try both { try check(AudioUnitReset($0.unit.handle, kAudioUnitScope_Global, 0)) }
  }

  @Test("protects its source's buffer from a unit behind it that processes in place")
  func shared() throws {
    let source = try source()
    let (mixer, other) = (try MixerHost(inputs: 1), try MixerHost(inputs: 1))
    let effect = try HostedUnit(kAudioUnitSubType_LowPassFilter, type: kAudioUnitType_Effect)
    for unit in [mixer, other] {
      try connect(source.unit, to: unit.unit)
      try unit.initialize()
    }
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try effect.setFormat(.linear(48_000, channels: 2), scope)
    }
    try connect(mixer.unit, to: effect)
    try effect.initialize()
    for time in stride(from: 0, to: 640, by: 64) {
      let filtered = try frames(effect, at: time)
      let rendered = try frames(other.unit, at: time)
      #expect(rendered.left == (0..<64).map { Self.sample(0, time + $0) })
      #expect(filtered.left != rendered.left)
    }
  }

  @Test("keeps its buffer while a unit further down the chain reads it")
  func readFarAway() throws {
    let units = try chain(1)
    let last = try MixerHost(inputs: 2)
    try connect(units[1].unit, to: last.unit)
    let source = units[0].unit
    let isOver = Atomic(false)
    let wasOver = Atomic(false)
    let ending = Ending(of: source.handle)
    try last.unit.setCallback(
      HostCallback { moment in
        moment.fill { _, _ in 0 }
        // The first input has been pulled, and is mixed when this returns.
        ending.thread = OwnThread {
          let status = AudioUnitUninitialize(ending.unit)
          isOver.store(true, ordering: .releasing)
          return status
        }
        usleep(20_000)
        if isOver.load(ordering: .acquiring) { wasOver.store(true, ordering: .relaxed) }
        return noErr
      }, bus: 1)
    try last.initialize()
    let rendered = try frames(last.unit, at: 0)
    let endedEarly = wasOver.load(ordering: .relaxed)
    #expect(!endedEarly)
    #expect(rendered.left == (0..<64).map { Self.sample(0, $0) })
    #expect(ending.thread?.join() == noErr)
  }
}

/// The uninitialisation of a unit, which a callback begins on another thread.
private final class Ending: @unchecked Sendable {
  let unit: AudioUnit
  var thread: OwnThread<OSStatus>?

  init(of unit: AudioUnit) { self.unit = unit }
}
