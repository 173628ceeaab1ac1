// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// A unit that changes the speed without changing the pitch.
enum TimeUnit: String, CaseIterable, Sendable {
  case timePitch, newTimePitch, iPodTime, iPodTimeOther

  static let spectral: [TimeUnit] = [.timePitch, .newTimePitch]

  var subType: OSType {
    switch self {
    case .timePitch: kAudioUnitSubType_TimePitch
    case .newTimePitch: kAudioUnitSubType_NewTimePitch
    case .iPodTime: kAudioUnitSubType_AUiPodTime
    case .iPodTimeOther: kAudioUnitSubType_AUiPodTimeOther
    }
  }

  func host() throws -> MixerHost {
    let host = try MixerHost(subType, type: kAudioUnitType_FormatConverter)
    try host.unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(4_096))
    return host
  }
}

extension MixerHost {
  /// The reported latency in frames.
  var latency: Double {
    get throws { try unit.get(kAudioUnitProperty_Latency, as: 0.0) * sampleRate }
  }
}

@Suite("Time and pitch units")
struct TimePitchTests {
  private let global = kAudioUnitScope_Global
  // These identifiers are the same for all units.
  private let rate = kNewTimePitchParam_Rate
  private let pitch = kNewTimePitchParam_Pitch

  @Test(
    "consume twice the frames at a rate of two, and keep the pitch to a cent",
    arguments: TimeUnit.allCases)
  func rateTwo(unit: TimeUnit) throws {
    let host = try unit.host()
    let source = try host.feedSine(0, 1_000)
    try host.initialize()
    try host.set(rate, 2, global)
    let output = try host.render(48_000)[0].dropping(24_000)
    #expect(source.calls.reduce(0) { $0 + $1.frames } == 96_000)
    let tone = output.tone(near: 1_000)
    #expect(abs(1_200 * log2(tone.frequency / 1_000)) < 0.1)
    #expect(abs(tone.amplitude - 0.5) < 0.001 && tone.distortionAndNoise < -120)
  }

  @Test("double the frequency by 1200 cents at equal length", arguments: TimeUnit.spectral)
  func octave(unit: TimeUnit) throws {
    let host = try unit.host()
    let source = try host.feedSine(0, 1_000)
    try host.initialize()
    try host.set(pitch, 1_200, global)
    let output = try host.render(48_000)[0].dropping(24_000)
    #expect(source.calls.reduce(0) { $0 + $1.frames } == 48_000)
    let tone = output.tone(near: 2_000)
    #expect(abs(1_200 * log2(tone.frequency / 2_000)) < 0.1)
    #expect(abs(tone.amplitude - 0.5) < 0.002 && tone.distortionAndNoise < -90)
  }

  @Test("keep the pitch at the ends of their range", arguments: [1 / 32, 1 / 4, 8, 32] as [Float])
  func extremes(value: Float) throws {
    let host = try TimeUnit.newTimePitch.host()
    try host.feedSine(0, 1_000)
    try host.initialize()
    try host.set(rate, value, global)
    // The start is not steady: skip two windows of input.
    let wait = Int(try host.latency) + Int(8_192 / min(value, 1))
    let tone = try host.render(wait + 24_000)[0].dropping(wait).tone(near: 1_000)
    #expect(abs(1_200 * log2(tone.frequency / 1_000)) < 0.1)
    #expect(abs(tone.amplitude - 0.5) < 0.01 && tone.distortionAndNoise < -100)
  }

  @Test("stretch a tone without spurs", arguments: [0.8, 1.25, 0.5] as [Float])
  func purity(value: Float) throws {
    let host = try TimeUnit.newTimePitch.host()
    try host.feedSine(0, 1_000)
    try host.initialize()
    try host.set(rate, value, global)
    let tone = try host.render(72_000)[0].dropping(24_000).tone(near: 1_000)
    #expect(tone.distortionAndNoise < -128)
  }

  @Test("follow rate and pitch under automation, without a click", arguments: TimeUnit.spectral)
  func automation(unit: TimeUnit) throws {
    let host = try unit.host()
    let source = try host.feedSine(0, 500)
    try host.initialize()
    try host.set(rate, 0.8, global)
    _ = try host.render(24_000)
    let before = source.calls.reduce(0) { $0 + $1.frames }
    try host.schedule(rate, from: 0.8, to: 1.6, at: 0, frames: 48_000, global)
    try host.schedule(pitch, from: 0, to: 1_200, at: 100, frames: 40_000, global)
    let output = try host.render(48_000, slices: [64, 500, 1_024])[0]
    #expect(output.largestBend(frequency: 1_000, amplitude: 0.5) < 1.05)
    let requested = source.calls.reduce(0) { $0 + $1.frames } - before
    #expect(abs(requested - 57_600) < 4)
    let tone = try host.render(48_000)[0].dropping(24_000).tone(near: 1_000)
    #expect(abs(1_200 * log2(tone.frequency / 1_000)) < 0.1)
  }

