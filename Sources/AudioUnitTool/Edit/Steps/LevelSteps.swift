// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// Changes the level.
struct GainStep: EditStep {
  let decibels: Double

  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    GainStream(try input(), Decibels.gain(decibels))
  }
}

/// A sound that is multiplied by a gain.
private final class GainStream: SteppedStream {
  let input: any SoundStream
  private let gain: Double

  var keepsSamples: Bool { false }

  init(_ input: any SoundStream, _ gain: Double) { (self.input, self.gain) = (input, gain) }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    let count = try input.read(into: samples, frameCount)
    for index in 0..<count * channelCount { samples[index] *= gain }
    return count
  }
}

/// Normalises a sound, in two passes: it is measured, then multiplied by one gain.
struct NormalizeStep: EditStep {
  /// What is brought to a level.
  enum Measure: Sendable {
    /// The true peak (ITU-R BS.1770-4), in dBTP.
    case peak(Double)
    /// The integrated loudness (EBU R 128), in LUFS.
    case loudness(Double)
  }

  /// Nil: only the ceiling applies.
  let target: Measure?
  /// The highest true peak in dBTP: the gain is lowered to keep it.
  let ceiling: Double?

  var passCount: Int { 2 }

  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    let (peak, loudness) = try Self.measure(try input())
    let sound = try input()
    // Nothing makes silence louder.
    guard let peak else { return sound }
    var gain: Double
    switch target {
    case .peak(let level): gain = level - peak
    case .loudness(let level):
      guard let loudness else {
        notes.add("has no loudness: it is shorter than 0.4 s, or below -70 LUFS; left as it is")
        return sound
      }
      gain = level - loudness
      if let ceiling, gain > ceiling - peak {
        gain = ceiling - peak
        notes.add(
          "\(Numbers.rounded(loudness + gain, digits: 1)) LUFS: the ceiling of "
            + "\(Numbers.short(ceiling, digits: 2)) dBTP allows no more")
      }
    case nil: gain = 0
    }
    if let ceiling { gain = min(gain, ceiling - peak) }
    return gain == 0 ? sound : GainStream(sound, Decibels.gain(gain))
  }

  /// The true peak in dBTP and the loudness in LUFS of a sound.
  private static func measure(
    _ sound: any SoundStream
  ) throws(Failure) -> (peak: Double?, loudness: Double?) {
    let channels = sound.channelCount
    let peaks = (0..<channels).map { _ in TruePeakMeter() }
    let meter = LoudnessMeter(
      sampleRate: sound.sampleRate,
      weights: LoudnessMeter.defaultWeights(channelCount: channels))
    let planes = PlanarMemory(channelCount: channels, frameCount: BlockMemory.frameCount)
    try sound.forEachBlock { block, count in
      block.split(into: planes, count)
      meter.measure(planes.channels, frameCount: count)
      for channel in 0..<channels { peaks[channel].measure(planes.channels[channel], count: count) }
    }
    return (peaks.compactMap { $0.finish() }.max(), meter.integrated)
  }
}
