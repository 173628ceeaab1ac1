// SPDX-License-Identifier: Apache-2.0

/// What became of a tone.
struct ToneStatistics {
  /// Where it went.
  var destination: String
  /// Frames per second.
  var sampleRate: Double
  var channelCount: Int
  var frameCount: Int
  /// The largest sample, linear.
  var peak: Double
  /// In dBFS.
  var peakLevel: Double
  /// Seconds that it took.
  var duration: Double

  /// For people.
  var text: String {
    let seconds = Double(frameCount) / sampleRate
    var table = TextTable()
    table.add("written to", destination)
    table.add(
      "format", "\(Numbers.plain(sampleRate)) Hz, \(Numbers.count(channelCount, "channel"))")
    table.add("length", "\(Numbers.count(frameCount, "frame")), \(Numbers.plain(seconds)) s")
    table.add("peak", "\(peak) (\(Numbers.rounded(peakLevel, digits: 4)) dBFS)")
    table.add(
      "took",
      "\(Numbers.rounded(duration, digits: 4)) s, "
        + "\(Numbers.rounded(seconds / duration, digits: 1)) × real time")
    return table.text
  }
}
