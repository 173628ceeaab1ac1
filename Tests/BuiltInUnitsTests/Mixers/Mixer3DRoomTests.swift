// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Room of 3D mixers")
struct Mixer3DRoomTests: Mixer3DTesting {
  private let global = AudioUnitScope(kAudioUnitScope_Global)

  /// A mixer with a room and one mono input.
  private func mixer(
    _ kind: Mixer3DKind, room: UInt32 = 1, outputs: UInt32 = 2,
    _ sample: @escaping @Sendable (Int) -> Float
  ) throws -> MixerHost {
    let mixer = try MixerHost(kind.subType, inputs: 1)
    try mixer.unit.setFormat(.linear(48_000, channels: outputs), kAudioUnitScope_Output)
    try mixer.feed(0, channels: 1) { _, frame in sample(frame) }
    try mixer.unit.set(kAudioUnitProperty_UsesInternalReverb, to: UInt32(1))
    try mixer.unit.set(kAudioUnitProperty_ReverbRoomType, to: room)
    return mixer
  }

  /// White noise: a hash of the frame's number.
  private static let noise: @Sendable (Int) -> Float = { frame in
    var word = UInt64(frame) &+ 0x9E37_79B9_7F4A_7C15
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return 0.2 * (Float((word ^ (word >> 31)) >> 40) / Float(1 << 23) - 1)
  }

  private static func input(_ frames: Int) -> ArraySlice<Double> {
    (0..<frames).map { Double(noise($0)) }[...]
  }

  private static func power(_ samples: ArraySlice<Double>) -> Double {
    samples.reduce(0) { $0 + $1 * $1 }
  }

