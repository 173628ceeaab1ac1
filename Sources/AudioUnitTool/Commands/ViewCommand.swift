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

  /// Shows and changes a unit.
  static let command = Command(
    "view", "show and change a unit in the terminal, while it plays",
    discussion: """
      Shows the parameters of any unit in their groups: values with their units, choices, meters. The \
      arrow keys select and change, Enter takes a typed value; p goes through the presets, a changes \
      between two settings, A and B, b bypasses, v changes the plot, ? lists all keys. The plot follows \
      the settings: the response that `au plot` draws, for units with one input and one output, or the \
      spectrum of what is heard.

      With headphones, --input is safe; with loudspeakers, it may howl.
      """,
    parameters: [unit, file, input, ProcessOption.outOfProcess, device],
    examples: [
      .init("au view lowpass", "A filter, and its response."),
      .init("au view rvb2,preset=plate song.flac", "A reverberation, with a file."),
      .init(
        "au view drive --input --out-of-process", "A plug-in on the input, in its own process."),
    ]
  ) { values in
    let spec = values[unit]
    if let device = values[device] { setenv("AUDIOTOOLBOX_DEVICE", device, 1) }
    guard values[file] == nil || !values[input] else {
      throw UsageError("expected a file or --input, not both")
    }
    guard Terminal.isAvailable else {
      throw Failure("a view needs a terminal; `au info \(spec.name)` prints what the unit has")
    }
    try ProcessOption.apply(values, to: [spec])
    let component = try spec.component()
    let source: ViewSound.Source =
      values[input] ? .input : values[file].map { .file($0) } ?? .nothing
    let sound = try ViewSound(component, source)
    let viewed = ViewedUnit(sound.node.audioUnit, title: component.name)
    try spec.apply(to: viewed.unit)
    let plot = ViewPlot(spec, sampleRate: sound.sampleRate)
    let playsAlone = viewed.unit.elementCount(kAudioUnitScope_Input) == 0
    try UnitView(viewed, sound, plot, canPlay: source.isHeard || playsAlone).run()
  }
}

extension ViewSound.Source {
  /// Whether something goes into the unit.
  fileprivate var isHeard: Bool {
    if case .nothing = self { return false }
    return true
  }
}
