// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Foundation

/// `au graph`.
enum GraphCommand {
  private static let file = Argument<String>(
    "FILE", .path("the path of a description"), "the description, in JSON")
  private static let seconds = Option<Double?>(
    "seconds", "SECONDS", .number(of: "seconds", in: 0.001...604_800),
    "how long to play; until interrupted, when it is not said")
  private static let device = Option<String?>(
    "device", "DEVICE", .text("a device as in AUDIOTOOLBOX_DEVICE"), "play to this device")
  private static let output = Option<String?>(
    "output", "FILE", .path("the path of a WAV file"), "write 32-bit float to a file instead")
  private static let rate = Option<Int?>(
    "rate", "HZ", .wholeNumber(of: "frames per second", in: 1_000...768_000),
    "the sample rate of the file (48000, when it is not said)")
  private static let text = Flag("text", "draw it as text instead of playing it")
  private static let svg = Option<String?>(
    "svg", "FILE", .path("the path of an SVG file"), "draw it to a file instead of playing it")
  private static let check = Flag("check", "only say whether it could play")
  private static let json = Flag("json", "print the description as a program would save it")

  /// Builds, checks, draws, renders or plays a graph.
  static let command = Command(
    "graph", "play, render or draw a processing graph",
    discussion: """
      The description names units by code or by name, sets their parameters, presets and formats, \
      and says what feeds what. docs/graph.schema.json has the form; `au list` and `au info` show \
      units and parameters.

      With --output the output unit of the graph is replaced by one that renders to the file, as \
      fast as it can: exactly SECONDS (10, when it is not said) times HZ frames.

      What is wrong is told with its line and the members that lead there, under the names that \
      the description gives.
      """,
    parameters: [file, seconds, device, output, rate, text, svg, check, json],
    examples: [
      .init("au graph chord.json", "Plays until interrupted."),
      .init("au graph chord.json --text", "Shows units, connections and their formats."),
      .init("au graph chord.json --output chord.wav --seconds 5", "Renders five seconds."),
    ]
  ) { values in
    try checkPairs(values)
    if let device = values[device] { setenv("AUDIOTOOLBOX_DEVICE", device, 1) }
    let graph = try GraphFile(values[file])
    if values[check] {
      try graph.initialize()
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
      let frameCount = Int(((values[seconds] ?? 10) * Double(rate)).rounded())
      try graph.render(to: path, sampleRate: rate, frameCount: frameCount)
    } else {
      try graph.play(seconds: values[seconds])
    }
  }

  /// A line does one thing, but for two pictures, and says nothing that has no effect on it.
  private static func checkPairs(_ values: Values) throws(UsageError) {
    let isFile = values[output] != nil
    let draws = values[text] ? "--text" : values[svg] != nil ? "--svg" : nil
    let deeds = [
      values[check] ? "--check" : nil, values[json] ? "--json" : nil, draws,
      isFile ? "--output" : nil,
    ].compactMap(\.self)
    guard deeds.count < 2 else {
      throw UsageError("\(deeds[0]) and \(deeds[1]) are two things to do: say one")
    }
    let deed = deeds.first
    for (option, isSaid, isHeeded) in [
      ("--seconds", values[seconds] != nil, deed == nil || isFile),
      ("--rate", values[rate] != nil, isFile), ("--device", values[device] != nil, !isFile),
    ] where isSaid && !isHeeded {
      throw UsageError("\(option) has no effect \(deed.map { "on \($0)" } ?? "without --output")")
    }
  }
}
