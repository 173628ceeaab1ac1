// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
@testable import BuiltInUnits
import Foundation
import SignalProcessing
import Testing

/// Compares the output with the set of measurements that is installed with libmysofa.
/// `Scripts/setup` installs it for the tests.
@Suite("Measured head of 3D mixers")
struct Mixer3DMeasuredHeadTests: Mixer3DTesting {
  private static let set: HeadMeasurement? = try? HeadFile.read(HeadFile.path())
  /// HRTF, HRTFHQ.
  private static let algorithms: [UInt32] = [2, 6]
  private static let directions: [(azimuth: Double, elevation: Double)] = [
    (0, 0), (90, 0), (-90, 0), (45, 0), (180, 0), (135, 0), (0, 40), (180, 40), (0, -40), (90, 30),
    (0, 90),
  ]
  private let thirds = [1_000.0, 2_000, 4_000, 6_300, 8_000, 10_000, 12_500, 16_000]

  /// The impulse responses of both ears.
  private func impulse(
    _ azimuthDegrees: Double, _ elevationDegrees: Double, algorithm: UInt32,
    rate: Double = 48_000, flags: UInt32 = 1
  ) throws -> [Signal] {
    let mixer = try MixerHost(kAudioUnitSubType_3DMixer, inputs: 1, sampleRate: rate)
    try mixer.feed(0, channels: 1) { _, frame in frame == 0 ? 1 : 0 }
    try mixer.unit.set(
      kAudioUnitProperty_SpatializationAlgorithm, to: algorithm, kAudioUnitScope_Input)
    try mixer.unit.set(kAudioUnitProperty_3DMixerRenderingFlags, to: flags, kAudioUnitScope_Input)
    try mixer.set(azimuth, Float(azimuthDegrees))
    try mixer.set(elevation, Float(elevationDegrees))
    try mixer.initialize()
    return try mixer.render(2_048).map { Signal($0.samples, sampleRate: rate) }
  }

  /// The level in a third of an octave, in decibels.
  private func level(_ signal: Signal, _ middle: Double) -> Double {
    var power = 0.0
    for part in 0..<12 {
      let frequency = middle * exp2((Double(part) - 5.5) / 36)
      var (real, imaginary) = (0.0, 0.0)
      for (frame, sample) in signal.samples.enumerated() where sample != 0 {
        let angle = 2 * .pi * frequency * Double(frame) / signal.sampleRate
        real += sample * cos(angle)
        imaginary += sample * sin(angle)
      }
      power += real * real + imaginary * imaginary
    }
    return 10 * log10(power / 12)
  }

  /// The measured response of an ear.
  private func measured(_ set: HeadMeasurement, _ azimuth: Double, _ elevation: Double, _ ear: Int)
    -> Signal
  {
    let place = HeadResponses.direction(azimuth: azimuth, elevation: elevation)
    return Signal(
      Array(set.response(set.nearest(to: place), ear: ear)), sampleRate: set.sampleRate)
  }

