// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import ToneModel

/// The command line of the application.
enum ToneGeneratorCommand {
  private static let terminal = Flag("terminal", "use the terminal, even where there is a display")
  private static let frequency = Option<Double>(
    "frequency", "HZ", .frequency(in: ToneModel.frequencies), default: Tone().frequency,
    "the initial frequency; the window defaults to the last one")
  private static let level = Option<Double>(
    "level", "DB", .level(in: ToneModel.levels), default: Tone().level,
    "the initial peak level, relative to full scale; the window defaults to the last one")
  private static let waveform = Option<ToneWaveform>(
    "waveform", "WAVEFORM", default: .sine,
    "the initial waveform; the window defaults to the last one")
  private static let device = Option<String?>(
    "device", "DEVICE", .text("a device as in AUDIOTOOLBOX_DEVICE"),
    "play to this device, as in AUDIOTOOLBOX_DEVICE")

  private static let rate = Option<Double?>(
    "rate", "HZ", .sampleRate(in: ToneDevicePreferences.sampleRates),
    "request this sample rate from the device")
  private static let cycle = Option<Int?>(
    "cycle", "FRAMES", .wholeNumber(of: "frames", in: ToneDevicePreferences.cycles),
    "request cycles of this length from the device")

  private static let midi = Option<String?>(
    "midi", "SOURCE", .text("a MIDI source, as `au midi` lists them"),
    "play by the keys of this MIDI source, as `au midi` lists them")

  /// The program.
  static let program = Program(
    "ToneGenerator", "a tone that follows a slider or the keys", commands: [command],
    environment: [
      ("AUDIOTOOLBOX_DEVICE", "the device to play to, when there is no --device"),
      ("DISPLAY, WAYLAND_DISPLAY", "the display of the window; empty for no window"),
      ("NO_COLOR", "when set, the terminal shows no colours"),
    ])

  private static let command = Command(
    "", "play a tone",
    discussion: """
      Opens a window if there is a display and the window is installed. Otherwise it runs in the \
      terminal. With neither, it plays for three seconds and prints the device.

      With --midi the last key held on the MIDI source sounds: its note is the frequency, which the \
      pitch bends by up to two semitones, and its velocity the level below --level. A name may be a \
      part that only one source has.

      The space bar plays and stops. Left and right move the frequency by a semitone, with Shift by \
      a cent; up and down by 1 Hz, with Shift by 0.1 Hz, with Ctrl by 0.01 Hz and with both by 0.001 \
      Hz; PgUp and PgDn by an octave. Digits and the letters A to G type a frequency or a note, and \
      Enter sets it. + and - change the level by a decibel, and q quits.

      In the terminal, w selects the next wave, < and > change the duty cycle of the square, n adds \
      a tone, N removes it, Tab selects the next one, c plays it on both sides, the left or the \
      right, p and P shift the phase of the right side, i inverts it, s starts and stops a sweep, v \
      switches between scope, spectrum and neither, o selects the next preset and t the next device. \
      After k the letters play as the keys of a piano, until Esc. A colon opens a command line: a \
      frequency or note such as 1k or A4, a device by name, the tuning of A4, the rate and the cycle \
      to request from the device, its dither, a sound file to play in a loop, when the tone sounds, \
      the range of a sweep, the band of noise, the crest factor of several sines, a calibration by \
      one measured level, your own presets, and export to a file. \
      The window has all of this in the panel that F9 opens; there Ctrl+K lets the letters play.
      """,
    parameters: [frequency, level, waveform, device, rate, cycle, midi, terminal],
    examples: [
      .init("ToneGenerator", "Start with the A above middle C."),
      .init("ToneGenerator --terminal", "Use the terminal, even where there is a display."),
      .init("ToneGenerator --frequency 1k --level -30", "Start with a quiet tone of 1 kHz."),
      .init("ToneGenerator --device file:take.wav", "Record what is played."),
      .init("ToneGenerator --midi keyboard", "Play by a MIDI keyboard."),
      .init("ToneGenerator --cycle 128", "Request a short latency from the device."),
    ]
  ) { values in
    if let device = values[device] { setenv("AUDIOTOOLBOX_DEVICE", device, 1) }
    if !values[terminal] {
      // Other values are restored from the last window.
      var words: [String] = []
      if values.has(frequency) { words += ["--frequency", "\(values[frequency])"] }
      if values.has(level) { words += ["--level", "\(values[level])"] }
      if let rate = values[rate] { words += ["--rate", "\(rate)"] }
      if let cycle = values[cycle] { words += ["--cycle", "\(cycle)"] }
      if values.has(waveform) { words += ["--waveform", values[waveform].rawValue] }
      if let midi = values[midi] { words += ["--midi", midi] }
      WindowProgram.start(words)
    }
    let model = ToneModel(
      Tone(frequency: values[frequency], level: values[level], waveform: values[waveform]))
    model.devicePreferences = ToneDevicePreferences(
      sampleRate: values[rate], cycleFrames: values[cycle])
    model.restoreCalibration(WindowState.load())
    if Terminal.isAvailable {
      try TerminalView.run(model, by: try values[midi].map { try ToneMIDIInput(from: $0) })
    } else if values.has(midi) {
      throw UsageError("--midi: expected a terminal on standard input and output")
    } else if values[terminal] {
      throw UsageError("--terminal: expected a terminal on standard input and output")
    } else {
      try NonInteractivePlayback.play(model)
    }
  }
}
