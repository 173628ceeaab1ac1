// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
@testable import BuiltInUnits
import Foundation
import SignalProcessing
import Testing

/// Random operations on every effect of the catalogue.
///
/// AUDIOTOOLBOX_TEST_ROUNDS sets the number of steps; the default is 40.
@Suite("Every effect, in a storm")
struct EffectStormTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 40

  @Test(
    "outputs finite samples, and sounds like a new unit after a reset", arguments: EffectCase.all,
    [1, 2, 3])
  func storm(effect: EffectCase, seed: Int) throws {
    var random = Xoshiro256(seed: UInt64(seed))
    func pick(_ count: Int) -> Int {
      min(Int((random.nextSample() + 1) / 2 * Float(count)), count - 1)
    }
    let rate = [8_000, 11_025, 44_100, 48_000, 192_000, 384_000.0][pick(6)]
    let channels = effect.channelCounts[pick(effect.channelCounts.count)]
    let unit = try effect.make(rate: rate, channels: channels)
    try unit.host.initialize()
    let ids = try unit.writable
    let infos = try ids.map { try unit.info($0) }
    let presets = effect.definition.factoryPresets
    // A bypassed unit passes NaN on.
    let bypasses = seed == 2
    for _ in 0..<Self.rounds {
      for _ in 0..<pick(6) where !ids.isEmpty {
        let index = pick(ids.count)
        let (low, high) = (infos[index].minValue, infos[index].maxValue)
        let (one, other) = (
          low + (high - low) * Float(pick(5)) / 4, low + (high - low) * Float(pick(101)) / 100
        )
        switch pick(4) {
        case 0: try unit.set(ids[index], one)
        case 1: try unit.set(ids[index], other, offset: pick(5_000))
        default:
          try unit.ramp(ids[index], from: one, to: other, at: pick(2_000), frames: 1 + pick(9_000))
        }
      }
      switch pick(12) {
      case 0...3: try unit.bypass(bypasses && pick(4) == 0)
      case 4: try unit.reset()
      case 5 where !presets.isEmpty:
        var preset = AUPreset()
        preset.presetNumber = presets[pick(presets.count)].number
        try unit.host.set(kAudioUnitProperty_PresentPreset, to: preset)
      case 6: try unit.host.set(kAudioUnitProperty_InPlaceProcessing, to: UInt32(pick(2)))
      default: break
      }
      var sound = noise(1 + pick(4_096), seed: UInt64(1 + pick(1_000)))
      switch pick(8) {
      case 0 where !bypasses:
        sound[pick(sound.count)] =
          [.nan, .infinity, -.infinity, 3e38, -1e30, .leastNonzeroMagnitude][pick(6)]
      case 1: sound = sound.map { $0 * 1e4 }
      case 2: sound = sound.map { $0 * .leastNormalMagnitude }
      default: break
      }
      let output = try unit.render(sound, slice: 1 + pick(4_096), isSilent: pick(10) == 0)
      try #require(output.isFinite)
    }
    // Only its state remains, whatever happened before.
    try unit.bypass(false)
    try unit.reset()
    let state = try #require(
      try unit.host.get(kAudioUnitProperty_ClassInfo, as: UnsafeRawPointer?.none))
    defer { Unmanaged<AnyObject>.fromOpaque(state).release() }
    let fresh = try effect.make(rate: rate, channels: channels)
    try fresh.host.set(kAudioUnitProperty_ClassInfo, to: state)
    // A limiter's latency depends on the attack time when it was initialised.
    if try fresh.latency == unit.latency {
      try fresh.host.initialize()
      #expect(try unit.render(quietNoise(4_000)) == fresh.render(quietNoise(4_000)))
    }
  }
}
