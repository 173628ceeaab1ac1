// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// Diagrams of a unit's responses, measured on a running unit.
///
/// A quiet impulse measures magnitude, phase, impulse and step response. Tones of rising level show
/// whether the gain depends on the level, and then make a gain curve. A long tail makes a decay
/// curve.
struct UnitPlot {
  /// The level of the impulse: too low for compressors and other dynamics to react.
  private static let impulseLevel: Float = 0.001

  private let title: String
  private let run: UnitRun
  private let response: [Double]

  /// Makes the unit and measures its impulse response.
  init(_ spec: UnitSpec, sampleRate: Double) throws {
    run = try UnitRun(spec, sampleRate: sampleRate)
    let name = try spec.component().name
    title = "\(name)   \(spec)   \(Numbers.plain(sampleRate)) Hz"
    let neededFrames = Double(run.latency) + run.tailTime * sampleRate + 2_048
    var length = 1 << 15
    while Double(length) < neededFrames, length < 1 << 18 { length *= 2 }
    var impulse = [Float](repeating: 0, count: length)
    impulse[0] = Self.impulseLevel
    let scale = 1 / Double(Self.impulseLevel)
    response = try run.output(of: impulse).map { Double($0) * scale }
  }

  /// The picture.
  func picture() throws -> String {
    let spectrum = ResponseSpectrum(response, latency: run.latency)
    let gains = try gainCurve()
    let hasLongTail = run.tailTime > 0.1 && gains == nil
    var small = [impulsePanel, stepPanel]
    if let gains { small.append(gains) } else if hasLongTail { small.append(decayPanel) }
    // The phase of a long reverberation is random.
    if run.tailTime < 0.5 { small.insert(phasePanel(spectrum), at: 0) }
    let (width, large, height) = (960, 330, 260)
    let rows = (small.count + 1) / 2
    var picture = SVG(width: width, height: 56 + large + rows * height)
    picture.text(title, 24, 32, "title")
    magnitudePanel(spectrum).draw(
      into: &picture, x: 16, y: 52, width: Double(width - 32), height: Double(large))
    for (index, panel) in small.enumerated() {
      panel.draw(
        into: &picture, x: index % 2 == 0 ? 16 : Double(width / 2 + 4),
        y: Double(52 + large + index / 2 * height), width: Double(width / 2 - 20),
        height: Double(height))
    }
    return picture.document
  }

  // MARK: Over frequency

  private var frequencies: Axis { .frequency(20...run.sampleRate / 2) }

  private func magnitudePanel(_ spectrum: ResponseSpectrum) -> Panel {
    let points = spectrum.columns(640, from: 20, sampleRate: run.sampleRate).map {
      (x: $0.frequency, y: max($0.level, -100))
    }
    let highest = points.map(\.y).max() ?? 0
    let lowest = max(points.map(\.y).min() ?? 0, highest - 80)
    let middle = (highest + lowest) / 2
    let span = max(highest - lowest, 10) / 2 + 1
    return Panel(
      name: "Magnitude", horizontal: frequencies,
      vertical: .linear("dB", middle - span...middle + span),
      curves: [Panel.Curve(points: points)])
  }

  private func phasePanel(_ spectrum: ResponseSpectrum) -> Panel {
    var curves: [[(x: Double, y: Double)]] = [[]]
    var last: Double?
    for column in spectrum.columns(640, from: 20, sampleRate: run.sampleRate) {
      guard column.level > -100 else { continue }
      // A curve ends where the phase wraps.
      if let last, abs(column.phase - last) > 180 { curves.append([]) }
      curves[curves.count - 1].append((column.frequency, column.phase))
      last = column.phase
    }
    return Panel(
      name: "Phase", horizontal: frequencies,
      vertical: Axis(
        range: -180...180,
        marks: [-180, -90, 0, 90, 180].map { .init(value: $0, text: "\(Int(saturating: $0))") },
        title: "degrees", isLogarithmic: false),
      curves: curves.map { Panel.Curve(points: $0, style: "second") },
      note: run.latency > 0 ? "without the latency of \(run.latency) frames" : "")
  }

  // MARK: Over time

