// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Filter of the spatial mixer's room")
struct RoomFilterTests {
  private let global = AudioUnitScope(kAudioUnitScope_Global)
  private let kind = Mixer3DKind.all[1]

  /// A spatial mixer that sends an impulse to its room, and nothing directly.
  private func mixer(_ values: [(AudioUnitParameterID, Float)]) throws -> MixerHost {
    let mixer = try MixerHost(kind.subType, inputs: 1)
    try mixer.unit.setFormat(.linear(48_000, channels: 2), kAudioUnitScope_Output)
    try mixer.feed(0, channels: 1) { _, frame in frame == 0 ? 1 : 0 }
    try mixer.unit.set(kAudioUnitProperty_UsesInternalReverb, to: UInt32(1))
    try mixer.set(kind.blend, 100)
    for (id, value) in values { try mixer.set(id, value, global) }
    try mixer.initialize()
    return mixer
  }

  private func response(
    _ values: [(AudioUnitParameterID, Float)], slices: [Int] = [512]
  ) throws -> [Double] {
    try mixer(values).render(9_600, slices: slices)[0].samples.map { Double($0) }
  }

  /// How much of a sound is at high frequencies: 0 for none, 4 for half the sample rate.
  private func brightness(_ samples: [Double]) -> Double {
    let steps = zip(samples, samples.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0) * ($1.1 - $1.0) }
    return steps / samples.reduce(0) { $0 + $1 * $1 }
  }

  @Test("changes nothing at first, or while it is off")
  func flat() throws {
    let plain = try response([])
    #expect(plain.contains { $0 != 0 })
    #expect(plain == (try response([(kReverbParam_FilterFrequency, 200)])))
    #expect(
      plain
        == (try response([(kReverbParam_FilterType, 1), (kReverbParam_FilterEnable, 0)])))
  }

  @Test("a low-pass takes the high frequencies of the room, a high-pass the low ones")
  func filters() throws {
    let plain = brightness(try response([]))
    let frequency = (kReverbParam_FilterFrequency, Float(800))
    #expect(brightness(try response([(kReverbParam_FilterType, 1), frequency])) < plain / 20)
    #expect(brightness(try response([(kReverbParam_FilterType, 2), frequency])) > plain)
  }

  @Test("a shelf has its gain")
  func shelf() throws {
    let plain = try response([])
    let raised = try response([
      (kReverbParam_FilterType, 8), (kReverbParam_FilterFrequency, 10),
      (kReverbParam_FilterGain, 12),
    ])
    let power = { (samples: [Double]) in samples.reduce(0) { $0 + $1 * $1 } }
    #expect(abs(10 * log10(power(raised) / power(plain)) - 12) < 0.5)
  }

  @Test("does not depend on the slices", arguments: [[7], [64, 1], [1_000]])
  func slices(slices: [Int]) throws {
    let values = [(kReverbParam_FilterType, Float(3)), (kReverbParam_FilterFrequency, 500)]
    let (one, other) = (try response(values), try response(values, slices: slices))
    #expect(zip(one, other).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("lengthens the tail by the time that it rings")
  func tail() throws {
    let plain = try mixer([]).unit.get(kAudioUnitProperty_TailTime, as: 0.0)
    let ringing = try mixer([
      (kReverbParam_FilterType, 5), (kReverbParam_FilterFrequency, 20),
      (kReverbParam_FilterBandwidth, 0.05),
    ]).unit.get(kAudioUnitProperty_TailTime, as: 0.0)
    #expect(ringing > plain + 0.5)
  }

  @Test("the 3D mixer has none")
  func other() throws {
    let mixer = try MixerHost(Mixer3DKind.all[0].subType, inputs: 1)
    #expect(throws: (any Error).self) { try mixer.set(kReverbParam_FilterType, 1, global) }
  }
}
