// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CKernels
import Foundation
@testable import SignalProcessing
import Testing

@Suite("Measured head")
struct HeadTests {
  /// A synthetic head: both ears receive one impulse, the near ear earlier and louder.
  private func syntheticHead(rate: Double = 48_000, level: Float = 1) throws -> HeadMeasurement {
    var directions: [HeadMeasurement.Direction] = []
    var responses: [Float] = []
    for elevation in stride(from: -90.0, through: 90, by: 15) {
      for azimuth in stride(from: 0.0, to: 360, by: 15) {
        let direction = HeadResponses.direction(azimuth: azimuth, elevation: elevation)
        directions.append(.init(vector: direction, delays: .zero))
        for side in [-1, 1] as [Float] {
          var response = [Float](repeating: 0, count: 256)
          // At most half a millisecond from the middle to an ear.
          let frame = Int((64 - 12 * Double(side * direction.x)).rounded())
          response[frame] = level * (1 + 0.5 * side * direction.x)
          response[frame + 3] = level * 0.3 * direction.z
          responses += response
        }
      }
    }
    return try #require(
      HeadMeasurement(
        sampleRate: rate, sampleCount: 256, directions: directions, responses: responses))
  }

  /// Both ears' filters, first tap first, and their delays.
  private func filters(
    _ head: HeadResponses, _ azimuth: Double, _ elevation: Double,
    _ quality: HeadResponses.Quality
  ) -> (left: [Float], right: [Float], delays: SIMD2<Float>) {
    var (left, right) = (
      [Float](repeating: 0, count: head.taps), [Float](repeating: 0, count: head.taps)
    )
    let delays = head.design(
      toward: HeadResponses.direction(azimuth: azimuth, elevation: elevation), quality, left: &left,
      right: &right)
    return (left.reversed(), right.reversed(), delays)
  }

  @Test("has its delays separate from its filters", arguments: [22_050.0, 48_000, 96_000])
  func delays(rate: Double) throws {
    let head = HeadResponses(try syntheticHead(), sampleRate: rate)
    defer { head.deallocate() }
    for (quality, azimuth) in [
      (HeadResponses.Quality.plain, 0.0), (.fine, 30), (.plain, 90), (.fine, 135), (.plain, -90),
    ] {
      let (left, right, delays) = filters(head, azimuth, 0, quality)
      let expected = 24 * sin(azimuth * .pi / 180) / 48_000 * rate
      // Tolerance: half a frame of the set at each ear.
      #expect(abs(Double(delays.x - delays.y) - expected) < rate / 48_000 + 0.05)
      #expect(min(delays.x, delays.y) >= 0)
      // A minimum-phase filter has all its energy at the start.
      for filter in [left, right] {
        #expect(filter.dropFirst(8 * max(Int(rate / 48_000), 1)).allSatisfy { abs($0) < 0.1 })
      }
    }
  }

  /// The seconds by which the left response is later at a frequency, by the phases of both.
  private func delay(_ left: [Float], _ right: [Float], _ frequency: Double) -> Double {
    func phase(_ response: [Float]) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (frame, sample) in response.enumerated() {
        let angle = 2 * Double.pi * frequency * Double(frame) / 48_000
        real += Double(sample) * cos(angle)
        imaginary -= Double(sample) * sin(angle)
      }
      return atan2(imaginary, real)
    }
    let cycles = (phase(right) - phase(left)) / (2 * .pi)
    return (cycles - cycles.rounded()) / frequency
  }

  @Test("has the time difference between the ears that was measured below 1.5 kHz")
  func timeDifference() throws {
    // Before the impulse at the left ear are high frequencies, which come round the head faster.
    let plain = try syntheticHead()
    var responses = plain.responses
    for direction in plain.directions.indices {
      let first = 2 * direction * 256
      let impulse = responses[first..<first + 256].indices.max { responses[$0] < responses[$1] }
      let frame = try #require(impulse)
      for (offset, sample) in [(-9, 0.25), (-8, -0.5), (-7, 0.25)] as [(Int, Float)] {
        responses[frame + offset] += sample * responses[frame]
      }
    }
    let measurement = try #require(
      HeadMeasurement(
        sampleRate: 48_000, sampleCount: 256, directions: plain.directions, responses: responses))
    let head = HeadResponses(measurement, sampleRate: 48_000)
    defer { head.deallocate() }
    for (quality, azimuth) in [
      (HeadResponses.Quality.plain, 0.0), (.fine, 30), (.plain, 90), (.fine, 135), (.plain, -90),
    ] {
      let direction = measurement.nearest(
        to: HeadResponses.direction(azimuth: azimuth, elevation: 0))
      let (left, right, delays) = filters(head, azimuth, 0, quality)
      for frequency in [300.0, 600, 1_200] {
        let measured = delay(
          Array(measurement.response(direction, ear: 0)),
          Array(measurement.response(direction, ear: 1)), frequency)
        let own = delay(left, right, frequency) + Double(delays.x - delays.y) / 48_000
        let cycles = (own - measured) * frequency
        let error = (cycles - cycles.rounded()) / frequency
        #expect(abs(error) < 20e-6, "at \(azimuth) degrees and \(frequency) Hz")
      }
    }
  }

  @Test(
    "has the mean level of the source, however loud the measurement is", arguments: [0.01, 1, 30])
  func level(level: Float) throws {
    let head = HeadResponses(try syntheticHead(level: level), sampleRate: 48_000)
    defer { head.deallocate() }
    let (left, right, _) = filters(head, 0, 0, .fine)
    // From the front, an ear of this head receives the mean power less a twelfth.
    for filter in [left, right] {
      let power = filter.reduce(0) { $0 + Double($1 * $1) }
      #expect(abs(10 * log10(power)) < 0.8)
    }
  }

  @Test("is continuous at the poles and across them")
  func poles() throws {
    let head = HeadResponses(try syntheticHead(), sampleRate: 48_000)
    defer { head.deallocate() }
    for quality in [HeadResponses.Quality.plain, .fine] {
      for elevation in [-90.0, 90] {
        let first = filters(head, 0, elevation, quality).left
        for azimuth in [45.0, 123, 180, 359.9] {
          let other = filters(head, azimuth, elevation, quality).left
          #expect(zip(first, other).allSatisfy { abs($0 - $1) < 1e-3 })
        }
      }
      // Going around the head, nothing jumps.
      var before = filters(head, 359.99, 33, quality).right
      for azimuth in stride(from: 0.0, through: 360, by: 0.5) {
        let next = filters(head, azimuth, 33, quality).right
        #expect(zip(before, next).allSatisfy { abs($0 - $1) < 0.02 })
        before = next
      }
    }
  }

  @Test("is refused if its parts do not match")
  func refusal() {
    let front = HeadMeasurement.Direction(vector: SIMD3(0, 1, 0), delays: .zero)
    let nowhere = HeadMeasurement.Direction(vector: .zero, delays: .zero)
    let responses = [Float](repeating: 0, count: 32)
    func set(_ directions: [HeadMeasurement.Direction], count: Int) -> HeadMeasurement? {
      HeadMeasurement(
        sampleRate: 48_000, sampleCount: count, directions: directions, responses: responses)
    }
    #expect(set([front], count: 16) != nil)
    #expect(set([front], count: 17) == nil)
    #expect(set([nowhere], count: 16) == nil)
    #expect(set([], count: 16) == nil)
  }
}