  /// The frames with almost all of the energy, but enough of them to see something.
  private var interestingFrames: Int {
    let total = response.reduce(0) { $0 + $1 * $1 }
    var rest = total
    let end = response.firstIndex { sample in
      rest -= sample * sample
      return rest < total * 1e-4
    }
    return min(max(Int(saturating: Double(end ?? response.count) * 1.25), 96), response.count)
  }

  private var impulsePanel: Panel {
    timePanel("Impulse response", Array(response.prefix(interestingFrames)))
  }

  private var stepPanel: Panel {
    var sum = 0.0
    return timePanel(
      "Step response",
      response.prefix(interestingFrames).map { sample in
        sum += sample
        return sum
      })
  }

  private func timePanel(_ name: String, _ samples: [Double]) -> Panel {
    let scale = 1_000 / run.sampleRate
    var points: [(x: Double, y: Double)] = []
    // Of many samples, each column has the lowest and the highest, in the order of time.
    let width = max(1, samples.count / 500)
    for start in stride(from: 0, to: samples.count, by: width) {
      let part = samples[start..<min(start + width, samples.count)]
      let low = part.indices.min { part[$0] < part[$1] } ?? start
      let high = part.indices.max { part[$0] < part[$1] } ?? start
      for index in width == 1 ? [low] : [min(low, high), max(low, high)] {
        points.append((Double(index) * scale, samples[index]))
      }
    }
    let (lowest, highest) = (min(samples.min() ?? 0, 0), max(samples.max() ?? 0, 1e-6))
    return Panel(
      name: name,
      horizontal: .linear("ms", 0...Double(samples.count) * scale, steps: 7, grows: false),
      vertical: .linear("gain", lowest...highest, steps: 5),
      curves: [Panel.Curve(points: points)])
  }

  /// Schroeder's integral: the energy that remains after each frame.
  private var decayPanel: Panel {
    var rest = response.map { $0 * $0 }
    for index in rest.indices.dropLast().reversed() { rest[index] += rest[index + 1] }
    let levels = rest.map { 10 * log10(max($0 / max(rest[0], 1e-30), 1e-12)) }
    let end = levels.firstIndex { $0 < -70 } ?? levels.count
    let step = max(1, end / 500)
    let points = stride(from: 0, to: end, by: step).map {
      (x: Double($0) / run.sampleRate, y: levels[$0])
    }
    let first = levels.firstIndex { $0 < -5 }
    let last = levels.firstIndex { $0 < -35 }
    var note = ""
    if let first, let last, last > first {
      let time = 2 * Double(last - first) / run.sampleRate
      note = "60 dB in \(Numbers.rounded(time, digits: 2)) s"
    }
    return Panel(
      name: "Decay",
      horizontal: .linear("s", 0...Double(max(end, 2)) / run.sampleRate, steps: 7, grows: false),
      vertical: .linear("dB", -70...0, steps: 7), curves: [Panel.Curve(points: points)], note: note)
  }

  // MARK: Over level

  /// Output level over input level of a 1 kHz tone; nil if the gain is constant.
  private func gainCurve() throws -> Panel? {
    let frames = Int(saturating: run.sampleRate / 4) + run.latency
    let points = try stride(from: -60.0, through: 6, by: 2).map { level -> (x: Double, y: Double) in
      let amplitude = pow(10, level / 20)
      let tone = (0..<frames).map {
        Float(amplitude * sin(2 * .pi * 1_000 * Double($0) / run.sampleRate))
      }
      let output = try run.output(of: tone).suffix(Int(saturating: run.sampleRate / 10))
      let power = output.reduce(0) { $0 + Double($1) * Double($1) } / Double(output.count)
      return (level, max(10 * log10(max(2 * power, 1e-12)), -100))
    }
    let gains = points.map { $0.y - $0.x }
    guard let lowest = gains.min(), let highest = gains.max(), highest - lowest > 0.1,
      points[0].y > -100
    else { return nil }
    return Panel(
      name: "Gain curve", horizontal: .linear("dB in, 1 kHz", -60...6, steps: 7, grows: false),
      vertical: .linear("dB out", min(-60, points[0].y)...max(6, points.map(\.y).max() ?? 6)),
      curves: [
        Panel.Curve(points: [(-60, -60), (6, 6)], style: "guide"), Panel.Curve(points: points),
      ])
  }
}
