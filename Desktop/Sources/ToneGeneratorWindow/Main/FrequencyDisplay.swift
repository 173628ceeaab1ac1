// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import PlainText
import ToneModel
import ToneTexts

/// The frequency in large digits, which become a text field when they are clicked or a digit is
/// typed.
final class FrequencyDisplay: Part {
  let widget: Widget

  private let session: Session
  private let digits = label("", "frequency")
  private let note = label("", "note")
  private let stack: Widget
  private let field: Widget
  private let digitsButton: Widget

  init(_ session: Session) {
    let stack = made(gtk_stack_new())
    let field = made(gtk_entry_new())
    let digitsButton = made(gtk_button_new())
    self.session = session
    (self.stack, self.field, self.digitsButton) = (stack, field, digitsButton)
    gtk_button_set_child(digitsButton.to(), digits)
    digitsButton.addClasses("flat")
    gtk_widget_set_halign(digitsButton, GTK_ALIGN_CENTER)
    gtk_widget_set_tooltip_text(digitsButton, tr("Type a frequency"))
    field.addClasses("frequency")
    field.setName(tr("Frequency in Hz"))
    gtk_editable_set_alignment(field.opaque, 0.5)
    gtk_editable_set_width_chars(field.opaque, 10)
    gtk_entry_set_input_purpose(field.to(), GTK_INPUT_PURPOSE_FREE_FORM)
    gtk_widget_set_halign(field, GTK_ALIGN_CENTER)
    gtk_label_set_wrap(note.opaque, 1)
    gtk_label_set_justify(note.opaque, GTK_JUSTIFY_CENTER)
    gtk_stack_add_child(stack.opaque, digitsButton)
    gtk_stack_add_child(stack.opaque, field)
    widget = box(GTK_ORIENTATION_VERTICAL, spacing: 0, [stack, note])
    on(digitsButton, "clicked") { [weak self] in self?.type("") }
    on(field, "activate") { [weak self] in self?.acceptText() }
    on(field, "changed") { [weak self] in self?.updateNote() }
    onKey(field) { [weak self] key, _, _ in
      guard key == UInt32(GDK_KEY_Escape) else { return false }
      self?.leave()
      return true
    }
  }

  /// Whether a frequency is being typed.
  var isTyping: Bool { gtk_stack_get_visible_child(stack.opaque) == field }

  /// Opens the text field, with the typed digit if there is one.
  func type(_ text: String) {
    gtk_stack_set_visible_child(stack.opaque, field)
    gtk_editable_set_text(field.opaque, text)
    gtk_widget_grab_focus(field)
    gtk_editable_set_position(field.opaque, -1)
    updateNote()
  }

  /// Closes the text field without an effect, so that it no longer takes the letters.
  func cancelTyping() {
    guard isTyping else { return }
    // The focus may be elsewhere, as on a switch of the panel, and stays there.
    let flags = gtk_widget_get_state_flags(field).rawValue
    if flags & GTK_STATE_FLAG_FOCUS_WITHIN.rawValue != 0 { return leave() }
    markInvalid(false)
    gtk_stack_set_visible_child(stack.opaque, digitsButton)
    session.show { show(session.model) }
  }

  // MARK: Typing

  private var typed: String {
    gtk_editable_get_text(field.opaque).map { String(cString: $0) } ?? ""
  }

  /// The frequency typed so far; nil if it is invalid.
  private var frequency: Double? {
    Quantity.frequency(a4: session.model.a4).value(of: typed).flatMap {
      session.model.possibleFrequencies.contains($0) ? $0 : nil
    }
  }

  /// Shows the note of the typed frequency.
  private func updateNote() {
    guard isTyping else { return }
    markInvalid(false)
    let text =
      frequency.map { frequency in
        let note = Texts.note(Note(nearestTo: frequency, a4: session.model.a4))
        return Double(typed) == nil ? "\(Texts.frequency(frequency)) Hz  \(note)" : note
      } ?? tr("A frequency such as 440, 1k or A4")
    gtk_label_set_text(note.opaque, text)
  }

  /// Sets the typed frequency. An invalid one stays, to be corrected.
  private func acceptText() {
    if typed.allSatisfy(\.isWhitespace) { return leave() }
    guard let frequency else {
      markInvalid(true)
      let text = tr(
        "“{}”: expected a frequency such as 440, 1k or A4.", Excerpt.name(typed))
      return gtk_label_set_text(note.opaque, text)
    }
    leave()
    session.change { $0.frequency = frequency }
  }

  private func leave() {
    markInvalid(false)
    gtk_stack_set_visible_child(stack.opaque, digitsButton)
    gtk_widget_grab_focus(digitsButton)
    session.show { show(session.model) }
  }

  private func markInvalid(_ isInvalid: Bool) {
    for widget in [field, note] {
      if isInvalid {
        widget.addClasses("error")
      } else {
        gtk_widget_remove_css_class(widget, "error")
      }
    }
  }

  func show(_ model: ToneModel) {
    let isPeriodic = model.waveform.isPeriodic
    let text = Texts.frequency(model.frequency)
    gtk_label_set_text(digits.opaque, isPeriodic ? "\(text) Hz" : Texts.waveform(model.waveform))
    digitsButton.setName(tr("Frequency: {} Hz", text))
    // While a frequency is typed, its note is shown instead.
    guard !isTyping else { return }
    gtk_label_set_text(
      note.opaque,
      isPeriodic
        ? Self.exact(model)
        : model.tone.sound.map { Excerpt.name($0.name) } ?? tr("This signal has no frequency"))
  }

  /// The note, the frequency with all its decimals, and the line to which it is locked.
  private static func exact(_ model: ToneModel) -> String {
    let text = "\(Texts.note(model.note))  \(Texts.exactFrequency(model.frequency)) Hz"
    guard model.tone.lineFrames != nil else { return text }
    return text + "  → \(Texts.exactFrequency(model.soundingFrequency)) Hz"
  }
}