  @Test(
    "preserve clicks and their positions", arguments: TimeUnit.spectral,
    [0.8, 1.25, 1.5] as [Float])
  func clicks(unit: TimeUnit, value: Float) throws {
    let host = try unit.host()
    try host.feed(0) { _, frame in frame % 12_000 == 6_000 ? 0.9 : 0 }
    try host.initialize()
    try host.set(rate, value, global)
    let reported = try host.latency
    let output = try host.render(96_000)[0].samples
    let places = output.indices.filter { abs(output[$0]) > 0.09 }
    #expect(places.count > 5)
    for place in places {
      let input = (Double(place) - reported) * Double(value) - 6_000
      let error = (input - (input / 12_000).rounded() * 12_000) / Double(value)
      #expect(abs(error) < 5, "a click at \(place)")
      #expect(abs(output[place]) > 0.85)
    }
  }

  @Test("neither repeat nor drop a click in the time domain", arguments: [0.8, 0.9, 1.1, 1.25])
  func timeDomainClicks(value: Double) throws {
    let host = try TimeUnit.iPodTime.host()
    try host.feed(0) { _, frame in frame % 12_000 == 6_000 ? 0.9 : 0 }
    try host.initialize()
    try host.set(rate, Float(value), global)
    let end = Int(Double(24 * 12_000) / value + (try host.latency))
    let output = try host.render(end)[0].samples
    #expect(output.filter { abs($0) > 0.3 }.count == 24)
  }

  @Test("keep equal channels equal and opposite ones opposite", arguments: TimeUnit.allCases)
  func channels(unit: TimeUnit) throws {
    for sign in [1, -1] as [Float] {
      let host = try unit.host()
      let noise = quietNoise(48_000)
      try host.feed(0) { channel, frame in noise[frame % 48_000] * (channel == 0 ? 1 : sign) }
      try host.initialize()
      try host.set(rate, 0.8, global)
      let output = try host.render(24_000)
      #expect(output[0].rms > 0.001)
      #expect(zip(output[0].samples, output[1].samples).allSatisfy { $0 * Double(sign) == $1 })
    }
  }

  @Test("output the same bits in slices of any size and in every run", arguments: TimeUnit.allCases)
  func slices(unit: TimeUnit) throws {
    func run(_ slices: [Int]) throws -> [Double] {
      let host = try unit.host()
      let noise = quietNoise(48_000)
      try host.feed(0) { channel, frame in
        noise[(frame + 700 * channel) % 48_000] + (frame % 5_000 == 0 ? 0.5 : 0)
      }
      try host.initialize()
      try host.set(rate, 0.77, global)
      if TimeUnit.spectral.contains(unit) { try host.set(pitch, 133, global) }
      return try host.render(40_000, slices: slices).flatMap(\.samples)
    }
    let whole = try run([4_096])
    #expect(try run([4_096]) == whole)
    #expect(try run([64]) == whole)
    #expect(try run([1, 777, 30, 2_048]) == whole)
  }

  @Test("pass their input unchanged while they are bypassed", arguments: TimeUnit.allCases)
  func bypass(unit: TimeUnit) throws {
    let host = try unit.host()
    let noise = quietNoise(48_000)
    let source = try host.feed(0) { channel, frame in noise[(frame + channel) % 48_000] }
    try host.initialize()
    try host.set(rate, 1.3, global)
    _ = try host.render(20_000)
    try host.unit.set(kAudioUnitProperty_BypassEffect, to: UInt32(1))
    let lag = Int((try host.latency).rounded())
    _ = try host.render(2_000)
    let consumed = source.calls.reduce(0) { $0 + $1.frames }
    let output = try host.render(512)
    for channel in 0..<2 {
      for frame in 0..<512 {
        let place = consumed + frame - lag + channel
        #expect(output[channel].samples[frame] == Double(noise[place % 48_000]))
      }
    }
    try host.unit.set(kAudioUnitProperty_BypassEffect, to: UInt32(0))
    #expect(try host.render(4_000)[0].peak.isFinite)
  }