@Suite("Interaural delay")
struct EarDelayTests {
  @Test(
    "passes up to 18 kHz within half a decibel, at any delay",
    arguments: [0, 0.25, 0.5, 3.1, 20.77] as [Float], [100.0, 5_000, 12_000, 18_000])
  func response(frames: Float, frequency: Double) {
    let delay = EarDelay()
    defer { delay.deallocate() }
    let past = 64
    let source = Signal.sine(frequency, count: past + 4_800 + 8).floats
    var moved = [Float](repeating: 0, count: 4_800)
    var still = moved
    source.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      delay.read(base + past, into: &still, count: 4_800, delay: frames, step: 0, longest: 40)
      delay.read(base + past, into: &moved, count: 4_800, delay: frames, step: 1e-30, longest: 40)
    }
    let tone = Signal(still).tone(at: frequency)
    #expect(abs(decibels(tone.amplitude)) < 0.5)
    let late = Double(past) - Double(frames) - Double(EarDelay.latencyFrames)
    let phase = (frequency * late / 48_000 - tone.phase).remainder(dividingBy: 1)
    #expect(abs(phase) < 0.002)
    #expect(Signal(still).largestDifference(from: Signal(moved)) < 1e-5)
  }
}

extension EarDelayTests {
  @Test(
    "moves the same to the bit with and without the C kernel", arguments: [-0.3, 0.01, 0.9, .nan])
  func reference(step: Float) {
    let delay = EarDelay()
    defer { delay.deallocate() }
    var random = Xoshiro256(seed: 3)
    let source = (0..<256).map { _ in random.nextSample() }
    var (fast, plain) = ([Float](repeating: 0, count: 64), [Float](repeating: 1, count: 64))
    source.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      delay.read(base + 128, into: &fast, count: 64, delay: 17.3, step: step, longest: 40)
      delay.readMovingOracle(
        base + 128, into: &plain, count: 64, delay: 17.3, step: step, longest: 40)
    }
    #expect(fast == plain)
    #expect(fast.contains { $0 != 0 })
  }
}

