// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("au plot")
struct PlotTests {
  /// The picture of a unit as SVG text.
  private func picture(_ unit: String, _ words: [String] = []) throws -> String {
    try withFolder { folder in
      let path = "\(folder)/picture.svg"
      let run = try Run("au", ["plot", unit, "--output", path] + words)
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output == path + "\n")
      return try String(contentsOfFile: path, encoding: .utf8)
    }
  }

  /// The points of the first curve of a panel, in picture coordinates.
  private func curve(_ picture: String, style: String = "curve") throws -> [(x: Double, y: Double)]
  {
    let start = try #require(picture.range(of: "<polyline class=\"\(style)\" points=\""))
    let text = picture[start.upperBound...].prefix { $0 != "\"" }
    return text.split(separator: " ").map { pair in
      let numbers = pair.split(separator: ",").compactMap { Double($0) }
      return (numbers.first ?? .nan, numbers.last ?? .nan)
    }
  }

  @Test("draws a low-pass: flat, 3 dB down at the cut-off, falling above it")
  func filter() throws {
    let text = try picture("lpas,cutoff=1000,resonance=-3.0103")
    for name in ["Magnitude (dB)", "Phase (degrees)", "Impulse response", "Step response"] {
      #expect(text.contains(name))
    }
    #expect(!text.contains("Decay") && !text.contains("Gain curve"))
    #expect(text.hasPrefix("<svg") && text.hasSuffix("</svg>\n"))
    #expect(text.contains("prefers-color-scheme: dark"))
    // The marks of the axis give the scale in points per decibel.
    let marks = text.components(separatedBy: "class=\"left\"").dropFirst().prefix(3).compactMap {
      mark -> (y: Double, level: Double)? in
      let parts = mark.components(separatedBy: "y=\"")
      guard parts.count > 1, let y = Double(parts[1].prefix { $0 != "\"" }),
        let level = Double(mark.components(separatedBy: ">")[1].prefix { $0 != "<" })
      else { return nil }
      return (y - 4, level)
    }
    #expect(marks.count == 3)
    let scale = (marks[1].level - marks[0].level) / (marks[1].y - marks[0].y)
    let points = try curve(text)
    func level(at frequency: Double) -> Double {
      let (first, last) = (points[0].x, points[points.count - 1].x)
      let place = log(frequency / 20) / log(24_000 / 20.0)
      let x = first + place * (last - first)
      let nearest = points.min { abs($0.x - x) < abs($1.x - x) } ?? points[0]
      return marks[0].level + (nearest.y - marks[0].y) * scale
    }
    #expect(abs(level(at: 50)) < 0.1)
    #expect(abs(level(at: 1_000) + 3.01) < 0.2)
    #expect(abs(level(at: 8_000) + 37.8) < 0.5)
  }

  @Test("adds a decay curve for long tails, and is the same every time")
  func decay() throws {
    let text = try picture("rvb2,preset=medium hall,mix=100", ["--rate", "44100"])
    #expect(text.contains("Decay (dB)") && text.contains("44100 Hz"))
    #expect(!text.contains("Phase"))
    let time = try #require(text.components(separatedBy: "60 dB in ").last?.prefix { $0 != " " })
    let seconds = try #require(Double(time))
    #expect(abs(seconds - 1.5) < 0.2, "1.7 s at the lowest, 0.75 s at the highest frequency")
    #expect(try picture("rvb2,preset=medium hall,mix=100", ["--rate", "44100"]) == text)
  }

  @Test("adds a gain curve for dynamics, with a knee at the threshold")
  func gainCurve() throws {
    let text = try picture("dcmp,threshold=-30,head room=6")
    #expect(text.contains("Gain curve (dB out)") && !text.contains("Decay"))
    // The gain curve is the last panel, and its guide has the same ends as the axis.
    let panel = try #require(text.components(separatedBy: "class=\"guide\"").last)
    let guide = panel.components(separatedBy: "points=\"")[1].prefix { $0 != "\"" }
    let ends = guide.split(separator: " ").map { pair in
      pair.split(separator: ",").compactMap { Double($0) }
    }
    let (low, high) = (try #require(ends.first), try #require(ends.last))
    let scale = (high[1] - low[1]) / 66
    let points = try curve(panel)
    func output(at level: Double) -> Double {
      let x = low[0] + (level + 60) / 66 * (high[0] - low[0])
      let nearest = points.min { abs($0.x - x) < abs($1.x - x) } ?? points[0]
      return (nearest.y - low[1]) / scale - 60
    }
    #expect(abs(output(at: -40) + 40) < 0.3)
    // Above the threshold, x becomes h x / (h + x).
    #expect(abs(output(at: 0) - (-30 + 6 * 30 / 36.0)) < 0.5)
    #expect(abs(output(at: -18) - (-30 + 6 * 12 / 18.0)) < 0.5)
    #expect(!(try picture("lpas")).contains("Gain curve"))
  }

  @Test(
    "reports errors in the unit",
    arguments: [
      ("zzzz", 1, "no unit \"zzzz\""), ("lpas,colour=3", 1, "cutoff frequency"),
      ("lpas,cutoff=5", 1, "from 10 to"), ("rvb2,decay=1", 1, "decay time at 0 Hz or"),
      ("rvb2,preset=moon", 1, "8 Cathedral"), ("lpas,cutoff", 2, "lpas,cutoff=800"),
      ("mcmx", 1, "inputs"),
    ])
  func mistakes(unit: String, code: Int32, part: String) throws {
    let run = try Run("au", ["plot", unit, "--output", "/nowhere/picture.svg"])
    #expect(run.code == code)
    #expect(run.errors.contains(part), "\(run.errors)")
  }

  @Test("does not write an SVG to a file of another type")
  func otherKind() throws {
    try withFolder { folder in
      let run = try Run("au", ["plot", "lpas", "--output", "\(folder)/low.png"])
      #expect(run.code == 1 && run.errors.contains("rsvg-convert low.svg -o low.png"))
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/low.png"))
    }
  }

  @Test("reports the path that it can't write to")
  func path() throws {
    let run = try Run("au", ["plot", "lpas", "--output", "/nowhere/picture.svg"])
    #expect(run.code == 1 && run.errors.contains("/nowhere/picture.svg"))
  }
}
