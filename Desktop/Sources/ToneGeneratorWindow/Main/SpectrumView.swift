// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// The spectrum of the output, from 20 Hz to 20 kHz and from 0 to -120 dBFS, with the frequency and
/// the level of its highest peak; while the pointer is over it, of the highest peak near the
/// pointer.
final class SpectrumView {
  private(set) var widget: Widget

  /// Pixels on either side of the pointer in which the highest peak is searched.
  private static let reach = 12.0

  private let analyzer = SpectrumAnalyzer()
  private let session: Session
  /// The position of the pointer; nil while it is outside.
  private var pointer: Double?

  init(_ session: Session) {
    self.session = session
    var draw: (Widget, OpaquePointer, Double, Double) -> Void = { _, _, _, _ in }
    widget = plotArea(tr("Spectrum")) { draw($0, $1, $2, $3) }
    draw = { [weak self] in self?.draw($0, $1, $2, $3) }
    let area = widget
    onPointer(area) { [weak self] place in
      self?.pointer = place?.x
      gtk_widget_queue_draw(area)
    }
  }

  private func draw(
    _ widget: Widget, _ context: OpaquePointer, _ width: Double, _ height: Double
  ) {
    let ink = Ink.present
    drawGrid(ink, widget, context, width, height)
    let model = session.model
    guard let device = model.device else { return }
    let columns = Int(max(2, width / 2))
    func draw(_ channel: Int) {
      let samples = model.lastSamples(SpectrumAnalyzer.frameCount, channel: channel)
      let levels = analyzer.levels(of: samples, sampleRate: device.sampleRate, columns)
      cairo_move_to(context, 0, height)
      for (column, level) in levels.enumerated() {
        let x = (Double(column) + 0.5) * width / Double(columns)
        cairo_line_to(context, x, height * level / SpectrumAnalyzer.floor)
      }
      cairo_line_to(context, width, height)
      cairo_close_path(context)
    }
    let differs = model.tones.contains { $0.side != .both }
    if differs, device.channelCount > 1 {
      ink.right(context, alpha: 0.7)
      draw(1)
      cairo_fill(context)
    }
    ink.left(context, alpha: 0.35)
    draw(0)
    cairo_fill_preserve(context)
    ink.left(context)
    cairo_set_line_width(context, 1.5)
    cairo_stroke(context)
    drawPeak(ink, device.sampleRate, widget, context, width, height)
  }

  // MARK: The peak

  /// Marks the highest peak, and shows its values. [main thread]
  private func drawPeak(
    _ ink: Ink, _ sampleRate: Double, _ widget: Widget, _ context: OpaquePointer, _ width: Double,
    _ height: Double
  ) {
    let range = pointer.map { frequencies(around: $0, width) } ?? ToneModel.audible
    guard let peak = analyzer.peak(in: range, sampleRate: sampleRate) else { return }
    let text = tr("{} Hz  {}", Texts.peakFrequency(peak.frequency), Texts.level(peak.level))
    let x = Self.place(peak.frequency, width)
    let y = height * peak.level / SpectrumAnalyzer.floor
    ink.faint(context, alpha: 0.65)
    cairo_arc(context, x, y, 3, 0, 2 * .pi)
    cairo_fill(context)
    ink.write(text, widget, context, at: TextAnchor(x: width - 8, y: 6, across: 1))
    accessible_set_description(widget, text)
  }

  private func frequencies(around x: Double, _ width: Double) -> ClosedRange<Double> {
    let range = ToneModel.audible
    func frequency(_ x: Double) -> Double {
      range.lowerBound * pow(range.upperBound / range.lowerBound, min(max(x / width, 0), 1))
    }
    return frequency(x - Self.reach)...frequency(x + Self.reach)
  }

  private static func place(_ frequency: Double, _ width: Double) -> Double {
    let range = ToneModel.audible
    return width * log(frequency / range.lowerBound) / log(range.upperBound / range.lowerBound)
  }

  // MARK: The grid

  private func drawGrid(
    _ ink: Ink, _ widget: Widget, _ context: OpaquePointer, _ width: Double, _ height: Double
  ) {
    for (frequency, text) in [(100.0, "100"), (1_000, "1k"), (10_000, "10k")] {
      let x = Self.place(frequency, width).rounded() + 0.5
      ink.faint(context, alpha: 0.12)
      line(context, from: (x, 0), to: (x, height), thickness: 1)
      // Next to its line, on the side with enough space.
      let isLast = frequency > 5_000
      ink.write(
        text, widget, context,
        at: TextAnchor(x: isLast ? x - 4 : x + 4, y: height - 6, across: isLast ? 1 : 0, down: 1))
    }
    for level in stride(from: -30.0, to: -119, by: -30) {
      let y = (height * level / SpectrumAnalyzer.floor).rounded() + 0.5
      ink.faint(context, alpha: 0.12)
      line(context, from: (0, y), to: (width, y), thickness: 1)
      ink.write(
        "−\(Int(-level)) dB", widget, context, at: TextAnchor(x: 8, y: y - 1, down: 1))
    }
  }
}
