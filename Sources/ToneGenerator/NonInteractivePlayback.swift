// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import ToneModel
import ToneTexts

/// Plays without a terminal or a window.
enum NonInteractivePlayback {
  private static let seconds = 3.0

  /// Plays for three seconds, and prints the tone and the device.
  static func play(_ model: ToneModel) throws {
    let signals = Signals(Signals.ending)
    try model.play(for: seconds)
    let device = model.device.map(Texts.namedDevice) ?? ""
    Console.print(
      "There is no display with a window, and no terminal: ToneGenerator plays once, and ends.")
    Console.print("Playing \(Texts.tone(model)) for \(Texts.plain(seconds)) seconds on \(device)")
    if model.isUnheard(of: nil) { Console.print(Texts.unheard) }
    var signal: Int32?
    model.waitUntilOver {
      signal = signals.next()
      return signal != nil
    }
    if let signal { Signals.endProcess(by: signal) }
  }
}
