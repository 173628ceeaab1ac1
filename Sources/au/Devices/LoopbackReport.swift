// SPDX-License-Identifier: Apache-2.0

/// The result of a round trip measurement.
struct LoopbackReport: Encodable {
  var device: String
  var sampleRate: Double
  /// Frames from the output to the input, for each burst that came back.
  var roundTripFrames: [Int]
  /// Bursts that were played.
  var rounds: Int
  /// Seconds that the device says, each way.
  var claimedOutputLatency: Double
  var claimedInputLatency: Double
  /// Frames that the program was asked for at once, at most.
  var cycleFrames: Int

  /// For people.
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
