// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
@testable import AudioHardware
import Foundation
import Testing

/// Two clocks that drift apart. A tone is captured by one and played by the other, in simulated
/// time.
private struct TwoClocks {
  static let rate = 8_000.0
  static let frequency = 440.0

  /// How much faster the capturing clock is, in parts per million.
  var drift: Double
  var pushFrames: Int
  var pullFrames: Int
  /// The jitter of the cycles and of their measured times, in seconds.
  var jitter = 0.0
  /// A time range in seconds in which nothing is captured.
  var pause: Range<Double>?
  /// A jump of the host's clock: its time and size in seconds.
  var jump: (at: Double, by: Double)?

  /// The result of a run.
  struct Result {
    /// Gaps as counted by the bridge.
    var gapCount = 0
    /// The fewest and most buffered frames, after the drift was known.
    var held = Int.max...Int.max
    /// The largest second difference of the waveform as a multiple of the tone's, after the drift
    /// was known.
    var bend = 0.0
    /// The last seconds of the output.
    var end = Signal([] as [Double])
    var latency = 0.0
    var drift = 0.0
  }

  /// Runs for some seconds of the playing clock.
  func run(seconds: Double) -> Result {
    let bridge = ClockBridge(
      sampleRate: Self.rate, channelCount: 1, maximumFrames: pullFrames, quality: .low)
    let input = UnsafeMutablePointer<Float>.allocate(capacity: pushFrames)
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
    channels.initialize(to: input)
    defer {
      input.deallocate()
      channels.deallocate()
    }
    var random = Xorshift()
    let pushPeriod = Double(pushFrames) / (Self.rate * (1 + drift * 1e-6))
    let pullPeriod = Double(pullFrames) / Self.rate
    var oscillator = Phasor(step: 2 * .pi * Self.frequency / Self.rate)
    var (pushed, pulled) = (0, 0)
    var result = Result()
    var (first, second): (Float, Float) = (0, 0)
    var (least, most) = (Int.max, 0)
    let settled = min(120, seconds / 2)
    let step = 2 * sin(.pi * Self.frequency / Self.rate)
    var end: [Float] = []
    while true {
      // A block is available when its last frame has been captured.
      let pushTime = Double(pushed + 1) * pushPeriod
      let pullTime = Double(pulled) * pullPeriod
      if pullTime >= seconds { break }
      if pushTime <= pullTime {
        for frame in 0..<pushFrames { input[frame] = oscillator.next() }
        let time = nanoseconds(seen(pushTime) + jitter * random.next())
        if pause?.contains(pushTime) != true {
          bridge.push(UnsafePointer(channels), frames: pushFrames, hostTime: time)
        }
        pushed += 1
        continue
      }
      let time = nanoseconds(seen(pullTime) + jitter * random.next())
      let output = bridge.pull(pullFrames, hostTime: time)[0]
      if pullTime >= settled {
        least = min(least, bridge.queuedFrames)
        most = max(most, bridge.queuedFrames)
        for frame in 0..<pullFrames {
          let bend = abs(output[frame] - 2 * second + first)
          if Double(bend) > result.bend { result.bend = Double(bend) }
          (first, second) = (second, output[frame])
        }
      } else {
        (first, second) = (output[pullFrames - 2], output[pullFrames - 1])
      }
      if pullTime >= seconds - 4 {
        end += UnsafeBufferPointer(start: output, count: pullFrames)
      }
      pulled += 1
    }
    result.bend /= 0.5 * step * step
    result.gapCount = bridge.gapCount
    result.held = least...max(least, most)
    result.end = Signal(end, sampleRate: Self.rate)
    result.latency = bridge.latency
    result.drift = bridge.drift
    return result
  }

  private func seen(_ time: Double) -> Double {
    time + (jump.map { time >= $0.at ? $0.by : 0 } ?? 0)
  }

  private func nanoseconds(_ seconds: Double) -> UInt64 { UInt64((seconds + 1) * 1e9) }
}

/// A sine of amplitude 0.5, computed by rotation.
private struct Phasor {
  private let (turnReal, turnImaginary): (Double, Double)
  private var (real, imaginary) = (1.0, 0.0)

