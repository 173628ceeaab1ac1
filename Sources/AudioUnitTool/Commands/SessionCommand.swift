// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AVFAudio

/// `au session`.
enum SessionCommand {
  private static let category = Option<SessionChoice.Category?>(
    "category", "CATEGORY", .choice(), "only this category (default: all)")
  private static let mode = Option<SessionChoice.Mode?>(
    "mode", "MODE", .choice(), "with this mode; needs --category")
  private static let rate = Option<Double?>(
    "rate", "HZ", .sampleRate(in: 1_000...768_000), "prefer this sample rate")
  private static let cycle = Option<Double?>(
    "cycle", "SECONDS", .seconds(in: 0.0001...10), "prefer a cycle of this length")
  private static let json = Flag("json", "print JSON; with --watch, a line for each notification")
  private static let watch = Flag("watch", "print the session's notifications, until interrupted")

  /// Shows what an audio session grants.
  static let command = Command(
    "session", "show what an audio session grants in each category",
    discussion: """
      Sets the audio session of this process to each category in turn, with the given preferences, \
      and prints what AVAudioSession then reports: the granted rate and cycle, the ports of the \
      route with their types and channels, and the latency of the devices. If a category cannot be \
      activated, the reason is printed.
      """,
    parameters: [category, mode, rate, cycle, watch, json],
    examples: [
      .init("au session", "All categories."),
      .init("au session --cycle 5ms --rate 44.1k", "The rates and cycles that are granted."),
      .init("au session --category playAndRecord --mode voiceChat", "One category."),
      .init("au session --watch", "Unplug the headphones and see the notifications."),
    ]
  ) { values in
    if values[mode] != nil, values[category] == nil {
      throw UsageError("--mode: expected a --category that allows it")
    }
    let report = try SessionReport(
      values[category].map { [$0] } ?? SessionChoice.Category.allCases, mode: values[mode],
      sampleRate: values[rate], seconds: values[cycle])
    if !values[watch] { return Console.print(values[json] ? try JSON.text(report) : report.text) }
    if !values[json] { Console.print(report.text) }
    try SessionWatch(printsJSON: values[json]).run()
  }
}
