// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox

/// `au devices`.
enum DevicesCommand {
  private static let json = Flag("json", "print JSON; with --watch, a line for each change")
  private static let watch = Flag(
    "watch", "report devices that are added or removed, until interrupted")

  /// Lists devices.
  static let command = Command(
    "devices", "list the available devices",
    discussion: """
      Shows each back end with its devices, or why it has none. --device and AUDIOTOOLBOX_DEVICE \
      take the UID of a device. A device that plays and one that captures are used together as \
      UID+NAME, where NAME is what follows the colon in the UID of the second.

      The default device is marked with >.
      """,
    parameters: [watch, json],
    examples: [
      .init("au devices", "All devices."),
      .init("au devices --watch", "Plug in a device and see its name."),
      .init("au devices --json", "For a program to read."),
      .init("AUDIOTOOLBOX_DEVICE=pulse au devices", "With PulseAudio as the back end."),
    ]
  ) { values in
    let report = DeviceReport()
    if !values[watch] { return Console.print(values[json] ? try JSON.text(report) : report.text) }
    if !values[json] { Console.print(report.text) }
    try DeviceWatch(printsJSON: values[json]).run(from: report)
  }
}
