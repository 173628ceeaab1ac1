// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport

/// `au devices`.
enum DevicesCommand {
  private static let action = Argument<String?>(
    optional: "set", .text("the word set, or the UID of a device", .dynamic("device or set")),
    "change the device that follows, instead of showing one")
  private static let device = Argument<String?>(
    optional: "DEVICE", .text("the UID of a device", .dynamic("device")),
    "the UID of a device, to show everything about it or to change it")
  private static let makesDefault = Option<DeviceSettings.Default?>(
    "default", "SIDE", .choice(), "set: make it the default device of all programs")
  private static let rate = Option<Double?>(
    "rate", "HZ", .sampleRate(in: 1_000...768_000),
    "set: switch it to this sample rate, for all programs")
  private static let cycle = Option<Int?>(
    "cycle", "FRAMES", .wholeNumber(of: "frames", in: 1...Int(kAUDevicesMaximumCycleFrames)),
    "set: switch it to cycles of this length, for all programs")
  private static let volume = Option<DeviceSettings.Volume?>(
    "volume", "VOLUME", DeviceSettings.Volume.reader, "set: its volume")
  private static let mute = Option<DeviceSettings.Switch?>(
    "mute", "SWITCH", .choice(), "set: whether it is mute")
  private static let json = Flag("json", "print JSON; with --watch, a line for each change")
  private static let watch = Flag(
    "watch", "report devices that are added, removed or changed, until interrupted")

  /// Lists, shows and changes devices.
  static let command = Command(
    "devices", "list the available devices, show one, or change it",
    discussion: """
      Shows each back end with its devices, or why it has none. --device and AUDIOTOOLBOX_DEVICE \
      take the UID of a device. An output and an input device are used together as UID+NAME, where \
      NAME is the part after the colon in the UID of the input.

      The default device is marked with >.

      With a DEVICE, shows its channels, volume, mute switch, data sources, streams and their \
      formats, the parts of its latency, the rates and cycles that it supports, and whether it is \
      in use.

      With set and a DEVICE, changes settings that its server manages for all programs. Settings \
      that each program requests for itself, such as the cycle of a PipeWire sink, are refused \
      here.
      """,
    parameters: [action, device, makesDefault, volume, mute, rate, cycle, watch, json],
    examples: [
      .init("au devices", "All devices."),
      .init("au devices pulse:speakers", "Everything about one of them."),
      .init("au devices set pulse:speakers --volume 50% --mute off", "Half the volume, not muted."),
      .init("au devices set pipewire:headphones --default output", "All programs play there."),
      .init("au devices set jack:system --cycle 128", "For all clients of the JACK server."),
      .init("au devices --watch", "Plug in a device and see its name."),
      .init("au devices --json", "For a program to read."),
      .init("AUDIOTOOLBOX_DEVICE=pulse au devices", "With PulseAudio as the back end."),
    ]
  ) { values in
    let settings = DeviceSettings(
      makesDefault: values[makesDefault], sampleRate: values[rate], cycleFrames: values[cycle],
      volume: values[volume], mute: values[mute])
    guard let word = values[action] else {
      guard settings.isEmpty else { throw UsageError(needsSet) }
      return try list(json: values[json], watch: values[watch])
    }
    guard !values[watch] else {
      throw UsageError(
        "--watch: expected no DEVICE, because it watches all devices")
    }
    let changes = word == "set"
    guard changes || values[device] == nil else {
      throw UsageError("\"\(word)\": expected the word set before a DEVICE, or a DEVICE alone")
    }
    guard let uid = changes ? values[device] : word else {
      throw UsageError("DEVICE is missing: expected the UID of a device")
    }
    guard changes != settings.isEmpty else {
      throw UsageError(
        changes ? "set: expected --default, --volume, --mute, --rate or --cycle" : needsSet)
    }
    if changes { try settings.apply(to: uid) }
    let report = SingleDeviceReport(try HardwareObject(uid))
    Console.print(values[json] ? try JSON.text(report) : report.text)
  }

  private static let needsSet =
    "--default, --volume, --mute, --rate and --cycle need the word set and a DEVICE before them"

  private static func list(json: Bool, watch: Bool) throws {
    let report = DeviceReport()
    if !watch { return Console.print(json ? try JSON.text(report) : report.text) }
    if !json { Console.print(report.text) }
    try DeviceWatch(printsJSON: json).run(from: report)
  }
}