@Suite("Convolution")
struct ConvolutionKernelTests {
  @Test(
    "is the same to the bit with and without the C kernel", arguments: [1, 7, 8, 31, 64, 100],
    [1, 16, 128])
  func reference(count: Int, taps: Int) {
    var random = Xoshiro256(seed: 1)
    let past = (0..<count + taps + 8).map { _ in random.nextSample() }
    let response = (0..<taps).map { _ in random.nextSample() }
    var (fast, plain) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
    kernel_convolution(&fast, past, response, taps, count)
    for index in 0..<count {
      for tap in 0..<taps { plain[index] += response[tap] * past[index + tap] }
    }
    #expect(fast == plain)
    #expect(plain.contains { $0 != 0 })
  }
}

@Suite("Meaningless numbers")
struct MeaninglessNumberTests {
  private static let numbers: [Float] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e10, -1e10,
    .leastNonzeroMagnitude,
  ]

  @Test("give finite results in the functions that position a sound", arguments: numbers)
  func placing(number: Float) {
    #expect(Elementary.sine(degrees: number).isFinite)
    #expect(Elementary.cosine(degrees: number).isFinite)
    #expect(Elementary.arcCosine(number).isFinite)
    let pan = StereoPan.mono(number)
    #expect(pan.left.isFinite && pan.right.isFinite)
    let stereo = StereoPan.stereo(number)
    #expect(stereo.leftToRight.isFinite && stereo.rightToLeft.isFinite)
    for count in 1...8 {
      let ring = SpeakerRing(channelCount: count)
      defer { ring.deallocate() }
      for gains in [
        ring.equalPower(azimuth: number, elevation: number),
        ring.vectorBased(azimuth: number, elevation: number),
      ] {
        for channel in 0..<8 { #expect(gains[channel].isFinite) }
      }
    }
    let relative = HeadOrientation(yaw: number, pitch: number, roll: number)
      .relativeDirection(azimuth: number, elevation: number)
    #expect(relative.x.isFinite && relative.y.isFinite && relative.z.isFinite)
    let ears = SphericalHead(sampleRate: 48_000).ears(toward: SIMD3(number, number, number))
    #expect(ears.left.delay.isFinite && ears.right.alpha.isFinite)
    for curve in [DistanceAttenuation.Curve.power, .exponential, .inverse, .linear] {
      let attenuation = DistanceAttenuation(
        curve: curve, reference: 1, maximum: 100, maximumAttenuation: 40)
      #expect(attenuation.gain(at: number).isFinite)
    }
  }

  @Test("are limited when converted to integers", arguments: numbers)
  func whole(number: Float) {
    #expect(Elementary.whole(Double(number)).magnitude <= 1 << 53)
    #expect(FractionalDelay(frames: Double(number)).frames >= 1)
  }

  @Test("leave delays and rooms in a valid state", arguments: numbers)
  func delays(number: Float) {
    let delay = EarDelay()
    defer { delay.deallocate() }
    let source = [Float](repeating: 1, count: 256)
    var output = [Float](repeating: 0, count: 64)
    source.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      for step in [0, number] {
        delay.read(
          base + 128, into: &output, count: 64, delay: number, step: step, longest: 100)
        #expect(output.allSatisfy { abs($0 - 1) < 1e-5 })
      }
    }
    var room = LateReverberation(longest: 0.1, sampleRate: 48_000)
    defer { room.deallocate() }
    var settings = LateReverberation.Settings()
    settings.longest = Double(number)
    settings.shortest = Double(number)
    room.set(settings)
    var converter = VariableRateConverter(channelCount: 1, maximumFrames: 64)
    converter.set(rate: number)
    #expect((0...512).contains(converter.inputFramesNeeded(for: 64)))
  }
}