  @Test(
    "has the spectral cues of the set for front, back, above and below", arguments: algorithms,
    [44_100.0, 48_000, 96_000])
  func cues(algorithm: UInt32, rate: Double) throws {
    let set = try #require(Self.set)
    let front = try impulse(0, 0, algorithm: algorithm, rate: rate)
    for (azimuth, elevation) in Self.directions {
      let rendered = try impulse(azimuth, elevation, algorithm: algorithm, rate: rate)
      for ear in 0..<2 {
        for third in thirds {
          let difference = level(rendered[ear], third) - level(front[ear], third)
          let expected =
            level(measured(set, azimuth, elevation, ear), third)
            - level(measured(set, 0, 0, ear), third)
          // Near a notch the equalisation changes the weights of the frequencies of a third.
          #expect(
            abs(difference - expected) < 2.5,
            "\(azimuth), \(elevation), ear \(ear), \(third) Hz: \(difference), set \(expected)")
        }
      }
    }
  }

  @Test("is on average over all directions as loud as the source in every third of an octave")
  func equalisation() throws {
    var powers = [Double](repeating: 0, count: thirds.count)
    var weights = 0.0
    for elevation in stride(from: -40.0, through: 80, by: 20) {
      let weight = cos(elevation * .pi / 180)
      for azimuth in stride(from: 0.0, to: 360, by: 45) {
        let rendered = try impulse(azimuth, elevation, algorithm: 6)
        for (index, third) in thirds.enumerated() {
          for ear in 0..<2 { powers[index] += weight * pow(10, level(rendered[ear], third) / 10) }
        }
        weights += 2 * weight
      }
    }
    for power in powers.dropLast() { #expect(abs(10 * log10(power / weights)) < 2) }
  }

  /// The seconds by which a response is later than another from 200 to 1,500 Hz: the lag at which
  /// they correlate best.
  private static func lag(_ first: Signal, _ second: Signal) -> Double {
    func spectrum(_ signal: Signal, _ frequency: Double) -> (Double, Double) {
      var sum = (0.0, 0.0)
      for (frame, sample) in signal.samples.enumerated() where sample != 0 {
        let angle = 2 * Double.pi * frequency * Double(frame) / signal.sampleRate
        sum = (sum.0 + sample * cos(angle), sum.1 - sample * sin(angle))
      }
      return sum
    }
    let products = stride(from: 200.0, through: 1_500, by: 50).map { frequency in
      let (a, b) = (spectrum(first, frequency), spectrum(second, frequency))
      return (frequency, a.0 * b.0 + a.1 * b.1, a.1 * b.0 - a.0 * b.1)
    }
    func correlation(_ lag: Double) -> Double {
      products.reduce(0) { sum, product in
        let angle = 2 * Double.pi * product.0 * lag
        return sum + product.1 * cos(angle) - product.2 * sin(angle)
      }
    }
    let lags = stride(from: -1e-3, through: 1e-3, by: 2e-6)
    return lags.max { correlation($0) < correlation($1) } ?? 0
  }

  @Test(
    "delays the far ear like the set", arguments: algorithms, [-90.0, -40, 0, 20, 60])
  func delays(algorithm: UInt32, degrees: Double) throws {
    let set = try #require(Self.set)
    func onset(_ signal: Signal) -> Double {
      let threshold = 0.15 * signal.peak
      let frame = signal.samples.firstIndex { abs($0) >= threshold } ?? 0
      return Double(frame) / signal.sampleRate
    }
    let rendered = try impulse(degrees, 0, algorithm: algorithm, rate: 192_000)
    let difference = Self.lag(rendered[0], rendered[1])
    let expected = Self.lag(measured(set, degrees, 0, 0), measured(set, degrees, 0, 1))
    #expect(abs(difference - expected) < 20e-6)
    let together = try impulse(degrees, 0, algorithm: algorithm, rate: 192_000, flags: 0)
    #expect(abs(onset(together[0]) - onset(together[1])) < 46e-6)
  }

  @Test("does not comb between two directions that were measured", arguments: algorithms)
  func between(algorithm: UInt32) throws {
    for azimuth in [0.0, 45, 90, 180] {
      for low in [-30.0, 0, 30, 40] {
        let (below, above) = (
          try impulse(azimuth, low, algorithm: algorithm),
          try impulse(azimuth, low + 10, algorithm: algorithm)
        )
        let middle = try impulse(azimuth, low + 5, algorithm: algorithm)
        for ear in 0..<2 {
          for third in [1_000.0, 2_000, 4_000] {
            let least = min(level(below[ear], third), level(above[ear], third))
            #expect(level(middle[ear], third) > least - 1)
          }
        }
      }
    }
  }

  @Test(
    "moves without a click", arguments: algorithms, [500.0, 3_000])
  func motion(algorithm: UInt32, frequency: Double) throws {
    let mixer = try mixer(frequency: frequency, algorithm: algorithm)
    try mixer.set(azimuth, -180)
    try mixer.initialize()
    _ = try mixer.render(4_800)
    // A whole turn in a second.
    try mixer.schedule(azimuth, from: -180, to: 180, at: 0, frames: 48_000)
    for ear in try mixer.render(48_000, slices: [512, 100]) {
      let spectrum = Spectrum(ear)
      var (near, far) = (0.0, 0.0)
      for (bin, amplitude) in spectrum.amplitudes.enumerated() {
        // The modulation by passing 72 directions of the grid per second is near the tone.
        let isNear = abs(Double(bin) * spectrum.binWidth - frequency) < 220
        if isNear { near += amplitude * amplitude } else { far += amplitude * amplitude }
      }
      #expect(10 * log10(far / near) < -60)
    }
  }

  @Test("jumps to another place, and to another algorithm, without a click")
  func jumps() throws {
    let mixer = try mixer(frequency: 300, algorithm: 2)
    try mixer.initialize()
    var samples = try mixer.render(4_800)
    func renderMore() throws {
      for (channel, more) in try mixer.render(2_000, slices: [512, 37]).enumerated() {
        samples[channel].samples += more.samples
      }
    }
    for degrees in [90, -90, 180, 0, 45] as [Float] {
      try mixer.set(azimuth, degrees)
      try renderMore()
    }
    for algorithm in [0, 6, 1, 2, 4, 6, 5, 2] as [UInt32] {
      try mixer.unit.set(
        kAudioUnitProperty_SpatializationAlgorithm, to: algorithm, kAudioUnitScope_Input)
      try renderMore()
    }
    for channel in samples {
      let steepest = zip(channel.samples, channel.samples.dropFirst())
        .reduce(0) { max($0, abs($1.0 - $1.1)) }
      // The slope of the tone where it is loudest, and what 5 ms of fading and of Doppler add.
      #expect(steepest < 0.8 * 2 * .pi * 300 / 48_000 * 1.3)
    }
  }

  @Test("outputs the same bits in every run, selected before or after initialisation")
  func repetition() throws {
    func bits(chooseFirst: Bool) throws -> [[Double]] {
      let mixer = try mixer(frequency: 1_000, algorithm: chooseFirst ? 2 : 0)
      try mixer.set(azimuth, 77)
      try mixer.initialize()
      if !chooseFirst {
        try mixer.unit.set(
          kAudioUnitProperty_SpatializationAlgorithm, to: UInt32(2), kAudioUnitScope_Input)
      }
      return try mixer.render(4_800).map(\.samples)
    }
    #expect(try bits(chooseFirst: true) == bits(chooseFirst: true))
    #expect(try bits(chooseFirst: false) == bits(chooseFirst: true))
  }

  @Test("reports its file", arguments: Mixer3DKind.all)
  func property(kind: Mixer3DKind) throws {
    let unit = try MixerHost(kind.subType, inputs: 1).unit
    var text: Unmanaged<CFString>?
    var size = UInt32(MemoryLayout.size(ofValue: text))
    #expect(
      AudioUnitGetProperty(
        unit.handle, kAUDiagnosticsProperty_Head, kAudioUnitScope_Global, 0, &text, &size) == noErr)
    let string = try #require(text?.takeRetainedValue()).description
    #expect(string == (try HeadFile.path()))
  }

  @Test("refuses files that cannot be used, with a reason")
  func refusal() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("head-\(getpid()).sofa")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("not a set".utf8).write(to: file)
    #expect(throws: HeadFile.Failure.self) { try HeadFile.read(file.path) }
    let whole = try Data(contentsOf: URL(fileURLWithPath: HeadFile.path()))
    try whole.prefix(whole.count / 2).write(to: file)
    do throws(HeadFile.Failure) {
      _ = try HeadFile.read(file.path)
      Issue.record("half a file was read")
    } catch {
      #expect(error.reason.contains(file.path))
    }
    #expect(throws: HeadFile.Failure.self) { try HeadFile.read("/nowhere/head.sofa") }
  }
}
