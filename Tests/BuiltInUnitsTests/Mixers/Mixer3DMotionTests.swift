// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Motion and meters of 3D mixers")
struct Mixer3DMotionTests: Mixer3DTesting {
  // MARK: Playback rate

  /// A mixer that plays a sine of 500 Hz, and its expected output when the source is at `position`.
  private func played(_ kind: Mixer3DKind) throws -> (MixerHost, (Double) -> Double) {
    let mixer = try mixer(kind, frequency: 500)
    try mixer.initialize()
    return (
      mixer,
      { position in
        // Through 36 frames of the filter.
        0.5 * 0.5.squareRoot() * sin(2 * .pi * 500 * (position - 36) / 48_000)
      }
    )
  }

  @Test("follows a ramp of the playback rate from its first frame on", arguments: Mixer3DKind.all)
  func rateRamp(kind: Mixer3DKind) throws {
    let (mixer, sample) = try played(kind)
    try mixer.schedule(rate, from: 1, to: 2, at: 101, frames: 4_800)
    let rendered = try mixer.render(9_600, slices: [512, 7])[0].samples
    var position = 0.0
    for frame in 0..<9_600 {
      if frame > 36 { #expect(abs(rendered[frame] - sample(position)) < 1e-3) }
      position += 1 + min(max(Double(frame - 101) / 4_800, 0), 1)
    }
  }

  @Test("changes the playback rate at the frame that is requested", arguments: [1, 33, 600])
  func rateChange(at start: Int) throws {
    let (mixer, sample) = try played(Mixer3DKind.all[0])
    try mixer.schedule(rate, to: 1.5, at: start)
    let rendered = try mixer.render(2_400, slices: [1_000, 400])[0].samples
    // The filter smooths the start of the tone.
    for frame in 72..<2_400 {
      let position = Double(min(frame, start)) + 1.5 * Double(max(frame - start, 0))
      #expect(abs(rendered[frame] - sample(position)) < 1e-3)
    }
  }

  @Test("pulls no more than the maximum slice at a time while the rate ramps")
  func pulls() throws {
    let mixer = try mixer()
    let source = try mixer.feedSine(0, 1_000, channels: 1)
    try mixer.initialize()
    try mixer.schedule(rate, from: 2, to: 0.5, at: 0, frames: 10_000)
    _ = try mixer.render(10_000, slices: [1_024])
    #expect(source.calls.allSatisfy { $0.frames <= 1_024 })
    #expect(abs(source.frames - 12_500) < 100)
    // In one pull if one is enough.
    #expect(source.calls.count <= 25)
  }

  // MARK: Doppler shift

  /// The frequency of a tone of 1 kHz whose source moves at `speed` metres per second.
  private func pitch(_ speed: Float, flags: UInt32) throws -> Double {
    let mixer = try mixer()
    try mixer.unit.set(
      kAudioUnitProperty_3DMixerRenderingFlags, to: flags, kAudioUnitScope_Input)
    try mixer.initialize()
    let start: Float = speed < 0 ? 500 : 0
    try mixer.set(distance, start)
    _ = try mixer.render(512)
    try mixer.schedule(distance, from: start, to: start + 2 * speed, at: 0, frames: 96_000)
    _ = try mixer.render(48_000)
    let expected = 1_000 * 343 / (343 + Double(speed))
    return try mixer.render(24_000, slices: [512, 300])[0].tone(near: expected).frequency
  }

  @Test(
    "shifts the pitch of a moving source if requested",
    arguments: [-100, -34.3, 0, 10, 100, 200] as [Float])
  func doppler(speed: Float) throws {
    let expected = 1_000 * 343 / (343 + Double(speed))
    #expect(abs(try pitch(speed, flags: 3) / expected - 1) < 1e-4)
  }

  @Test("does not shift the pitch otherwise")
  func noDoppler() throws {
    let mixer = try mixer()
    try mixer.unit.set(
      kAudioUnitProperty_3DMixerRenderingFlags, to: UInt32(1), kAudioUnitScope_Input)
    try mixer.initialize()
    try mixer.schedule(distance, from: 0, to: 100, at: 0, frames: 48_000)
    let tone = try mixer.render(48_000)[0].dropping(4_800).tone(near: 1_000)
    #expect(abs(tone.frequency - 1_000) < 1e-3)
  }

  @Test("treats a source that is moved in steps like one that moves steadily")
  func steps() throws {
    let mixer = try mixer()
    try mixer.unit.set(
      kAudioUnitProperty_3DMixerRenderingFlags, to: UInt32(2), kAudioUnitScope_Input)
    try mixer.initialize()
    var samples: [Double] = []
    // Sixty times a second by half a metre: 30 m/s.
    for step in 0..<120 {
      try mixer.set(distance, 0.5 * Float(step))
      samples += try mixer.render(800, slices: [800])[0].samples
    }
    // A second of it: a whole number of steps.
    let second = samples.suffix(48_000)
    let crossings = zip(second, second.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(Double(crossings) - 1_000 * 343 / 373) <= 2)
    // The rate is never far above the mean rate of the steps: no click.
    let steepest = zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
    #expect(steepest < 0.06)
  }

  @Test(
    "plays a source that is moved in steps at a constant pitch, within two cents",
    arguments: [800, 512, 480, 256])
  func steadyPitch(slice: Int) throws {
    // High enough for the pitch to be measured within a few milliseconds.
    let mixer = try mixer(frequency: 5_000)
    try mixer.unit.set(
      kAudioUnitProperty_3DMixerRenderingFlags, to: UInt32(2), kAudioUnitScope_Input)
    try mixer.initialize()
    var samples: [Double] = []
    var step = -1
    while samples.count < 72_000 {
      // A program that updates sixty times a second, at 34 m/s; updates apply at slices.
      while (step + 1) * 800 <= samples.count {
        step += 1
        try mixer.set(distance, 34 / 60 * Float(step))
      }
      samples += try mixer.render(slice, slices: [slice])[0].samples
    }
    let cents = pitches(samples.suffix(48_000), near: 5_000 * 343 / 377)
    let (lowest, highest) = (cents.min() ?? -.infinity, cents.max() ?? .infinity)
    #expect(highest - lowest < 2)
    #expect(abs(highest + lowest) / 2 < 1)
  }

  /// The pitch in cents relative to a frequency, every 2.5 ms, from the phases of windows of 5 ms.
  private func pitches(_ samples: ArraySlice<Double>, near frequency: Double) -> [Double] {
    let (length, hop) = (240, 120)
    let cycle = 2 * Double.pi * frequency / 48_000
    var before: Double?
    var pitches: [Double] = []
    for start in stride(from: samples.startIndex, through: samples.endIndex - length, by: hop) {
      var (real, imaginary) = (0.0, 0.0)
      for frame in start..<start + length {
        let window = 0.5 - 0.5 * cos(2 * .pi * (Double(frame - start) + 0.5) / Double(length))
        real += window * samples[frame] * cos(cycle * Double(frame))
        imaginary -= window * samples[frame] * sin(cycle * Double(frame))
      }
      let phase = atan2(imaginary, real)
      if let before {
        let turn = (phase - before).remainder(dividingBy: 2 * .pi)
        pitches.append(1_200 * log2(1 + turn / (cycle * Double(hop))))
      }
      before = phase
    }
    return pitches
  }

  @Test("follows a change of speed 0.18 seconds later")
  func delay() throws {
    let mixer = try mixer(frequency: 1_000)
    try mixer.unit.set(
      kAudioUnitProperty_3DMixerRenderingFlags, to: UInt32(2), kAudioUnitScope_Input)
    try mixer.initialize()
    _ = try mixer.render(24_000)
    try mixer.schedule(distance, from: 0, to: 34, at: 0, frames: 48_000)
    let samples = try mixer.render(24_000)[0].samples
    let cents = pitches(samples[...], near: 1_000)
    let end = 1_200 * log2(343.0 / 377)
    let middle = try #require(cents.firstIndex { $0 < end / 2 })
    // The filter of the playback rate adds 48 frames.
    #expect(abs(Double(middle) * 120 / 48_000 - 0.181) < 0.006)
    #expect(abs((cents.last ?? 0) - end) < 0.5)
  }

  // MARK: Meters

  @Test("meters its inputs before and after gain and distance", arguments: Mixer3DKind.all)
  func meters(kind: Mixer3DKind) throws {
    let mixer = try mixer(kind)
    try mixer.unit.set(kAudioUnitProperty_MeteringMode, to: UInt32(1), kAudioUnitScope_Input)
    try mixer.set(gain, -6)
    try mixer.set(distance, 4)
    try mixer.initialize()
    _ = try mixer.render(96_000)
    let level = decibels(0.5)
    let after = level - 6 - decibels(4)
    for (id, expected) in [
      (k3DMixerParam_PreAveragePower, level - 3.0103), (k3DMixerParam_PrePeakHoldLevel, level),
      (k3DMixerParam_PostAveragePower, after - 3.0103), (k3DMixerParam_PostPeakHoldLevel, after),
    ] {
      #expect(abs(Double(try mixer.value(AudioUnitParameterID(id))) - expected) < 0.03)
      #expect(try mixer.value(AudioUnitParameterID(id) + 1) == -120)
    }
    #expect(
      mixer.unit.setting(
        kAudioUnitProperty_MeteringMode, to: UInt32(1), kAudioUnitScope_Output, 0)
        == kAudioUnitErr_InvalidScope)
    // Silence is metered too.
    try mixer.set(kind.enable, 0)
    _ = try mixer.render(480_000)
    #expect(try mixer.value(AudioUnitParameterID(k3DMixerParam_PreAveragePower)) < -80)
  }
}
