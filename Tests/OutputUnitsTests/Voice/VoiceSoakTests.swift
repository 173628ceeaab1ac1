// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
@testable import AudioHardware
import Foundation
import SignalProcessing
import Testing

/// A call whose microphone and loudspeaker have different clocks, in simulated time. As in the
/// unit, a bridge passes the captured signal to the playing clock, and then the echo is removed.
private struct CallOnTwoClocks {
  static let rate = 16_000.0
  /// The number of interpolated echo samples for each frame; in between it is linear.
  private static let places = 16

  /// The far talker, and the interpolated echo; both repeat for ever.
  private let far: [Float]
  private let echo: [Float]

  init() {
    let once = Signal.speech(seed: 3, seconds: 20, sampleRate: Self.rate)
    let twice = Signal(once.samples + once.samples, sampleRate: Self.rate)
    let echoes = twice.passed(
      through: Signal.room(seed: 1, decay: 0.3, sampleRate: Self.rate), delay: Int(0.05 * Self.rate)
    )
    far = once.floats
    // The second repetition: it includes the reverberation of the first one's end.
    echo = Self.between(Array(echoes.samples[once.count...]))
  }

  /// Interpolates a signal that repeats with a windowed sinc.
  private static func between(_ samples: [Double]) -> [Float] {
    let reach = 24
    var output = [Float](repeating: 0, count: samples.count * places)
    for place in 0..<places {
      let fraction = Double(place) / Double(places)
      let taps = (-reach + 1...reach).map { tap -> Double in
        let x = Double(tap) - fraction
        let window = 0.5 + 0.5 * cos(.pi * x / Double(reach + 1))
        return x == 0 ? 1 : window * sin(.pi * x) / (.pi * x)
      }
      for frame in samples.indices {
        var sum = 0.0
        for (index, tap) in taps.enumerated() {
          sum += tap * samples[(frame + index - reach + 1 + samples.count) % samples.count]
        }
        output[frame * places + place] = Float(sum)
      }
    }
    return output
  }

  /// The echo at a time of the loudspeaker's clock, in frames.
  private func echo(at time: Double) -> Float {
    let place = time * Double(Self.places)
    let whole = place.rounded(.down)
    let index = Int(whole) % echo.count
    let part = Float(place - whole)
    return echo[index] + part * (echo[(index + 1) % echo.count] - echo[index])
  }

  /// The attenuation of the echo in decibels in each period of 20 s, if the microphone's clock is
  /// `drift` parts per million fast.
  func losses(minutes: Double, drift: Double) -> [Double] {
    let (pushFrames, pullFrames) = (128, 160)
    let bridge = ClockBridge(
      sampleRate: Self.rate, channelCount: 1, maximumFrames: pullFrames, quality: .high)
    var processor = VoiceProcessor(sampleRate: Self.rate)
    processor.followsLevel = false
    let input = UnsafeMutablePointer<Float>.allocate(capacity: pushFrames)
    let played = UnsafeMutablePointer<Float>.allocate(capacity: pullFrames)
    let microphone = UnsafeMutablePointer<Float>.allocate(capacity: pullFrames)
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
    channels.initialize(to: input)
    defer {
      processor.deallocate()
      for memory in [input, played, microphone] { memory.deallocate() }
      channels.deallocate()
    }
    let micRate = Self.rate * (1 + drift * 1e-6)
    func host(_ seconds: Double) -> UInt64 { UInt64((seconds + 1) * 1e9) }
    var (pushed, pulled) = (0, 0)
    var losses: [Double] = []
    var (before, after) = (0.0, 0.0)
    while Double(pulled) < minutes * 60 * Self.rate {
      let pullTime = Double(pulled) / Self.rate
      // A block is available when its last frame has been captured.
      while Double(pushed + pushFrames) / micRate <= pullTime {
        for frame in 0..<pushFrames {
          input[frame] = echo(at: Double(pushed + frame) / micRate * Self.rate)
        }
        pushed += pushFrames
        bridge.push(
          UnsafePointer(channels), frames: pushFrames, hostTime: host(Double(pushed) / micRate))
      }
      let captured = bridge.pull(pullFrames, hostTime: host(pullTime))[0]
      processor.setReportedDelay(0.05 + bridge.latency)
      for frame in 0..<pullFrames {
        microphone[frame] = captured[frame]
        before += Double(microphone[frame] * microphone[frame])
        played[frame] = far[(pulled + frame) % far.count]
      }
      processor.process(microphone, frames: pullFrames)
      processor.play(played, frames: pullFrames)
      for frame in 0..<pullFrames { after += Double(microphone[frame] * microphone[frame]) }
      pulled += pullFrames
      if pulled % (20 * Int(Self.rate)) == 0 {
        losses.append(10 * log10(before / max(after, 1e-9)))
        (before, after) = (0, 0)
      }
    }
    return losses
  }
}

/// Runs for two minutes, or for an hour if `AUDIOTOOLBOX_TEST_MINUTES` is set.
@Suite("Voice processing on two clocks for an hour")
struct VoiceSoakTests {
  private static let minutes: Double =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"] == nil ? 2 : 60

  @Test("removes the echo for an hour with clocks 200 ppm apart", arguments: [200.0, -200])
  func hour(drift: Double) {
    let losses = CallOnTwoClocks().losses(minutes: Self.minutes, drift: drift)
    // In the first periods it adapts to the room and the clocks.
    let rest = losses.dropFirst(2)
    #expect(rest.allSatisfy { $0 > 35 }, "\(losses)")
  }
}
