// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// The waves of both channels, standing still.
final class ScopeView {
  private(set) var widget: Widget

  /// Frames among which a beginning is looked for.
  private static let frameCount = 8_192

  init(_ session: Session) {
    widget = picture(tr("Oscilloscope")) { context, width, height in
      Self.draw(session.model, context, width, height)
    }
  }

  private static func draw(
    _ model: ToneModel, _ context: OpaquePointer, _ width: Double, _ height: Double
  ) {
    let ink = Ink.present
    let middle = (height / 2).rounded() + 0.5
    drawGrid(ink, context, width, height)
    guard let device = model.device else {
      ink.left(context, alpha: 0.8)
      line(context, from: (0, middle), to: (width, middle), thickness: 2)
      return
    }
    let left = model.lastSamples(frameCount, channel: 0)
    let right = device.channelCount > 1 ? model.lastSamples(frameCount, channel: 1) : left
    let lowest = model.tones.indices.map { model.tones[$0].frequency }.min() ?? 440
    let frequency = model.tones.count == 1 ? model.frequency : lowest
    let span = Scope.span(of: frequency, sampleRate: device.sampleRate)
    let peak = max(highest(left), highest(right))
    let start = Scope.start(highest(left) > 0 ? left : right, span: span)
    // What is quiet is drawn large: the picture shows the shape, the number the size.
    let scale = peak > 1e-6 ? 0.82 * height / 2 / Double(peak) : 0
    let points = Int(max(2, min(width, 800)))
    func draw(_ samples: [Float]) {
      let curve = Scope.curve(samples, from: start, span: Double(span), points: points)
      for (index, value) in curve.enumerated() {
        let x = width * Double(index) / Double(points - 1)
        cairo_line_to(context, x, middle - Double(value) * scale)
      }
      cairo_set_line_width(context, 2)
      cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
      cairo_stroke(context)
    }
    if left != right {
      ink.right(context)
      draw(right)
    }
    ink.left(context)
    draw(left)
    let milliseconds = Double(span) / device.sampleRate * 1_000
    ink.write(String(format: "%.2f ms", milliseconds), context, x: 10, y: height - 10)
    let level = Texts.level(Decibels.level(Double(peak)))
    ink.write(level, context, x: 10, y: 18)
  }

  private static func highest(_ samples: [Float]) -> Float {
    samples.reduce(0) { max($0, $1.magnitude) }
  }

  private static func drawGrid(
    _ ink: Ink, _ context: OpaquePointer, _ width: Double, _ height: Double
  ) {
    for part in 1..<6 {
      let x = (width * Double(part) / 6).rounded() + 0.5
      ink.faint(context, alpha: 0.09)
      line(context, from: (x, 0), to: (x, height), thickness: 1)
    }
    for part in 1..<4 {
      let y = (height * Double(part) / 4).rounded() + 0.5
      ink.faint(context, alpha: part == 2 ? 0.2 : 0.09)
      line(context, from: (0, y), to: (width, y), thickness: 1)
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
