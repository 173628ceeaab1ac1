// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Varispeed")
struct VarispeedTests {
  private let global = kAudioUnitScope_Global
  private let rate = kVarispeedParam_PlaybackRate
  private let cents = kVarispeedParam_PlaybackCents

  private func host(
    quality: UInt32? = nil, sampleRate: Double = 48_000, maximum: UInt32 = 512
  ) throws -> MixerHost {
    let host = try MixerHost(
      kAudioUnitSubType_Varispeed, type: kAudioUnitType_FormatConverter, sampleRate: sampleRate)
    try host.unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: maximum)
    if let quality { try host.unit.set(kAudioUnitProperty_RenderQuality, to: quality) }
    return host
  }

  @Test(
    "changes speed and pitch by the rate",
    arguments: [0.25, 0.5, 0.9, 1, 1.25, 2, 4] as [Float])
  func pitch(value: Float) throws {
    let host = try host()
    let source = try host.feedSine(0, 1_000)
    try host.initialize()
    try host.set(rate, value, global)
    let output = try host.render(24_000)[0].dropping(4_000)
    let requested = source.calls.reduce(0) { $0 + $1.frames }
    #expect(abs(Double(requested) - 24_000 * Double(value)) <= max(1, Double(value)))
    let tone = output.tone(near: 1_000 * Double(value))
    #expect(abs(1_200 * log2(tone.frequency / 1_000 / Double(value))) < 0.01)
    #expect(abs(tone.amplitude - 0.5) < 0.001 && tone.distortionAndNoise < -110)
  }

  @Test("keeps rate and cents consistent, whichever is set")
  func counterparts() throws {
    let host = try host()
    try host.set(rate, 2, global)
    #expect(try host.value(cents, global) == 1_200)
    try host.set(cents, -2_400, global)
    #expect(try host.value(rate, global) == 0.25)
    try host.set(rate, 1e9, global)
    #expect(try host.value(cents, global) == 2_400)
    // Setting one of them to its current value leaves the other exactly as it was set.
    try host.set(rate, 1.1, global)
    let reported = try host.value(cents, global)
    try host.set(cents, reported, global)
    #expect(try host.value(rate, global) == 1.1)
  }

  @Test("passes frames unchanged at a rate of one, and while it is bypassed")
  func unity() throws {
    let host = try host()
    let noise: @Sendable (Int, Int) -> Float = { channel, frame in
      Float(sin(Double(frame * (7 + channel))) * 0.3)
    }
    try host.feed(0, channels: 2, noise)
    try host.initialize()
    let latency = Int(
      (try host.unit.get(kAudioUnitProperty_Latency, as: 0.0) * 48_000).rounded())
    let output = try host.render(2_000)
    for channel in 0..<2 {
      for frame in latency..<2_000 {
        #expect(output[channel].samples[frame] == Double(noise(channel, frame - latency)))
      }
    }
    try host.set(rate, 1.37, global)
    _ = try host.render(1_111)
    try host.unit.set(kAudioUnitProperty_BypassEffect, to: UInt32(1))
    _ = try host.render(3_000)
    let bypassed = try host.render(512)[0].samples
    #expect(
      (0..<40_000).contains { start in
        (0..<512).allSatisfy { bypassed[$0] == Double(noise(0, start + $0)) }
      })
    let reported = try host.unit.get(kAudioUnitProperty_Latency, as: 0.0) * 48_000
    #expect(abs(reported - Double(latency)) < 1e-6)
  }

  @Test("follows a ramp of the rate, or of the cents, without a click", arguments: [true, false])
  func ramps(ofRate: Bool) throws {
    let host = try host()
    let source = try host.feedSine(0, 500)
    try host.initialize()
    if ofRate {
      try host.schedule(rate, from: 0.5, to: 2, at: 0, frames: 48_000, global)
    } else {
      try host.schedule(cents, from: -1_200, to: 1_200, at: 0, frames: 48_000, global)
    }
    let output = try host.render(48_000, slices: [64, 512, 100])[0].dropping(2_000)
    #expect(output.largestBend(frequency: 1_000, amplitude: 0.5) < 1.02)
    let requested = Double(source.calls.reduce(0) { $0 + $1.frames })
    // The mean rate of the ramp.
    #expect(abs(requested - 48_000 * (ofRate ? 1.25 : 1.5 / log(4))) < 3)
    #expect(try host.value(rate, global) == 2)
    let tone = try host.render(24_000)[0].dropping(2_000).tone(near: 1_000)
    #expect(abs(tone.frequency - 1_000) < 0.01)
  }

  @Test("reports the true latency at any rate", arguments: [0.5, 1, 1.5, 3] as [Float])
  func latency(value: Float) throws {
    let host = try host()
    try host.feed(0, channels: 2) { _, frame in frame == 6_000 ? 1 : 0 }
    try host.initialize()
    try host.set(rate, value, global)
    let reported = try host.unit.get(kAudioUnitProperty_Latency, as: 0.0) * 48_000
    let output = try host.render(16_000)[0].samples
    let place = output.indices.max { abs(output[$0]) < abs(output[$1]) } ?? 0
    #expect(abs(Double(place) - 6_000 / Double(value) - reported) <= 1)
  }

  @Test("suppresses aliases, at a higher quality more of them")
  func quality() throws {
    let levels = try [0, 64, 127].map { quality in
      let host = try host(quality: UInt32(quality))
      try host.feedSine(0, 15_000)
      try host.initialize()
      try host.set(rate, 2, global)
      return decibels(try host.render(24_000)[0].dropping(4_000).rms)
    }
    #expect(levels[0] < -80 && levels[1] < -110 && levels[2] < -125, "\(levels)")
  }
}
