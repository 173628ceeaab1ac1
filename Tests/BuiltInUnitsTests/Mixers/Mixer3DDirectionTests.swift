// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Directions of 3D mixers")
struct Mixer3DDirectionTests: Mixer3DTesting {
  @Test(
    "pans between two speakers at constant power by the sine of the azimuth",
    arguments: Mixer3DKind.all)
  func stereo(kind: Mixer3DKind) throws {
    let mixer = try mixer(kind)
    try mixer.initialize()
    for degrees in stride(from: -180.0, through: 180, by: 30) {
      try mixer.set(azimuth, Float(degrees))
      let gains = try gains(mixer)
      let angle = (sin(degrees * .pi / 180) + 1) * .pi / 4
      #expect(abs(gains[0] - cos(angle)) < 1e-5 && abs(gains[1] - sin(angle)) < 1e-5)
    }
    try mixer.set(azimuth, 90)
    try mixer.set(elevation, 90)
    let above = try gains(mixer)
    #expect(abs(above[0] - 0.5.squareRoot()) < 1e-5 && abs(above[1] - above[0]) < 1e-6)
  }

  /// The azimuths of the speakers in degrees.
  private static let speakers: [Int: [Double?]] = [
    1: [0], 2: [-30, 30], 3: [-30, 30, 0], 4: [-45, 45, -135, 135], 5: [-30, 30, -110, 110, 0],
    6: [-30, 30, 0, nil, -110, 110], 7: [-30, 30, 0, nil, -110, 110, 180],
    8: [-30, 30, 0, nil, -90, 90, -150, 150],
  ]

  @Test("passes sound from a speaker's direction only to it", arguments: 3...8, [UInt32(0), 4])
  func atSpeakers(channels: Int, algorithm: UInt32) throws {
    let mixer = try mixer(outputs: UInt32(channels), algorithm: algorithm)
    try mixer.initialize()
    let speakers = try #require(Self.speakers[channels])
    for (channel, direction) in speakers.enumerated() {
      guard let direction else { continue }
      try mixer.set(azimuth, Float(direction))
      for (other, gain) in try gains(mixer, outputs: channels).enumerated() {
        #expect(abs(gain - (other == channel ? 1 : 0)) < 1e-5)
      }
    }
  }

  @Test("has constant power from any direction to any number of speakers", arguments: 1...8)
  func power(channels: Int) throws {
    for algorithm in [0, 4] as [UInt32] {
      let mixer = try mixer(outputs: UInt32(channels), algorithm: algorithm)
      try mixer.initialize()
      for direction in stride(from: -170, through: 170, by: 34) {
        try mixer.set(azimuth, Float(direction))
        try mixer.set(elevation, Float(direction) / 4)
        let power = try gains(mixer, outputs: channels).reduce(0) { $0 + $1 * $1 }
        #expect(abs(power - 1) < 1e-5)
      }
    }
  }

  @Test(
    "has the sum of the speakers' vectors in the direction of the sound",
    arguments: [4, 5, 6, 7, 8])
  func vectors(channels: Int) throws {
    let mixer = try mixer(outputs: UInt32(channels), algorithm: 4)
    try mixer.initialize()
    let speakers = try #require(Self.speakers[channels])
    for degrees in stride(from: -175.0, through: 175, by: 25) {
      try mixer.set(azimuth, Float(degrees))
      var (x, y) = (0.0, 0.0)
      for (gain, direction) in zip(try gains(mixer, outputs: channels), speakers) {
        guard let direction else { continue }
        x += gain * sin(direction * .pi / 180)
        y += gain * cos(direction * .pi / 180)
      }
      let difference = atan2(x, y) * 180 / .pi - degrees
      #expect(abs(difference.remainder(dividingBy: 360)) < 0.01)
    }
  }

  @Test("keeps the power constant while the azimuth ramps")
  func ramp() throws {
    let mixer = try MixerHost(kAudioUnitSubType_3DMixer, inputs: 1)
    try mixer.feed(0, channels: 1) { _, _ in 1 }
    try mixer.initialize()
    _ = try mixer.render(512)
    try mixer.schedule(azimuth, from: 0, to: 90, at: 0, frames: 4_800)
    let rendered = try mixer.render(4_800, slices: [512, 33])
    for frame in 0..<4_800 {
      let (left, right) = (rendered[0].samples[frame], rendered[1].samples[frame])
      let angle = (sin(Double(frame) / 4_800 * .pi / 2) + 1) * .pi / 4
      #expect(abs(left - cos(angle)) < 1e-4 && abs(right - sin(angle)) < 1e-4)
    }
  }

  // MARK: The head

  @Test("delays the far ear by Woodworth's formula", arguments: [-90.0, -45, 0, 30, 90])
  func delays(degrees: Double) throws {
    let mixer = try MixerHost(kAudioUnitSubType_3DMixer, inputs: 1, sampleRate: 192_000)
    try mixer.feed(0, channels: 1) { _, frame in frame == 0 ? 1 : 0 }
    try mixer.unit.set(
      kAudioUnitProperty_SpatializationAlgorithm, to: UInt32(1), kAudioUnitScope_Input)
    try mixer.set(azimuth, Float(degrees))
    try mixer.initialize()
    let rendered = try mixer.render(1_024)
    func delay(_ ear: Double) -> Double {
      let angle = abs((degrees - ear).remainder(dividingBy: 360)) * .pi / 180
      return 0.0875 / 343 * (angle < .pi / 2 ? 1 - cos(angle) : 1 + angle - .pi / 2)
    }
    let expected = (delay(-100) - delay(100)) * 192_000
    let measured = try #require(rendered[0].indexOfPeak) - (try #require(rendered[1].indexOfPeak))
    #expect(abs(Double(measured) - expected) <= 1)
  }

  @Test("outputs finite samples during huge ramps", arguments: [UInt32(0), 1, 2, 4, 6])
  func hugeRamps(algorithm: UInt32) throws {
    let mixer = try mixer(algorithm: algorithm)
    try mixer.unit.set(kAudioUnitProperty_UsesInternalReverb, to: UInt32(1))
    try mixer.initialize()
    let huge = Float.greatestFiniteMagnitude
    for parameter in [azimuth, elevation, distance, gain, rate] {
      try mixer.schedule(parameter, from: huge, to: -huge, at: 0, frames: 256)
      let rendered = try mixer.render(1_024, slices: [512, 33])
      #expect(rendered.allSatisfy { $0.samples.allSatisfy(\.isFinite) })
    }
  }

  @Test("shadows high frequencies like Brown and Duda's filter", arguments: [0.0, 60, 90, 150])
  func shadow(degrees: Double) throws {
    for frequency in [200.0, 1_500, 4_000] {
      let mixer = try mixer(frequency: frequency, algorithm: 1)
      try mixer.set(azimuth, Float(degrees))
      try mixer.initialize()
      let gains = try gains(mixer, frequency: frequency)
      for (ear, gain) in zip([-100.0, 100], gains) {
        let angle = abs((degrees - ear).remainder(dividingBy: 360))
        let alpha = 1.05 + 0.95 * cos(angle / 150 * .pi)
        // The frequency that the bilinear transform maps to this one.
        let warped = tan(.pi * frequency / 48_000) * 48_000 * 0.0875 / 343
        let expected = ((1 + alpha * alpha * warped * warped) / (1 + warped * warped)).squareRoot()
        #expect(abs(gain / expected - 1) < 0.005)
      }
    }
  }
}