  @Test("is off unless requested", arguments: Mixer3DKind.all)
  func off(kind: Mixer3DKind) throws {
    let mixer = try self.mixer(kind) { frame in frame == 0 ? 1 : 0 }
    #expect(try mixer.value(kind.blend) == 30)
    #expect(try mixer.unit.get(kAudioUnitProperty_UsesInternalReverb, as: UInt32(9)) == 1)
    let without = try MixerHost(kind.subType, inputs: 1)
    #expect(try without.unit.get(kAudioUnitProperty_UsesInternalReverb, as: UInt32(9)) == 0)
    #expect(try without.unit.get(kAudioUnitProperty_ReverbRoomType, as: UInt32(9)) == 0)
    try without.feed(0, channels: 1) { _, frame in frame == 0 ? 1 : 0 }
    let tail = try without.unit.get(kAudioUnitProperty_TailTime, as: 0.0)
    try without.initialize()
    let rendered = try without.render(9_600)[0].samples
    #expect(rendered.enumerated().allSatisfy { $0.offset == 36 || abs($0.element) < 1e-7 })
    #expect(try mixer.unit.get(kAudioUnitProperty_TailTime, as: 0.0) > tail + 1)
    for wrong in [UInt32(13), .max] {
      #expect(
        mixer.unit.setting(kAudioUnitProperty_ReverbRoomType, to: wrong)
          == kAudioUnitErr_InvalidPropertyValue)
    }
  }

  @Test("is mixed with the direct sound at constant power", arguments: Mixer3DKind.all)
  func blend(kind: Mixer3DKind) throws {
    for percent in [0, 25, 50, 80, 100] as [Float] {
      let mixer = try self.mixer(kind) { frame in frame == 0 ? 1 : 0 }
      try mixer.set(kind.blend, percent)
      try mixer.initialize()
      let rendered = try mixer.render(48_000).map(\.samples)
      // The direct sound arrives first and alone.
      let angle = Double(percent) / 100 * .pi / 2
      #expect(abs(rendered[0][36] - cos(angle) * 0.5.squareRoot()) < 1e-4)
      let room = Self.power(rendered[0][37...])
      if percent == 0 { #expect(room < 1e-12) } else { #expect(room > 1e-4 * sin(angle)) }
    }
  }

  @Test("is as loud as its input, and has a gain", arguments: Mixer3DKind.all)
  func level(kind: Mixer3DKind) throws {
    var outputs: [[Double]] = []
    for level in [0, 6.0206, -20] as [Float] {
      let mixer = try self.mixer(kind, Self.noise)
      try mixer.set(kind.blend, 100)
      try mixer.set(kind.roomGain, level, global)
      try mixer.initialize()
      _ = try mixer.render(96_000)
      outputs.append(try mixer.render(96_000)[1].samples)
    }
    // Each of two speakers has the signal of one side of Reverb2.
    #expect(abs(10 * log10(Self.power(outputs[0][...]) / Self.power(Self.input(96_000)))) < 1.5)
    for (louder, gain) in [(outputs[1], 2.0), (outputs[2], 0.1)] {
      let difference = zip(outputs[0], louder).reduce(0) { max($0, abs($1.1 - gain * $1.0)) }
      #expect(difference < 1e-5)
    }
  }

  @Test("decays in the time of its type")
  func rooms() throws {
    let kind = Mixer3DKind.all[0]
    var times: [Double] = []
    for room in [0, 4, 8] as [UInt32] {
      let mixer = try self.mixer(kind, room: room) { $0 < 24_000 ? Self.noise($0) : 0 }
      try mixer.set(kind.blend, 100)
      try mixer.initialize()
      let samples = try mixer.render(24_000 + 96_000)[0].samples
      func level(_ second: Double) -> Double {
        let first = 24_036 + Int(second * 48_000)
        return 10 * log10(Self.power(samples[first..<first + 4_800]))
      }
      // The decay from 0.1 to 0.5 seconds, extrapolated to 60 dB.
      times.append(60 * 0.4 / (level(0.1) - level(0.5)))
    }
    // The decay times of the presets of Reverb2 between 0 Hz and half the rate.
    #expect((0.25...0.55).contains(times[0]))
    #expect((0.9...2.8).contains(times[1]))
    #expect((1.2...6).contains(times[2]))
    #expect(times[0] < times[1] && times[1] < times[2])
  }

  @Test(
    "is attenuated by occlusion like the direct sound, but not by obstruction",
    arguments: Mixer3DKind.all)
  func obstacles(kind: Mixer3DKind) throws {
    func level(_ parameter: AudioUnitParameterID?) throws -> Double {
      let mixer = try self.mixer(kind) { Float(0.25 * sin(2 * .pi * 15_000 * Double($0) / 48_000)) }
      try mixer.set(kind.blend, 100)
      if let parameter { try mixer.set(parameter, -60) }
      try mixer.initialize()
      _ = try mixer.render(48_000)
      return decibels(try mixer.render(9_600)[0].tone(at: 15_000).amplitude)
    }
    let open = try level(nil)
    #expect(abs(try level(kind.obstruction) - open) < 0.01)
    #expect(try level(kind.occlusion) < open - 10)
  }

  @Test(
    "outputs finite samples a slice after an invalid one", arguments: [UInt32(0), 1, 2, 4, 6],
    [Float.nan, .infinity, 3e38])
  func invalidSamples(algorithm: UInt32, sample: Float) throws {
    let kind = Mixer3DKind.all[0]
    let mixer = try self.mixer(kind) { $0 == 2_600 ? sample : Self.noise($0) }
    try mixer.unit.set(
      kAudioUnitProperty_SpatializationAlgorithm, to: algorithm, kAudioUnitScope_Input)
    try mixer.set(kind.obstruction, -20)
    try mixer.set(azimuth, 40)
    try mixer.initialize()
    // Slices of 512: the sample is in the sixth.
    _ = try mixer.render(3_072)
    let after = try mixer.render(9_600)
    #expect(after.allSatisfy { $0.samples.allSatisfy(\.isFinite) })
    #expect(after.allSatisfy { (0.01...2).contains($0.peak) })
  }

  @Test("plays on all speakers except the LFE, on both sides at the same power")
  func speakers() throws {
    let kind = Mixer3DKind.all[0]
    for count in 1...8 {
      let mixer = try self.mixer(kind, outputs: UInt32(count), Self.noise)
      try mixer.set(kind.blend, 100)
      try mixer.initialize()
      _ = try mixer.render(48_000, channels: count)
      let powers = try mixer.render(48_000, channels: count).map { Self.power($0.samples[...]) }
      // Two sides.
      let sides = 2 * Self.power(Self.input(48_000))
      #expect(abs(10 * log10(powers.reduce(0, +) / sides)) < 2)
      for (channel, power) in powers.enumerated() {
        #expect((power < 1e-9) == (channel == 3 && count > 5))
      }
    }
  }

  @Test(
    "fades out without a click when it is switched off",
    arguments: Mixer3DKind.all)
  func switching(kind: Mixer3DKind) throws {
    let mixer = try self.mixer(kind, room: 8) {
      Float(0.25 * sin(2 * .pi * 200 * Double($0) / 48_000))
    }
    try mixer.set(kind.blend, 100)
    try mixer.initialize()
    var samples = try mixer.render(48_000)[0].samples
    try mixer.unit.set(kAudioUnitProperty_UsesInternalReverb, to: UInt32(0))
    let after = try mixer.render(4_800)[0].samples
    samples += after
    // Only the direct sound after 5 ms.
    for frame in 300..<4_800 {
      let time = Double(48_000 + frame - 36) / 48_000
      #expect(abs(after[frame] - 0.25 * 0.5.squareRoot() * sin(2 * .pi * 200 * time)) < 1e-4)
    }
    let steepest = zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
    #expect(steepest < 0.05)
  }
}

