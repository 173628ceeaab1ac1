// SPDX-License-Identifier: Apache-2.0
@_spi(Window) import AudioUnitTool
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// The response of the unit with its current setting, or the spectrum of what is heard.
final class UnitPlot {
  private(set) var widget: Widget

  private let session: UnitSession
  private let analyzer = SpectrumAnalyzer()
  private var area: Widget
  private var showsResponse: Bool
  private var values: [Float] = []

  /// Nil if there is neither.
  init?(_ session: UnitSession) {
    let model = session.model
    guard model.hasResponse || model.canPlay else { return nil }
    self.session = session
    showsResponse = model.hasResponse
    var draw: (Widget, OpaquePointer, Double, Double) -> Void = { _, _, _, _ in }
    area = plotArea(tr("Plot")) { draw($0, $1, $2, $3) }
    widget = area
    gtk_widget_set_size_request(area, 140, 150)
    draw = { [weak self] in self?.draw($0, $1, $2, $3) }
    if model.hasResponse, model.canPlay { addChoice() }
  }

  private func addChoice() {
    let response = made(gtk_toggle_button_new_with_label(tr("Response")))
    let spectrum = made(gtk_toggle_button_new_with_label(tr("Spectrum")))
    gtk_toggle_button_set_group(spectrum.to(), response.to())
    gtk_toggle_button_set_active(response.to(), 1)
    on(response, "toggled") { [weak self] in
      guard let self else { return }
      showsResponse = gtk_toggle_button_get_active(response.to()) != 0
      gtk_widget_queue_draw(area)
    }
    let pair = box(GTK_ORIENTATION_HORIZONTAL, [response, spectrum])
    pair.addClasses("linked")
    gtk_widget_set_halign(pair, GTK_ALIGN_CENTER)
    widget = box(GTK_ORIENTATION_VERTICAL, spacing: 6, [area, pair])
  }

  /// Draws again what has changed.
  func refresh() {
    if showsResponse {
      let now = session.model.values
      guard now != values else { return }
      values = now
    } else if !session.model.isPlaying {
      return
    }
    gtk_widget_queue_draw(area)
  }

  private func draw(
    _ widget: Widget, _ context: OpaquePointer, _ width: Double, _ height: Double
  ) {
    let ink = Ink.present
    let columns = Int(max(2, width / 2))
    let model = session.model
    if showsResponse {
      guard let response = model.response(columns: columns) else { return }
      grid(ink, widget, context, width, height, to: model.sampleRate / 2)
      let (low, high) = (response.range.lowerBound, response.range.upperBound)
      let places = response.levels.map { height * (high - $0) / (high - low) }
      stroke(places, ink, context, width, height, isFilled: false)
      ink.write("\(Int(high.rounded())) dB", widget, context, at: .init(x: 6, y: 4))
      ink.write(
        "\(Int(low.rounded())) dB", widget, context, at: .init(x: 6, y: height - 20, down: 1))
    } else {
      grid(ink, widget, context, width, height, to: 20_000)
      let levels = analyzer.levels(
        of: model.lastSamples, sampleRate: model.sampleRate, columns)
      let places = levels.map { height * $0 / SpectrumAnalyzer.floor }
      stroke(places, ink, context, width, height, isFilled: true)
    }
  }

  /// Lines at 100 Hz, 1 kHz and 10 kHz, on a scale from 20 Hz.
  private func grid(
    _ ink: Ink, _ widget: Widget, _ context: OpaquePointer, _ width: Double, _ height: Double,
    to highest: Double
  ) {
    cairo_set_line_width(context, 1)
    for (frequency, text) in [(100.0, "100 Hz"), (1_000, "1 kHz"), (10_000, "10 kHz")]
    where frequency < highest {
      let x = (width * log(frequency / 20) / log(highest / 20)).rounded() + 0.5
      ink.faint(context, alpha: 0.12)
      cairo_move_to(context, x, 0)
      cairo_line_to(context, x, height)
      cairo_stroke(context)
      ink.write(text, widget, context, at: .init(x: x + 3, y: height - 4, down: 1))
    }
  }

  private func stroke(
    _ places: [Double], _ ink: Ink, _ context: OpaquePointer, _ width: Double, _ height: Double,
    isFilled: Bool
  ) {
    // A text leaves a point.
    cairo_new_path(context)
    if isFilled { cairo_move_to(context, 0, height) }
    for (column, y) in places.enumerated() {
      cairo_line_to(context, (Double(column) + 0.5) * width / Double(places.count), y)
    }
    if isFilled {
      cairo_line_to(context, width, height)
      cairo_close_path(context)
      ink.left(context, alpha: 0.35)
      cairo_fill_preserve(context)
    }
    ink.left(context)
    cairo_set_line_width(context, 1.5)
    cairo_stroke(context)
  }
}
