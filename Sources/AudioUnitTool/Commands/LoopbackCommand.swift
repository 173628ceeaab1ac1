// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox

/// `au loopback`.
enum LoopbackCommand {
  private static let device = Option<String?>(
    "device", "DEVICE", .deviceName,
    "play to and capture from this device or pair")
  private static let level = Option<Double>(
    "level", "DB", .level(in: -100...0), default: -20,
    "peak level of the noise, relative to full scale")
  private static let rounds = Option<Int>(
    "rounds", "COUNT", .wholeNumber(of: "measurements", in: 1...1_000), default: 5,
    "number of measurements")
  private static let json = Flag("json", "print JSON")

  /// Measures the round trip.
  static let command = Command(
    "loopback", "measure the latency from the output back to the input",
    discussion: """
      Plays a burst of noise and finds it in the captured sound, to the frame. Connect the output to \
      the input by a cable, or use the monitor of the output as the input. The report compares the \
      measured latency with the one that the device claims.
      """,
    parameters: [device, level, rounds, json],
    examples: [
      .init("au loopback", "The default device, with a cable from its output to its input."),
      .init(
        "au loopback --device pulse:alsa_output.usb+alsa_output.usb.monitor",
        "A sink of PulseAudio and its monitor; no cable is needed."),
      .init("au loopback --rounds 100 --json", "A hundred measurements for a program to read."),
    ]
  ) { values in
    if let name = values[device] { setenv("AUDIOTOOLBOX_DEVICE", name, 1) }
    let loop = try Loopback(amplitude: Float(pow(10, values[level] / 20)), rounds: values[rounds])
    let report = try loop.measure()
    Console.print(values[json] ? try JSON.text(report) : report.text)
    if report.roundTripFrames.isEmpty {
      throw Failure(
        "the burst was not found in the input: connect the output to the input, or raise --level")
    }
  }
}
