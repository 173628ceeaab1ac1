// SPDX-License-Identifier: Apache-2.0
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// A spectrogram as a picture: PNG, SVG, or letters for a terminal.
struct SpectrogramPicture {
  let spectrogram: Spectrogram
  /// The points of the panel.
  let width: Int
  let height: Int
  /// The decibels below full scale that are shown.
  let range: Double
  let isLogarithmic: Bool
  let title: String

  private static let (left, right, top, bottom) = (64, 76, 16, 36)
  private static let levelCount = 240
  /// The colours after those of levels: paper and ink.
  private static let (paper, ink) = (UInt8(clamping: levelCount), UInt8(clamping: levelCount + 1))

  private var highest: Double { spectrogram.sampleRate / 2 }
  private var lowest: Double { isLogarithmic ? min(20, highest / 2) : 0 }
  private var frequencies: Axis {
    isLogarithmic
      ? .frequency(lowest...highest)
      : .linear("kHz", 0...highest / 1_000, steps: 8, grows: false)
  }
  private var times: Axis {
    .linear(
      "s", 0...max(1e-3, Double(spectrogram.frameCount) / spectrogram.sampleRate), steps: 10,
      grows: false)
  }

  /// The frequency at a height, 0...1.
  private func frequency(_ place: Double) -> Double {
    isLogarithmic ? lowest * pow(highest / lowest, place) : highest * place
  }

  /// The level at a point of a panel of any size, 0...1 of the range; rows count from the top.
  private func share(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Double {
    let column = x * spectrogram.columns.count / width
    let band =
      frequency(
        Double(height - 1 - y) / Double(height))...frequency(
        Double(height - y) / Double(height))
    return max(0, min(1, 1 + spectrogram.level(column, band) / range))
  }

  /// From black through violet and orange to white.
  private static func color(_ share: Double) -> PNG.Color {
    let stops: [(Double, Double, Double)] = [
      (0, 0, 6), (60, 12, 110), (150, 32, 100), (225, 90, 40), (250, 180, 30), (252, 255, 200),
    ]
    let place = share * Double(stops.count - 1)
    let index = min(stops.count - 2, Int(saturating: place))
    let (one, other, part) = (stops[index], stops[index + 1], place - Double(index))
    func mixed(_ a: Double, _ b: Double) -> UInt8 { UInt8(saturating: a + (b - a) * part) }
    return (mixed(one.0, other.0), mixed(one.1, other.1), mixed(one.2, other.2))
  }

  private static var palette: [PNG.Color] {
    (0..<levelCount).map { color(Double($0) / Double(levelCount - 1)) }
      + [(255, 255, 255), (59, 68, 77)]
  }

  private func draw(on picture: inout PNG, _ left: Int, _ top: Int) {
    for y in 0..<height {
      for x in 0..<width {
        picture[left + x, top + y] = UInt8(
          saturating: share(x, y, width, height) * Double(Self.levelCount - 1))
      }
    }
  }

  /// A PNG with marks of time, frequency and level.
  var png: [UInt8] {
    var picture = PNG(
      width: Self.left + width + Self.right, height: Self.top + height + Self.bottom,
      palette: Self.palette)
    for y in 0..<picture.height { for x in 0..<picture.width { picture[x, y] = Self.paper } }
    draw(on: &picture, Self.left, Self.top)
    for mark in frequencies.marks where !mark.text.isEmpty {
      let y = Self.top + Int(saturating: (1 - frequencies.place(mark.value)) * Double(height - 1))
      for x in 1...5 { picture[Self.left - x, y] = Self.ink }
      let text = mark.text.replacing(" ", with: "") + (isLogarithmic ? "" : "k")
      picture.draw(text, Self.left - 8 - PNG.width(of: text), y - 5, Self.ink)
    }
    for mark in times.marks where !mark.text.isEmpty {
      let x = Self.left + Int(saturating: times.place(mark.value) * Double(width - 1))
      for y in 1...5 { picture[x, Self.top + height - 1 + y] = Self.ink }
      let text = mark.text + "s"
      picture.draw(text, x - PNG.width(of: text) / 2, Self.top + height + 10, Self.ink)
    }
    for y in 0..<height {
      let level = UInt8(
        saturating: (1 - Double(y) / Double(max(1, height - 1))) * Double(Self.levelCount - 1))
      for x in 0..<12 { picture[Self.left + width + 10 + x, Self.top + y] = level }
    }
    for (place, text) in [(0.0, "0dB"), (1.0, "-\(Numbers.plain(range))")] {
      let y = Self.top + Int(saturating: place * Double(height - 1))
      picture.draw(text, Self.left + width + 26, max(Self.top, y - 8), Self.ink)
    }
    return picture.bytes
  }

  /// An SVG with the levels as an image in it.
  var svg: String {
    var image = PNG(width: width, height: height, palette: Self.palette)
    draw(on: &image, 0, 0)
    let (left, top, bottom) = (Double(Self.left), 40.0, 40.0 + Double(height))
    var picture = SVG(width: Self.left + width + 24, height: height + 84)
    picture.rectangle(0, 0, left + Double(width) + 24, Double(height) + 84, "paper")
    picture.text(title, left, 24, "name")
    picture.image(image.bytes, left, top, Double(width), Double(height))
    for mark in frequencies.marks where !mark.text.isEmpty {
      let y = bottom - frequencies.place(mark.value) * Double(height)
      picture.line(left - 5, y, left, y, "major")
      picture.text(mark.text, left - 8, y + 4, "left")
    }
    for mark in times.marks where !mark.text.isEmpty {
      let x = left + times.place(mark.value) * Double(width)
      picture.line(x, bottom, x, bottom + 5, "major")
      picture.text(mark.text, x, bottom + 18, "below")
    }
    picture.text(frequencies.title, 4, top + 4, "text")
    picture.text("\(times.title); 0 to -\(Numbers.plain(range)) dB", left, bottom + 36, "text")
    return picture.document
  }

  /// Letters for a terminal: half blocks in colour, or shades.
  func text(columns: Int, rows: Int, hasColor: Bool) -> String {
    let shades = Array(" .:-=+*#%@")
    let panel = max(8, columns - 8)
    var lines: [String] = []
    for row in 0..<rows {
      let label = row % 4 == 0 ? frequency(Double(rows - row) / Double(rows)) : nil
      let title = label.map { Self.short($0) } ?? ""
      var line = String(repeating: " ", count: max(0, 6 - title.count)) + title + " "
      for x in 0..<panel {
        if hasColor {
          let upper = Self.color(share(x, 2 * row, panel, 2 * rows))
          let lower = Self.color(share(x, 2 * row + 1, panel, 2 * rows))
          line += "\u{1B}[38;2;\(upper.red);\(upper.green);\(upper.blue)m"
          line += "\u{1B}[48;2;\(lower.red);\(lower.green);\(lower.blue)m▀"
        } else {
          let level = share(x, row, panel, rows)
          line.append(shades[Int(saturating: level * Double(shades.count - 1) + 0.5)])
        }
      }
      lines.append(hasColor ? line + "\u{1B}[0m" : line)
    }
    let seconds = Double(spectrogram.frameCount) / spectrogram.sampleRate
    let end = "\(Numbers.short(seconds, digits: 2)) s"
    lines.append(
      "       0" + String(repeating: " ", count: max(1, panel - 1 - end.count)) + end)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func short(_ frequency: Double) -> String {
    frequency >= 1_000
      ? "\(Numbers.short(frequency / 1_000, digits: 1))k" : Numbers.short(frequency, digits: 0)
  }
}
