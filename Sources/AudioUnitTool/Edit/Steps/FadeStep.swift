// SPDX-License-Identifier: Apache-2.0
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// Fades a sound in and out.
struct FadeStep: EditStep {
  /// How the gain rises from 0 to 1.
  enum Curve: String, CaseIterable, Sendable {
    /// In proportion to time.
    case linear
    /// As a quarter of a sine: two such fades cross at equal power.
    case sine
    /// In proportion to the level, from -60 dB.
    case exponential

    /// The gain at 0...1 of the fade.
    func gain(at place: Double) -> Double {
      switch self {
      case .linear: place
      case .sine: sin(place * .pi / 2)
      case .exponential: place == 0 ? 0 : pow(10, 3 * (place - 1))
      }
    }
  }

  /// In seconds.
  let fadeIn: Double
  let fadeOut: Double
  let curve: Curve

  /// The end must be known before the fade out.
  var passCount: Int { fadeOut > 0 ? 2 : 1 }

  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    var sound = try input()
    var length = sound.frameCount
    if length == nil, fadeOut > 0 {
      length = try sound.skip(.max)
      sound = try input()
    }
    func frames(_ seconds: Double) -> Int {
      Int(saturating: (seconds * sound.sampleRate).rounded())
    }
    return FadeStream(sound, frames(fadeIn), frames(fadeOut), end: length ?? .max, curve)
  }
}

private final class FadeStream: SteppedStream {
  let input: any SoundStream
  private let (fadeIn, fadeOut): (Int, Int)
  private let end: Int
  private let curve: FadeStep.Curve
  private var position = 0

  var keepsSamples: Bool { false }

  init(
    _ input: any SoundStream, _ fadeIn: Int, _ fadeOut: Int, end: Int, _ curve: FadeStep.Curve
  ) {
    (self.input, self.fadeIn, self.fadeOut) = (input, fadeIn, fadeOut)
    (self.end, self.curve) = (end, curve)
  }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    let count = try input.read(into: samples, frameCount)
    let channels = channelCount
    for frame in 0..<count {
      let (done, left) = (position + frame, end - 1 - position - frame)
      var gain = 1.0
      if done < fadeIn { gain *= curve.gain(at: Double(done) / Double(fadeIn)) }
      if left < fadeOut { gain *= curve.gain(at: Double(max(0, left)) / Double(fadeOut)) }
      guard gain != 1 else { continue }
      for channel in 0..<channels { samples[frame * channels + channel] *= gain }
    }
    position += count
    return count
  }
}
