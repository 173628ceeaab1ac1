// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// Plays raw stereo Float32 at 48 kHz through a unit, for `Scripts/stretch-pictures` and for
/// listening.
enum StretchedFile {
  /// `Benchmarks stretch-file IN OUT SUBTYPE RATE CENTS`; removes the latency that the unit
  /// reports.
  static func run(_ words: [String]) throws {
    guard words.count == 5, let rate = Float(words[3]), let cents = Float(words[4]),
      let subType = words[2].data(using: .macOSRoman), subType.count == 4
    else { throw CocoaError(.formatting) }
    let input = try Data(contentsOf: URL(fileURLWithPath: words[0]))
    let samples = input.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let host = StretchHost(
      subType.reduce(0) { $0 << 8 | OSType($1) }, frames: 512, rate: rate, cents: cents,
      music: (0..<2).map { channel in
        stride(from: channel, to: samples.count, by: 2).map { samples[$0] }
      })
    let frameCount = Int(Double(samples.count / 2) / Double(rate))
    var output = [Float]()
    var late = host.latencyFrames
    while output.count < 2 * frameCount {
      for (left, right) in host.rendered() {
        if late > 0 { late -= 1 } else { output += [left, right] }
      }
    }
    try output.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: words[1]))
  }
}
