// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox

/// `au devices`.
enum DevicesCommand {
  private static let json = Flag("json", "print JSON; with --watch, a line for each change")
  private static let watch = Flag("watch", "tell of devices that come and go, until interrupted")

  /// Lists devices.
  static let command = Command(
    "devices", "list the devices that there are",
    discussion: """
      Each back end is shown with its devices, or with the reason why it has none. The UID of a \
      device is what --device and AUDIOTOOLBOX_DEVICE take; a device that plays and one that \
      captures are used together as UID+NAME, where NAME is what follows the colon of the second.

      Marked with > is what programs get that ask for no device.
      """,
    parameters: [watch, json],
    examples: [
      .init("au devices", "What there is."),
      .init("au devices --watch", "Plug something in and see what it is called."),
      .init("au devices --json", "For a program to read."),
      .init("AUDIOTOOLBOX_DEVICE=pulse au devices", "As if PulseAudio were chosen."),
    ]
  ) { values in
    let report = DeviceReport()
    if !values[watch] { return Console.print(values[json] ? try JSON.text(report) : report.text) }
    if !values[json] { Console.print(report.text) }
    try DeviceWatch(printsJSON: values[json]).run(from: report)
  }
}
