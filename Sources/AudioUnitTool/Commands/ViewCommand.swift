// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Foundation
import PlainText
import ToneModel

/// `au view`.
enum ViewCommand {
  private static let unit = Argument<UnitSpec>(
    "UNIT", .unitSpec, "the unit, with the parameters that differ from their defaults")
  private static let file = Argument<String?>(
    optional: "FILE", .path("the path of a sound file"),
    "a sound file, which it processes in a loop (default: nothing is heard, unless the unit makes sound itself)"
  )
  private static let input = Flag("input", "process the input of the device instead of a file")
  private static let device = Option<String?>(
    "device", "DEVICE", .deviceName,
    "play to this device")

  private static let terminal = Flag("terminal", "use the terminal, even where there is a display")

  /// Shows a unit in the window, until that is closed. It is set only in the program of the window.
  nonisolated(unsafe) static var showInWindow: ((UnitModel) throws -> Void)?

  /// Shows and changes a unit.
  static let command = Command(
    "view", "show and change a unit in a window or in the terminal, while it plays",
    discussion: """
      Shows the parameters of any unit in their groups: values with their units, choices, meters. The plot \
      follows the settings: the response that `au plot` draws, for units with one input and one output, \
      or the spectrum of what is heard. There are its presets and those of the user, two settings to \
      compare, A and B, and the bypass.

      The window needs a display. There, Ctrl+P plays and stops, Ctrl+B bypasses, Ctrl+E changes between \
      A and B, and Ctrl+Q closes it. In the terminal, the arrow keys select and change, Enter takes a \
      typed value; p goes through the presets, a changes between A and B, b bypasses, v changes the \
      plot, ? lists all keys.

      With headphones, --input is safe; with loudspeakers, it may howl.
      """,
    parameters: [unit, file, input, ProcessOption.outOfProcess, device, terminal],
    examples: [
      .init("au view lowpass", "A filter, and its response."),
      .init("au view rvb2,preset=plate song.flac", "A reverberation, with a file."),
      .init(
        "au view drive --input --out-of-process", "A plug-in on the input, in its own process."),
      .init("au view lowpass --terminal", "In the terminal, even where there is a display."),
    ]
  ) { values in
    let spec = values[unit]
    if let device = values[device] { setenv("AUDIOTOOLBOX_DEVICE", device, 1) }
    guard values[file] == nil || !values[input] else {
      throw UsageError("expected a file or --input, not both")
    }
    try ProcessOption.apply(values, to: [spec])
    let component = try spec.component()
    if !values[terminal], showInWindow == nil { startWindow(values) }
    guard showInWindow != nil || Terminal.isAvailable else {
      throw Failure(
        "a view needs a display or a terminal; `au info \(spec.name)` prints what the unit has")
    }
    let source: ViewSound.Source =
      values[input] ? .input : values[file].map { .file($0) } ?? .nothing
    let sound = try ViewSound(component, source)
    let viewed = ViewedUnit(sound.node, title: component.name)
    try spec.apply(to: viewed.unit)
    let plot = ViewPlot(spec, sampleRate: sound.sampleRate)
    let playsAlone = viewed.unit.elementCount(kAudioUnitScope_Input) == 0
    let canPlay = source.isHeard || playsAlone
    if let showInWindow {
      return try showInWindow(UnitModel(viewed, sound, plot, canPlay: canPlay))
    }
    try UnitView(viewed, sound, plot, canPlay: canPlay).run()
  }

  /// Replaces this process by the window with the same command line, if there is one and a display.
  private static func startWindow(_ values: Values) {
    // Other programs may have units that the program of the window has not.
    guard WindowProgram.ownName == "au" else { return }
    WindowProgram.start(
      ["view", values[unit].description] + [values[file]].compactMap { $0 }
        + (values[input] ? ["--input"] : [])
        + (values[ProcessOption.outOfProcess] ? ["--out-of-process"] : []))
  }
}

extension ViewSound.Source {
  /// Whether something goes into the unit.
  fileprivate var isHeard: Bool {
    if case .nothing = self { return false }
    return true
  }
}
