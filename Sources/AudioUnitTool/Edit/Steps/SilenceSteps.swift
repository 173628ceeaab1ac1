// SPDX-License-Identifier: Apache-2.0
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// The level below which a frame is silent, on all channels.
struct SilenceThreshold: Sendable {
  let magnitude: Double

  /// From decibels of full scale.
  init(_ decibels: Double) { magnitude = Decibels.gain(decibels) }

  /// Whether a frame is silent.
  func isSilent(_ frame: UnsafePointer<Double>, _ channelCount: Int) -> Bool {
    for channel in 0..<channelCount where abs(frame[channel]) >= magnitude { return false }
    return true
  }
}

/// Removes the silence at both ends.
struct TrimStep: EditStep {
  let threshold: SilenceThreshold

  var passCount: Int { 2 }

  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    let measured = try input()
    var (position, first, last) = (0, Int.max, -1)
    try measured.forEachBlock { block, count in
      for frame in 0..<count
      where !threshold.isSilent(block.samples + frame * block.channelCount, block.channelCount) {
        first = min(first, position + frame)
        last = position + frame
      }
      position += count
    }
    return CutStream(try input(), last < 0 ? 0..<0 : first..<last + 1)
  }
}

/// Shortens every silence.
struct SilenceStep: EditStep {
  /// What remains of each silence, in seconds.
  let remaining: Double
  let threshold: SilenceThreshold

  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    let sound = try input()
    return SilenceStream(
      sound, threshold, remaining: Int(saturating: (remaining * sound.sampleRate).rounded()))
  }
}

/// A sound whose silences are not longer than a number of frames.
private final class SilenceStream: SteppedStream {
  let input: any SoundStream
  private let threshold: SilenceThreshold
  private let remaining: Int
  /// Silent frames since the last that was not.
  private var quiet = 0

  init(_ input: any SoundStream, _ threshold: SilenceThreshold, remaining: Int) {
    (self.input, self.threshold, self.remaining) = (input, threshold, remaining)
  }

  var frameCount: Int? { nil }
  var map: FrameMap? { nil }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    while case let count = try input.read(into: samples, frameCount), count > 0 {
      let channels = channelCount
      var kept = 0
      for frame in 0..<count {
        quiet = threshold.isSilent(samples + frame * channels, channels) ? quiet + 1 : 0
        guard quiet <= remaining else { continue }
        if kept < frame {
          (samples + kept * channels).update(from: samples + frame * channels, count: channels)
        }
        kept += 1
      }
      if kept > 0 { return kept }
    }
    return 0
  }
}
