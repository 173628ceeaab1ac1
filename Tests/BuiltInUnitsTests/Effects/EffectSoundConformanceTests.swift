// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
@testable import BuiltInUnits
import CAllocationProbe
import Foundation
import Testing

/// The sound of every effect of the catalogue.
@Suite("Every effect, to the ear")
struct EffectSoundConformanceTests {
  @Test(
    "outputs the same bits in slices of any size", arguments: EffectCase.all,
    [1, 7, 64, 480, 4096])
  func slices(effect: EffectCase, slice: Int) throws {
    let input = quietNoise(slice == 1 ? 3_000 : 12_000)
    func run(_ frames: Int) throws -> [[Float]] {
      let unit = try effect.makeReady()
      try unit.changeParameters()
      return try unit.render(input, slice: frames)
    }
    #expect(try run(slice) == run(1024))
  }

  @Test("sounds like a new unit after a reset", arguments: EffectCase.all)
  func reset(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    try unit.changeParameters()
    let first = try unit.render(quietNoise(12_000))
    _ = try unit.render(quietNoise(5_000, seed: 2))
    try unit.reset()
    #expect(try unit.render(quietNoise(12_000)) == first)
  }

  @Test(
    "applies a parameter within the next slice",
    arguments: EffectCase.all.filter {
      // The first has only presets, and the second is a delay.
      $0.definition.identity.name != "AUiPodEQ" && $0.definition.identity.name != "AUSampleDelay"
    })
  func promptness(effect: EffectCase) throws {
    let slice = 512
    let input = quietNoise(20 * slice).map { $0 * 4 }
    // All parameters change at once, because some do not affect some sounds.
    let (still, other) = (try effect.makeReady(), try effect.makeReady())
    let latency = try still.latency
    let one = try still.render(input, slice: slice)
    let two = try other.render(input, slice: slice) { frame in
      if frame == 16 * slice { try other.changeParameters(0.9) }
    }
    let start = 16 * slice
    #expect(one[0][..<start] == two[0][..<start], "nothing changes before")
    let change = zip(one[0][start...], two[0][start...]).enumerated().first {
      abs($0.element.0 - $0.element.1) > 1e-4
    }
    #expect((change?.offset ?? .max) <= slice + latency)
  }

  @Test("outputs the same sound in place and not in place", arguments: EffectCase.all)
  func inPlace(effect: EffectCase) throws {
    func run(_ isInPlace: Bool) throws -> [[Float]] {
      let unit = try effect.makeReady()
      try unit.host.set(kAudioUnitProperty_InPlaceProcessing, to: UInt32(isInPlace ? 1 : 0))
      return try unit.render(quietNoise(8_000))
    }
    #expect(try run(true) == run(false))
  }

  @Test("reports its latency and tail before it is initialised", arguments: EffectCase.all)
  func early(effect: EffectCase) throws {
    let unit = try effect.make()
    let tail = try unit.host.get(kAudioUnitProperty_TailTime, as: Float64(-1))
    let latency = try unit.latency
    #expect(tail >= 0)
    try unit.host.initialize()
    #expect(try unit.host.get(kAudioUnitProperty_TailTime, as: Float64(-1)) == tail)
    #expect(try unit.latency == latency)
  }

  @Test("falls silent after its latency and tail, and flags silence", arguments: EffectCase.all)
  func silence(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    let sound = try unit.render(quietNoise(9_600))
    let after = try unit.latency + Int((try unit.tail * unit.rate).rounded(.up))
    // Without the silence flag: the remaining sound is far quieter than the sound before.
    let rest = try unit.render(Array(repeating: 0, count: after + 4096), slice: 2048)
    #expect(rest.dropping(after).peak <= max(sound.peak, 0.25) * 1e-4, "after \(after) frames")
    // With the silence flag: exact silence after the tail.
    _ = try unit.render(Array(repeating: 0, count: after + 4096), isSilent: true)
    let end = try unit.render(Array(repeating: 0, count: 512), isSilent: true)
    #expect(unit.promisedSilence && end.peak == 0)
  }

  @Test(
    "has the same tail in promised and unpromised silence",
    arguments: EffectCase.all)
  func promisedSilence(effect: EffectCase) throws {
    func run(_ isSilent: Bool) throws -> [[Float]] {
      let unit = try effect.makeReady()
      _ = try unit.render(quietNoise(9_600))
      return try unit.render(Array(repeating: 0, count: 24_000), isSilent: isSilent)
    }
    let (promised, unpromised) = (try run(true), try run(false))
    for (one, other) in zip(promised.joined(), unpromised.joined()) {
      #expect(abs(one - other) < 1e-5)
      if abs(one - other) >= 1e-5 { return }
    }
  }

