// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// The spectrum of what plays, from 20 Hz to 20 kHz and from full scale down to -120 dB.
final class SpectrumView {
  private(set) var widget: Widget

  init(_ session: Session) {
    let analyzer = SpectrumAnalyzer()
    widget = picture(tr("Spectrum")) { context, width, height in
      Self.draw(session.model, analyzer, context, width, height)
    }
  }

  private static func draw(
    _ model: ToneModel, _ analyzer: SpectrumAnalyzer, _ context: OpaquePointer, _ width: Double,
    _ height: Double
  ) {
    let ink = Ink.present
    drawGrid(ink, context, width, height)
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
  }

  private static func drawGrid(
    _ ink: Ink, _ context: OpaquePointer, _ width: Double, _ height: Double
  ) {
    for (frequency, text) in [(100.0, "100"), (1_000, "1k"), (10_000, "10k")] {
      let x = (width * log(frequency / 20) / log(1_000)).rounded() + 0.5
      ink.faint(context, alpha: 0.12)
      line(context, from: (x, 0), to: (x, height), thickness: 1)
      // Beside its line, on the side where there is room.
      ink.write(text, context, x: width - x > 32 ? x + 4 : x - 26, y: height - 10)
    }
    for level in stride(from: -30.0, to: -119, by: -30) {
      let y = (height * level / SpectrumAnalyzer.floor).rounded() + 0.5
      ink.faint(context, alpha: 0.12)
      line(context, from: (0, y), to: (width, y), thickness: 1)
      ink.write("−\(Int(-level)) dB", context, x: 8, y: y - 4)
    }
  }
}