  @Test("change the overlap without changing a steady tone")
  func overlap() throws {
    let host = try TimeUnit.newTimePitch.host()
    try host.feedSine(0, 700)
    try host.initialize()
    try host.set(rate, 0.9, global)
    _ = try host.render(20_000)
    for value in [3, 8, 16, 32, 3, 32, 8] as [Float] {
      try host.set(kNewTimePitchParam_Overlap, value, global)
      let tone = try host.render(9_000)[0].tone(at: 700)
      #expect(abs(tone.amplitude - 0.5) < 0.003 && tone.distortionAndNoise < -45, "\(value)")
    }
    #expect(try host.render(30_000)[0].dropping(9_000).tone(near: 700).distortionAndNoise < -110)
  }

  @Test("keep the formants of a voice if requested")
  func formants() throws {
    /// The spectral centroid of pulses at 100 Hz through a resonance at 1000 Hz, after 700 cents.
    func centre(_ keeps: UInt32) throws -> Double {
      let host = try TimeUnit.newTimePitch.host()
      try host.unit.set(kAUDiagnosticsProperty_KeepsFormants, to: keeps)
      try host.feed(0) { _, frame in
        let t = Double(frame % 480) / 48_000
        return Float(0.3 * exp(-t * 600) * sin(2 * .pi * 1_000 * t))
      }
      try host.initialize()
      try host.set(pitch, 700, global)
      let output = try host.render(48_000)[0].dropping(24_000)
      let fundamental = 100 * exp2(700 / 1_200.0)
      let levels = (1...20).map { output.tone(at: fundamental * Double($0)).amplitude }
      let power = levels.map { $0 * $0 }
      let sum = zip(1..., power).reduce(0) { $0 + Double($1.0) * $1.1 }
      return fundamental * sum / power.reduce(0, +)
    }
    let (moved, kept) = (try centre(0), try centre(1))
    #expect(moved > 1_350 && kept < 1_150, "\(moved), \(kept)")
  }

  @Test("report the true latency", arguments: TimeUnit.allCases, [0.5, 0.8, 1, 1.6] as [Float])
  func latency(unit: TimeUnit, value: Float) throws {
    let host = try unit.host()
    try host.feed(0) { _, frame in frame == 20_000 ? 0.9 : 0 }
    try host.initialize()
    try host.set(rate, value, global)
    let expected = 20_000 / Double(value) + (try host.latency)
    let output = try host.render(Int(expected) + 6_000)[0].samples
    let place = output.indices.max { abs(output[$0]) < abs(output[$1]) } ?? 0
    // Pieces are joined within 15 ms of the exact position.
    let allowed = TimeUnit.spectral.contains(unit) || value == 1 ? 5.0 : 1_500
    #expect(abs(Double(place) - expected) <= allowed)
  }

  @Test(
    "have at most 64 ms of latency, 30 with an overlap of 3, and report it exactly",
    arguments: [(3, 0.03), (8, 0.064), (12, 0.1), (24, 0.1)] as [(Float, Double)],
    [0.5, 1, 1.6] as [Float])
  func overlapLatency(overlap: (value: Float, latency: Double), value: Float) throws {
    let host = try TimeUnit.newTimePitch.host()
    try host.feed(0) { _, frame in frame == 20_000 ? 0.9 : 0 }
    try host.initialize()
    try host.set(rate, value, global)
    try host.set(kNewTimePitchParam_Overlap, overlap.value, global)
    let latency = try host.latency
    if value == 1 { #expect(latency <= overlap.latency * host.sampleRate) }
    let expected = 20_000 / Double(value) + latency
    let output = try host.render(Int(expected) + 6_000)[0].samples
    let place = output.indices.max { abs(output[$0]) < abs(output[$1]) } ?? 0
    #expect(abs(Double(place) - expected) <= 5)
  }

  @Test("report to a host which input is in the output", arguments: TimeUnit.allCases)
  func inputSamples(unit: TimeUnit) throws {
    final class Report { var last = (first: 0.0, count: 0.0) }
    let (host, report) = (try unit.host(), Report())
    try host.feedSine(0, 440)
    try host.unit.set(
      kAudioUnitProperty_InputSamplesInOutput,
      to: AUInputSamplesInOutputCallbackStruct(
        inputToOutputCallback: { context, _, first, count in
          Unmanaged<Report>.fromOpaque(context).takeUnretainedValue().last = (first, count)
        }, userData: Unmanaged.passUnretained(report).toOpaque()))
    try host.initialize()
    try host.set(rate, 1.5, global)
    let lag = try host.latency * 1.5
    _ = try host.render(20_480)
    #expect(abs(report.last.count - 768) <= 1)
    #expect(abs(report.last.first - (20_480 * 1.5 - 768 - lag)) <= 2)
  }
}