@Suite("Head of the spatial mixer")
struct Mixer3DHeadTests: Mixer3DTesting {
  private let kind = Mixer3DKind.all[1]
  private let global = AudioUnitScope(kAudioUnitScope_Global)

  /// Renders a source for both ears, with the head turned.
  private func rendered(
    azimuth degrees: Float, elevation height: Float = 0, yaw: Float = 0, pitch: Float = 0,
    roll: Float = 0, algorithm: UInt32 = 2
  ) throws -> [Signal] {
    let mixer = try mixer(kind, frequency: 2_000, algorithm: algorithm)
    try mixer.set(azimuth, degrees)
    try mixer.set(elevation, height)
    try mixer.set(kSpatialMixerParam_HeadYaw, yaw, global)
    try mixer.set(kSpatialMixerParam_HeadPitch, pitch, global)
    try mixer.set(kSpatialMixerParam_HeadRoll, roll, global)
    try mixer.initialize()
    return try mixer.render(2_048)
  }

  private func expectSame(_ one: [Signal], _ other: [Signal]) {
    for ear in 0..<2 { #expect(one[ear].largestDifference(from: other[ear]) < 2e-4) }
  }

  @Test("turning it right is like turning sources left", arguments: [-90, 25, 160] as [Float])
  func yaw(degrees: Float) throws {
    let straight = try rendered(azimuth: 30 - degrees)
    expectSame(try rendered(azimuth: 30, yaw: degrees), straight)
    #expect(straight[0].largestDifference(from: try rendered(azimuth: 30)[0]) > 0.01)
  }

  @Test("pitching it up moves sources above to the front")
  func pitch() throws {
    expectSame(try rendered(azimuth: 0, elevation: 70, pitch: 70), try rendered(azimuth: 0))
    // A source at its right stays there.
    expectSame(try rendered(azimuth: 90, pitch: 50), try rendered(azimuth: 90))
  }

  @Test("rolling it right moves sources above to the left")
  func roll() throws {
    expectSame(try rendered(azimuth: 0, elevation: 90, roll: 90), try rendered(azimuth: -90))
    // A source in front stays there.
    expectSame(try rendered(azimuth: 0, roll: 60), try rendered(azimuth: 0))
  }

  @Test("does not affect speakers")
  func speakers() throws {
    expectSame(
      try rendered(azimuth: 40, yaw: 90, algorithm: 0), try rendered(azimuth: 40, algorithm: 0))
  }

  @Test("does not exist in the 3D mixer")
  func absent() throws {
    let unit = try MixerHost(kAudioUnitSubType_3DMixer, inputs: 1).unit
    #expect(
      AudioUnitSetParameter(unit.handle, kSpatialMixerParam_HeadYaw, global, 0, 10, 0)
        == kAudioUnitErr_InvalidParameter)
  }
}
