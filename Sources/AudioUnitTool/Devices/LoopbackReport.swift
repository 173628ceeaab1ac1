// SPDX-License-Identifier: Apache-2.0

/// The result of a round trip measurement.
struct LoopbackReport: Encodable {
  var device: String
  var sampleRate: Double
  /// The round trip of each burst that came back, in frames.
  var roundTripFrames: [Int]
  /// The number of bursts played.
  var rounds: Int
  /// The latency that the device reports for each direction, in seconds.
  var claimedOutputLatency: Double
  var claimedInputLatency: Double
  /// The most frames in one render call.
  var cycleFrames: Int

  /// A table to read.
  var text: String {
    var table = TextTable()
    table.add("device", device)
    table.add("format", "\(Numbers.plain(sampleRate)) Hz, cycles of \(cycleFrames) frames")
    let measured = roundTripFrames.sorted()
    if let least = measured.first, let most = measured.last {
      table.add("round trip", Self.time(measured[measured.count / 2], sampleRate))
      table.add("least, most", "\(least), \(most) frames")
    } else {
      table.add("round trip", "not measured: nothing came back")
    }
    table.add("measured", "\(measured.count) of \(rounds)")
    table.add(
      "device says",
      "\(Self.milliseconds(claimedOutputLatency)) out, "
        + "\(Self.milliseconds(claimedInputLatency)) in, "
        + "\(Self.milliseconds(claimedOutputLatency + claimedInputLatency)) together")
    return table.text
  }

  private static func time(_ frames: Int, _ sampleRate: Double) -> String {
    "\(frames) frames, \(milliseconds(Double(frames) / sampleRate))"
  }

  private static func milliseconds(_ seconds: Double) -> String {
    "\(Numbers.rounded(seconds * 1_000, digits: 2)) ms"
  }
}
