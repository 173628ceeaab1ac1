// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// `au graph`.
enum GraphCommand {
  private static let file = Argument<String>(
    "FILE", .path("the path of a description"), "the description, in JSON")
  private static let seconds = Option<Double?>(
    "seconds", "SECONDS", .seconds(in: 0.001...604_800),
    "how long to play (default: until interrupted)")
  private static let device = Option<String?>(
    "device", "DEVICE", .deviceName,
    "play to this device")
  private static let output = Option<String?>(
    "output", "FILE", .recordingPath, "write a file instead")
  private static let rate = Option<Int?>(
    "rate", "HZ", .wholeSampleRate(in: 1_000...768_000),
    "sample rate of the file (default: 48000)")
  private static let text = Flag("text", "draw it as text instead of playing it")
  private static let svg = Option<String?>(
    "svg", "FILE", .path("the path of an SVG file"), "draw it to an SVG file instead of playing it")
  private static let check = Flag("check", "only check whether it can play and is audible")
  private static let json = Flag("json", "print the description in the form that programs save")

  /// Builds, checks, draws, renders or plays a graph.
  static let command = Command(
    "graph", "play, render or draw a processing graph",
    discussion: """
      The description names units, sets their parameters, presets and formats, and connects them. \
      docs/graph.schema.json defines the form; `au list` and `au info` show units and parameters. \
      Values are numbers, or texts as on the command line: "A4", "1k", "-6dB", "250ms", or the \
      name of a value.

      With --output the graph is rendered to a file instead of its device, as fast as possible: \
      exactly SECONDS (default: 10) times HZ frames. An existing file is replaced only when the new \
      one is complete.

      Errors give the line and the path of the JSON member, with the names used in the description.
      """,
    parameters: [
      file, seconds, device, output, rate, SampleOptions.bits, SampleOptions.dither, text, svg,
      check, json,
    ],
    examples: [
      .init("au graph chord.json", "Plays until interrupted."),
      .init("au graph chord.json --text", "Shows units, connections and their formats."),
      .init("au graph chord.json --output chord.wav --seconds 5", "Renders five seconds."),
    ]
  ) { values in
    try checkPairs(values)
    if let path = values[output] { try Recording.check(path) }
    if let device = values[device] { setenv("AUDIOTOOLBOX_DEVICE", device, 1) }
    let samples = try SampleOptions.samples(values, path: values[output])
    let graph = try GraphFile(values[file])
    if values[check] {
      try graph.initialize()
      let reasons = try graph.silence()
      guard reasons.isEmpty else {
        throw Failure("\(values[file]) would be silent: \(reasons.joined(separator: "; "))")
      }
      Console.print("\(values[file]) is ready to play\n")
    } else if values[json] {
      Console.print(try graph.description)
    } else if values[text] || values[svg] != nil {
      try graph.initialize()
      let map = try GraphMap(graph.graph)
      if values[text] { Console.print(map.text) }
      if let path = values[svg] { try PictureFile.write(map.svg, to: path) }
    } else if let path = values[output] {
      let rate = values[rate] ?? 48_000
      let length = values[seconds] ?? 10
      let frameCount = Int(saturating: (length * Double(rate)).rounded())
      try graph.render(to: path, sampleRate: rate, frameCount: frameCount, samples: samples)
      for reason in try graph.silence() {
        Console.error("au graph: \(values[file]) is silent: \(reason)")
      }
      let ending = values[seconds] == nil ? "; --seconds changes the length" : ""
      let text = "\(path): \(Numbers.plain(length)) s\(ending)"
      // The sound may be on standard output, where no text may follow it.
      if path == "-" { Console.error(text) } else { Console.print(text) }
    } else {
      try graph.initialize()
      for reason in try graph.silence() {
        Console.error("au graph: \(values[file]) will be silent: \(reason)")
      }
      try graph.play(seconds: values[seconds])
    }
  }

  /// Refuses options that exclude each other, and options without an effect; --text and --svg may
  /// be combined.
  private static func checkPairs(_ values: Values) throws(UsageError) {
    let isFile = values[output] != nil
    let draws = values[text] ? "--text" : values[svg] != nil ? "--svg" : nil
    let actions = [
      values[check] ? "--check" : nil, values[json] ? "--json" : nil, draws,
      isFile ? "--output" : nil,
    ].compactMap(\.self)
    guard actions.count < 2 else {
      throw UsageError("\(actions[0]) and \(actions[1]) exclude each other: use one of them")
    }
    let action = actions.first
    for (option, isGiven, isUsed) in [
      ("--seconds", values[seconds] != nil, action == nil || isFile),
      ("--rate", values[rate] != nil, isFile), ("--device", values[device] != nil, !isFile),
    ] where isGiven && !isUsed {
      throw UsageError("\(option) has no effect \(action.map { "on \($0)" } ?? "without --output")")
    }
  }
}
