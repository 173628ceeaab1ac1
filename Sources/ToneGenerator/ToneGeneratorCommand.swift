// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import ToneModel

/// The command line of the application.
enum ToneGeneratorCommand {
  private static let terminal = Flag("terminal", "use the terminal, or fail where there is none")
  private static let frequency = Option<Double>(
    "frequency", "HZ", .number(of: "Hz", in: ToneModel.frequencies), default: Tone().frequency,
    "the frequency to begin with")
  private static let level = Option<Double>(
    "level", "DB", .number(of: "dB", in: ToneModel.levels), default: Tone().level,
    "the peak to begin with, below full scale")
  private static let waveform = Option<ToneWaveform>(
    "waveform", "WAVEFORM", default: .sine, "the wave to begin with")
  private static let device = Option<String?>(
    "device", "DEVICE", .text("a device as in AUDIOTOOLBOX_DEVICE"), "play to this device")

  /// The program.
  static let program = Program(
    "ToneGenerator", "a tone that follows a slider, or the keys", commands: [command],
    environment: [
      ("AUDIOTOOLBOX_DEVICE", "the device to play to, when --device does not say one"),
      ("DISPLAY, WAYLAND_DISPLAY", "where the window is shown; empty keeps it away"),
      ("NO_COLOR", "anything leaves out the colours of the terminal"),
    ])

  private static let command = Command(
    "", "play a tone",
    discussion: """
      Where there is a display and the window is installed, a slider moves the tone. Else, in a \
      terminal, keys move it, and the screen shows it. Without either it plays for three seconds \
      and says on which device.

      The space bar plays and stops. Left and right move the frequency by a semitone, with Shift by \
      a cent; up and down by 1 Hz, with Shift by 0.1 Hz, with Ctrl by 0.01 Hz and with both by 0.001 \
      Hz; PgUp and PgDn by an octave. Digits type a frequency, which Enter takes. + and - change \
      the level by a decibel, and q quits.

      In the terminal, w takes the next wave, d and D narrow and widen the square, n adds a tone, N \
      removes it, Tab looks at the next one, c sends it to both sides, the left or the right, p and \
      P turn the phase of the right side, i inverts it, s sweeps, v shows the scope, the spectrum \
      or neither, o takes the next preset and t the next device. A colon opens a line for what has \
      no key: a device by its name, the tuning of A4, the ends of a sweep, presets of your own, and \
      the export to a file. The window has all of this in the panel that F9 opens.
      """,
    parameters: [frequency, level, waveform, device, terminal],
    examples: [
      .init("ToneGenerator", "Begin with the A above middle C."),
      .init("ToneGenerator --terminal", "Stay in the terminal, also where there is a display."),
      .init("ToneGenerator --frequency 1000 --level -30", "Begin with a quiet kilohertz."),
      .init("ToneGenerator --device file:take.wav", "Record what is played."),
    ]
  ) { values in
    if let device = values[device] { setenv("AUDIOTOOLBOX_DEVICE", device, 1) }
    if !values[terminal] {
      WindowProgram.start([
        "--frequency", "\(values[frequency])", "--level", "\(values[level])", "--waveform",
        values[waveform].rawValue,
      ])
    }
    let model = ToneModel(
      Tone(frequency: values[frequency], level: values[level], waveform: values[waveform]))
    if Terminal.isThere {
      try TerminalView.run(model)
    } else if values[terminal] {
      throw UsageError("--terminal: expected a terminal on standard input and output")
    } else {
      try PlainTone.play(model)
    }
  }
}
