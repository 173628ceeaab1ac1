// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// An oscilloscope of both channels with a steady trace and grid lines at round amplitudes.
final class ScopeView {
  private(set) var widget: Widget

  /// The frames that the trigger searches.
  private static let frameCount = 8_192
  /// The position of full scale: a share of the height above the middle.
  private static let share = 0.86

  /// The scale, which the panel can set.
  let scale: Scale

  /// The scale, shared by the plot and the panel.
  final class Scale {
    var value = ScopeScale()
  }

  init(_ session: Session) {
    let scale = Scale()
    self.scale = scale
    widget = plotArea(tr("Oscilloscope")) { widget, context, width, height in
      Self.draw(session.model, &scale.value, Canvas(widget, context, width, height))
    }
  }

  /// The area to draw on.
  private struct Canvas {
    let widget: Widget
    let context: OpaquePointer
    let width: Double
    let height: Double
    let ink = Ink.present

    init(_ widget: Widget, _ context: OpaquePointer, _ width: Double, _ height: Double) {
      (self.widget, self.context, self.width, self.height) = (widget, context, width, height)
    }

    var middle: Double { (height / 2).rounded() + 0.5 }
  }

  private static func draw(_ model: ToneModel, _ scale: inout ScopeScale, _ canvas: Canvas) {
    guard let device = model.device else {
      drawGrid(canvas)
      canvas.ink.left(canvas.context, alpha: 0.8)
      let (middle, width) = (canvas.middle, canvas.width)
      line(canvas.context, from: (0, middle), to: (width, middle), thickness: 2)
      return writeAmplitudes(scale.choice ?? 1, canvas)
    }
    let left = model.lastSamples(frameCount, channel: 0)
    let right = device.channelCount > 1 ? model.lastSamples(frameCount, channel: 1) : left
    let lowest = model.tones.indices.map { model.tones[$0].frequency }.min() ?? 440
    let frequency = model.tones.count == 1 ? model.frequency : lowest
    let span = Scope.span(of: frequency, sampleRate: device.sampleRate)
    let peak = max(highest(left), highest(right))
    let start = Scope.start(highest(left) > 0 ? left : right, span: span)
    let largest = scale.next(peak: Double(peak))
    drawGrid(canvas)
    let factor = share * canvas.height / 2 / largest
    if left != right {
      canvas.ink.right(canvas.context)
      drawCurve(right, start, span, factor, canvas)
    }
    canvas.ink.left(canvas.context)
    drawCurve(left, start, span, factor, canvas)
    writeAmplitudes(largest, canvas)
    let milliseconds = String(format: "%.2f ms", Double(span) / device.sampleRate * 1_000)
    let level = Texts.level(Decibels.level(Double(peak)))
    canvas.ink.write(
      milliseconds, canvas.widget, canvas.context,
      at: TextAnchor(x: canvas.width - 10, y: canvas.height - 6, across: 1, down: 1))
    canvas.ink.write(
      tr("peak {}", level), canvas.widget, canvas.context,
      at: TextAnchor(x: canvas.width - 10, y: 6, across: 1))
  }

  private static func drawCurve(
    _ samples: [Float], _ start: Double, _ span: Int, _ factor: Double, _ canvas: Canvas
  ) {
    let points = Int(max(2, min(canvas.width, 800)))
    cairo_new_path(canvas.context)
    let curve = Scope.curve(samples, from: start, span: Double(span), points: points)
    for (index, value) in curve.enumerated() {
      let x = canvas.width * Double(index) / Double(points - 1)
      cairo_line_to(canvas.context, x, canvas.middle - Double(value) * factor)
    }
    cairo_set_line_width(canvas.context, 2)
    cairo_set_line_join(canvas.context, CAIRO_LINE_JOIN_ROUND)
    cairo_stroke(canvas.context)
  }

  private static func highest(_ samples: [Float]) -> Float {
    samples.reduce(0) { max($0, $1.magnitude) }
  }

  /// Grid lines of time and of amplitude.
  private static func drawGrid(_ canvas: Canvas) {
    let (ink, context, width) = (canvas.ink, canvas.context, canvas.width)
    for part in 1..<6 {
      let x = (width * Double(part) / 6).rounded() + 0.5
      ink.faint(context, alpha: 0.09)
      line(context, from: (x, 0), to: (x, canvas.height), thickness: 1)
    }
    for part in [1, 0.5, 0, -0.5, -1] {
      let y = place(part, canvas)
      ink.faint(context, alpha: part == 0 ? 0.2 : 0.09)
      line(context, from: (0, y), to: (width, y), thickness: 1)
    }
  }

  /// The height of a share of the largest amplitude.
  private static func place(_ part: Double, _ canvas: Canvas) -> Double {
    (canvas.middle - part * share * canvas.height / 2).rounded() + 0.5
  }

  /// The values of the largest amplitude, at their grid lines.
  private static func writeAmplitudes(_ largest: Double, _ canvas: Canvas) {
    for part in [1.0, -1] {
      let y = place(part, canvas)
      let sign = part > 0 ? "+" : "−"
      // On the inner side of its line.
      canvas.ink.write(
        sign + String(format: "%g", largest), canvas.widget, canvas.context,
        at: TextAnchor(x: 8, y: y + 2 * part, down: part > 0 ? 0 : 1))
    }
  }
}

/// Draws a straight line.
func line(
  _ context: OpaquePointer, from: (Double, Double), to: (Double, Double), thickness: Double
) {
  cairo_set_line_width(context, thickness)
  cairo_move_to(context, from.0, from.1)
  cairo_line_to(context, to.0, to.1)
  cairo_stroke(context)
}