  @Test("has the reported latency, bypassed or not", arguments: EffectCase.all)
  func latency(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    let latency = try unit.latency
    var input = [Float](repeating: 0, count: latency + 4096)
    input[100] = 0.25
    let output = try unit.render(input)
    let first = output[0].firstIndex { $0.magnitude > 1e-3 }
    #expect((first ?? .max) >= 100 + latency / 2, "there is no output before the input")
    if latency > 0 {
      let loudest = output[0].indices.max { output[0][$0].magnitude < output[0][$1].magnitude }
      #expect(abs((loudest ?? 0) - 100 - latency) <= 1)
    }
    try unit.reset()
    try unit.bypass(true)
    let passed = try unit.render(input)
    for channel in passed {
      #expect(channel[100 + latency] == 0.25)
      #expect(channel.filter { $0 != 0 }.count == 1)
    }
  }

  @Test(
    "is bypassed and back without a click, and keeps its signal history", arguments: EffectCase.all)
  func bypass(effect: EffectCase) throws {
    let count = 12_000
    let input = (0..<count).map { 0.25 * sin(Float($0) * 0.02) }
    let wet = try effect.makeReady().render(input, slice: 500)
    let unit = try effect.makeReady()
    let latency = try unit.latency
    let output = try unit.render(input, slice: 500) { frame in
      try unit.bypass((4_000..<8_000).contains(frame))
    }
    /// The part of a crossfade that is done some frames after its beginning.
    func weight(_ frame: Int) -> Float {
      let part = min(max(Float(frame), 0), 480) / 480
      return part * part * part * (10 - 15 * part + 6 * part * part)
    }
    for channel in output.indices {
      for frame in output[channel].indices {
        let dry = frame < latency ? 0 : input[frame - latency]
        let part = weight(frame - 3_999) - weight(frame - 7_999)
        let expected = wet[channel][frame] + (dry - wet[channel][frame]) * part
        #expect(abs(output[channel][frame] - expected) < 1e-5, "frame \(frame)")
        if abs(output[channel][frame] - expected) >= 1e-5 { return }
      }
      #expect(output[channel][9_000...] == wet[channel][9_000...])
    }
  }

  @Test(
    "recovers from NaN, and from infinite and huge samples", arguments: EffectCase.all,
    [Float.nan, .infinity, -.infinity, 3e38])
  func nanRecovery(effect: EffectCase, value: Float) throws {
    let unit = try effect.makeReady()
    _ = try unit.render(quietNoise(1_000))
    var bad = quietNoise(512)
    bad[100] = value
    #expect(try unit.render(bad).isFinite)
    let wait = try unit.latency + Int(try unit.tail * unit.rate) + 2_048
    #expect(try unit.render(quietNoise(wait, seed: 3)).isFinite)
    let sound = try unit.render(quietNoise(9_600, seed: 4))
    let expected = try effect.makeReady().render(quietNoise(wait + 9_600, seed: 4)).dropping(wait)
    #expect(sound.isFinite)
    #expect(sound.peak > 0.25 * expected.peak && sound.peak < 4 * expected.peak)
  }

  @Test("outputs no sound for denormal samples", arguments: EffectCase.all)
  func denormals(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    let sound = try unit.render(noise(9_600).map { $0 * Float.leastNormalMagnitude * 0.01 })
    #expect(sound.isFinite && sound.peak < 1e-30)
  }

  @Test("does not use the heap", arguments: EffectCase.all)
  func heap(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    let probe = HeapProbe(unit)
    let ids = try unit.writable
    let infos = try ids.map { try unit.info($0) }
    #expect(probe.render(64) == 0)
    for (id, info) in zip(ids, infos) {
      for value in [info.maxValue, info.minValue, info.defaultValue] {
        try unit.set(id, value)
        #expect(probe.render(64) == 0, "parameter \(id) = \(value)")
      }
    }
    try unit.bypass(true)
    #expect(probe.render(512) == 0)
    try unit.bypass(false)
    try unit.reset()
    #expect(probe.render(512) == 0)
  }
}

/// Renders, and counts heap operations.
private final class HeapProbe {
  private let unit: EffectUnderTest
  private let list: UnsafeMutableAudioBufferListPointer
  private var time = AudioTimeStamp()

  init(_ unit: EffectUnderTest) {
    self.unit = unit
    list = AudioBufferList.allocate(maximumBuffers: unit.channels.output)
    time.mFlags = .sampleTimeValid
  }

  deinit { free(list.unsafeMutablePointer) }

  /// The number of heap operations of one render.
  func render(_ frames: Int) -> Int64 {
    for index in list.indices {
      list[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
    }
    var flags = AudioUnitRenderActionFlags()
    let before = heap_operations()
    let status = AudioUnitRender(
      unit.host.handle, &flags, &time, 0, UInt32(frames), list.unsafeMutablePointer)
    let after = heap_operations()
    #expect(status == noErr)
    time.mSampleTime += Double(frames)
    return after - before
  }
}
