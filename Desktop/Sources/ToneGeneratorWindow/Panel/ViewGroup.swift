// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// The scale of the oscilloscope, and whether the spectrum is shown.
final class ViewGroup: Part {
  let widget: Widget

  /// The plots that it controls.
  struct Views {
    let scope: ScopeView
    let spectrum: SpectrumView
  }

  private let views: Views
  private let spectrum: Widget
  private let scale: Widget

  init(_ session: Session, _ views: Views) {
    self.views = views
    let spectrumRow = switchRow(tr("Spectrum")) { views.spectrum.widget.show($0) }
    spectrum = spectrumRow.toggle
    let scales = ScopeScale.fixed.map { "±\(Self.plain($0))" }
    scale = choiceRow(tr("Scale of the oscilloscope"), [tr("Automatic")] + scales) { index in
      views.scope.scale.value.choice = index == 0 ? nil : ScopeScale.fixed[index - 1]
      gtk_widget_queue_draw(views.scope.widget)
    }
    widget = group(tr("View"), [scale, spectrumRow.row])
    show(session.model)
  }

  private static func plain(_ number: Double) -> String {
    number == 1 ? "1" : "\(number)"
  }

  func show(_ model: ToneModel) {
    gtk_switch_set_active(spectrum.opaque, gtk_widget_get_visible(views.spectrum.widget))
    let index = views.scope.scale.value.choice.flatMap(ScopeScale.fixed.firstIndex)
    choose(scale, index.map { $0 + 1 } ?? 0)
  }
}