  init(step: Double) { (turnReal, turnImaginary) = (cos(step), sin(step)) }

  mutating func next() -> Float {
    let value = imaginary
    let length = 1.5 - 0.5 * (real * real + imaginary * imaginary)  // stays on the circle
    (real, imaginary) = (
      length * (real * turnReal - imaginary * turnImaginary),
      length * (real * turnImaginary + imaginary * turnReal)
    )
    return Float(0.5 * value)
  }
}

/// Repeatable random numbers within ±1.
private struct Xorshift {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func next() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Double(Int64(bitPattern: state)) * 0x1p-63
  }
}

@Suite("Duplex on two clocks")
struct ClockBridgeTests {
  @Test(
    "runs for an hour 200 ppm apart without a gap, without growth and in tune",
    arguments: [200.0, -200])
  func hour(drift: Double) {
    let clocks = TwoClocks(drift: drift, pushFrames: 128, pullFrames: 96)
    let result = clocks.run(seconds: 3_600)
    #expect(result.gapCount == 0)
    // A gap or a repeated or lost frame causes a far larger second difference than the tone.
    #expect(result.bend < 1.01)
    // At most the last captured and the next required frames are buffered, because the clocks'
    // cycles pass each other.
    #expect(result.held.lowerBound >= 0)
    #expect(result.held.upperBound < 128 + 96 + 128)
    #expect(abs(result.drift * 1e6 - drift) < 1)
    let tone = result.end.tone(near: TwoClocks.frequency)
    // The tone is faster by the drift.
    #expect(abs(tone.frequency - TwoClocks.frequency * (1 + drift * 1e-6)) < 1e-3)
    #expect(abs(tone.amplitude - 0.5) < 1e-3)
    #expect(tone.distortionAndNoise < -60)
  }

  @Test("runs with jittering cycles without gaps", arguments: [0.001, 0.003])
  func jitter(seconds: Double) {
    var clocks = TwoClocks(drift: 150, pushFrames: 80, pullFrames: 80)
    clocks.jitter = seconds
    let result = clocks.run(seconds: 300)
    #expect(result.gapCount <= 1)  // it may need one gap to adapt to the jitter
    #expect(abs(result.drift * 1e6 - 150) < 40)
    let tone = result.end.tone(near: TwoClocks.frequency)
    #expect(abs(tone.frequency - TwoClocks.frequency) < 0.2)
  }

  @Test("restarts after a pause with the same latency")
  func pause() {
    var clocks = TwoClocks(drift: 100, pushFrames: 128, pullFrames: 128)
    let steady = clocks.run(seconds: 60)
    clocks.pause = 20..<21
    let paused = clocks.run(seconds: 60)
    #expect(steady.gapCount == 0)
    #expect(paused.gapCount == 1)
    #expect(paused.end.tone(near: TwoClocks.frequency).distortionAndNoise < -60)
    #expect(abs(paused.latency - steady.latency) < 0.04)
  }

  @Test("continues in tune when the host's clock jumps", arguments: [30.0, -15])
  func jump(by seconds: Double) {
    var clocks = TwoClocks(drift: 100, pushFrames: 96, pullFrames: 128)
    let steady = clocks.run(seconds: 120)
    clocks.jump = (20, seconds)
    let jumped = clocks.run(seconds: 120)
    #expect(jumped.gapCount <= 1)
    let tone = jumped.end.tone(near: TwoClocks.frequency)
    #expect(abs(tone.frequency - TwoClocks.frequency) < 0.2)
    #expect(tone.distortionAndNoise < -60)
    #expect(abs(jumped.latency - steady.latency) < 0.04)
  }

  @Test("reports the true latency")
  func latency() {
    // With equal clocks and regular cycles, the output is the input delayed by the latency.
    let clocks = TwoClocks(drift: 0, pushFrames: 128, pullFrames: 128)
    let result = clocks.run(seconds: 8)
    let tone = result.end.tone(at: TwoClocks.frequency)
    var cycles = -tone.phase - TwoClocks.frequency * result.latency
    cycles -= cycles.rounded()
    #expect(abs(cycles / TwoClocks.frequency * TwoClocks.rate) < 1)
  }
}
