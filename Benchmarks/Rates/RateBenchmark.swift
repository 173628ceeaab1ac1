// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import SignalProcessing

/// Conversion of sample rates, compared with other libraries, each of them with that quality of
/// ours to which it is equal.
enum RateBenchmark {
  static func run(in folder: URL) {
    Stopwatch.onOneProcessor {
      let peers = RatePeer.all(in: folder)
      let columns =
        ConversionQuality.allCases.map { "\($0)" } + peers.map { "\($0.name) / \($0.equal)" }
      for frames in [64, 512] {
        Report.table(
          "One channel in slices of \(frames) frames (ns per output sample; others as multiples)",
          columns + ["normal, minimum phase", "normal, adjustable"],
          [RatePair(44_100, 48_000), RatePair(48_000, 44_100), RatePair(96_000, 44_100)].map {
            slices($0, frames, peers)
          })
      }
      let common = [
        (44_100, 48_000), (48_000, 44_100), (96_000, 44_100), (44_100, 16_000), (48_000, 16_000),
        (48_000, 8_000), (48_000, 24_000), (24_000, 48_000), (16_000, 48_000), (32_000, 48_000),
      ]
      let exact = peers.filter { $0.name.hasPrefix("libsoxr") }
      Report.table(
        "Five seconds of two channels in one call (ns per output sample; others as multiples)",
        ConversionQuality.allCases.map { "\($0)" } + exact.map { "\($0.name) / \($0.equal)" },
        common.map { WholeSound(RatePair($0.0, $0.1)).row(exact) })
    }
  }

  // MARK: Slices

  /// Input frames of a round, which average over work that comes in bursts.
  private static let roundFrames = 65_536

  private static func slices(_ rates: RatePair, _ frames: Int, _ peers: [RatePeer]) -> [String] {
    let (noise, output) = (Noise(16_384), Noise(131_072))
    let qualities = ConversionQuality.allCases
    var works: [() -> Void] = qualities.map { ours(rates, $0, frames, noise, output) }
    works += peers.map { theirs($0, rates, frames, noise, output) }
    works.append(ours(rates, .normal, frames, noise, output, phase: .minimum))
    works.append(ours(rates, .normal, frames, noise, output, isAdjustable: true))
    let made = Double(roundFrames) * Double(rates.to) / Double(rates.from)
    let times = Stopwatch.inTurns(for: 3, works).map { $0 / made }
    let own = Dictionary(uniqueKeysWithValues: zip(qualities, times))
    return ["\(rates)"] + times.prefix(qualities.count).map { Report.cell($0) }
      + zip(peers, times.dropFirst(qualities.count)).map { peer, time in
        Report.multiple(time, of: own[peer.equal])
      } + times.suffix(2).map { Report.cell($0) }
  }

  private static func ours(
    _ rates: RatePair, _ quality: ConversionQuality, _ frames: Int, _ noise: Noise, _ output: Noise,
    phase: ConversionPhase = .linear, isAdjustable: Bool = false
  ) -> () -> Void {
    let converter = SlicedConverter(rates, quality, phase, isAdjustable)
    let calls = roundFrames * rates.to / rates.from / frames
    return {
      for _ in 0..<calls {
        converter.convert(frames, from: UnsafePointer(noise.samples), to: output.samples)
      }
    }
  }

  private static func theirs(
    _ peer: RatePeer, _ rates: RatePair, _ frames: Int, _ noise: Noise, _ output: Noise
  ) -> () -> Void {
    let conversion = peer.begin(rates, channels: 1)
    return {
      for call in 0..<roundFrames / frames {
        let start = call * frames % noise.count
        conversion.convert(noise.samples + start, frames, into: output.samples, room: output.count)
      }
    }
  }
}

/// A converter behind a reference, which a closure can keep.
private final class SlicedConverter {
  private var converter: SampleRateConverter

  init(
    _ rates: RatePair, _ quality: ConversionQuality, _ phase: ConversionPhase, _ isAdjustable: Bool
  ) {
    converter = SampleRateConverter(
      inputRate: Double(rates.from), outputRate: Double(rates.to), channelCount: 1,
      quality: quality, phase: phase, isAdjustable: isAdjustable)
  }

  func convert(
    _ frames: Int, from input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>
  ) {
    var (input, output) = (input, output)
    let needed = converter.inputFramesNeeded(for: frames)
    converter.process(
      input: &input, inputFrames: needed, output: &output, outputFrames: frames)
  }
}

/// Memory with noise.
final class Noise {
  let samples: UnsafeMutablePointer<Float>
  let count: Int

  init(_ count: Int) {
    self.count = count
    samples = .allocate(capacity: count)
    var state: UInt32 = 1
    for index in 0..<count {
      state = state &* 1_664_525 &+ 1_013_904_223
      samples[index] = Float(state >> 8) / 16_777_216 - 0.5
    }
  }

  deinit { samples.deallocate() }
}
