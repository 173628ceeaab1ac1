// SPDX-License-Identifier: Apache-2.0
import ToneModel

/// What was rendered, how fast, and the state of the device.
struct ToneStatistics {
  /// The device or the file.
  var destination: String
  /// Frames per second.
  var sampleRate: Double
  var channelCount: Int
  var frameCount: Int
  /// The largest sample, linear.
  var peak: Double
  /// In dBFS.
  var peakLevel: Double
  /// The time taken, in seconds.
  var duration: Double
  /// The state of the device; nil for a file.
  var figures: OutputFigures?

  /// A table to read.
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
    if let figures {
      table.add("cycle", figures.cycleText(sampleRate))
      table.add("load", figures.loadText)
      table.add("latency", "\(Numbers.rounded(figures.latency * 1_000, digits: 1)) ms")
      table.add("xruns", figures.xrunText)
    }
    return table.text
  }
}

extension OutputFigures {
  /// One line to show during playback.
  func line(_ sampleRate: Double) -> String {
    if let interruption { return "silent: \(interruption)" }
    return "cycle \(cycleText(sampleRate)), load \(loadText), xruns \(xrunText)"
  }

  fileprivate func cycleText(_ sampleRate: Double) -> String {
    let milliseconds = Double(cycleFrames) / sampleRate * 1_000
    return "\(Numbers.count(cycleFrames, "frame")), \(Numbers.rounded(milliseconds, digits: 1)) ms"
  }

  fileprivate var loadText: String { "\(Numbers.rounded(load * 100, digits: 1)) %" }

  fileprivate var xrunText: String {
    "\(xruns) here" + (serverXruns.map { ", \($0) by the server's count" } ?? "")
  }
}
