// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport

/// `au aggregate`.
enum AggregateCommand {
  private enum Action: String, CaseIterable { case list, make, destroy }

  private static let action = Argument<Action>(
    "ACTION", .choice(), default: .list, "what to do")
  private static let name = Argument<String?>(
    optional: "NAME",
    .init(
      expected: "letters, digits and -_. , such as desk",
      limits: ", such as desk", completion: .dynamic("aggregate")
    ) { text in
      let letters = text.hasPrefix("aggregate:") ? text.dropFirst("aggregate:".count) : text[...]
      let isPlain = letters.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0)
      }
      return isPlain && !letters.isEmpty ? String(letters) : nil
    }, "make, destroy: the part of its UID after \"aggregate:\"; letters, digits and -_.")
  private static let parts = RepeatedOption<String>(
    "part", "DEVICE", .text("the UID of a device", .dynamic("device")),
    "make: the UID of a part; repeat the option for each, in the order of the channels")
  private static let main = Option<String?>(
    "main", "DEVICE", .text("the UID of a part", .dynamic("device")),
    "make: the UID of the part whose clock all follow (default: the first)")
  private static let title = Option<String?>(
    "title", "TEXT", .text(), "make: its name in lists of devices (default: NAME)")
  private static let stacked = Flag("stacked", "make: all parts play the same channels")
  private static let uncorrected = RepeatedOption<String>(
    "uncorrected", "DEVICE", .text("the UID of a part", .dynamic("device")),
    "make: the UID of a part that shares the main clock and is not resampled")
  private static let json = Flag("json", "list, make: print JSON")

  /// Lists, makes and destroys aggregate devices.
  static let command = Command(
    "aggregate", "combine several devices into one",
    discussion: """
      An aggregate device has the channels of all its parts, one after the other, and runs on the \
      clock of one of them. The other parts are resampled to that clock. Parts may belong to any \
      back ends: a sink of PulseAudio and a JACK server, two sound cards, a device and the monitor \
      of another.

      It is stored for this user, in audiotoolbox/aggregates of the configuration folder, until it \
      is destroyed. Every program that uses this library can use it by its UID, "aggregate:NAME"; \
      other programs do not see it. If some parts are missing, it has the channels of the others.
      """,
    parameters: [action, name, parts, main, title, stacked, uncorrected, json],
    examples: [
      .init(
        "au aggregate make desk --part pulse:speakers --part alsa:hw:CARD=USB",
        "Four output channels, on the clock of the speakers."),
      .init("au tone --device aggregate:desk --seconds 3", "Try it: a tone on all channels."),
      .init("au record --device aggregate:desk take.wav", "Record all inputs to one file."),
      .init("au devices aggregate:desk", "Its streams, formats and latency."),
      .init("au aggregate", "All aggregate devices."),
      .init("au aggregate destroy desk", "Delete it."),
    ]
  ) { values in
    switch values[action] {
    case .list:
      if let name = values[name] { throw UsageError("\"\(name)\": expected nothing after list") }
      let reports = AggregateReport.all
      Console.print(values[json] ? try JSON.text(reports) : AggregateReport.text(reports))
    case .make:
      let report = try AggregateReport.make(try plan(values))
      Console.print(
        values[json]
          ? try JSON.text(report)
          : AggregateReport.text([report]) + "Try it: au tone --device \(report.uid) --seconds 3")
    case .destroy:
      guard let name = values[name] else {
        throw UsageError("NAME is missing: expected an aggregate device, as `au aggregate` lists")
      }
      try AggregateReport.destroy(name)
      Console.print("aggregate:\(name) was destroyed")
    }
  }

  private static func plan(_ values: Values) throws -> AggregateReport.Plan {
    guard let name = values[name] else {
      throw UsageError("NAME is missing: expected a name for the device")
    }
    guard !values[parts].isEmpty else {
      throw UsageError("--part is missing: expected the UID of a device, once for each part")
    }
    return AggregateReport.Plan(
      uid: name, title: values[title], parts: values[parts], main: values[main],
      isStacked: values[stacked], uncorrected: values[uncorrected])
  }
}
