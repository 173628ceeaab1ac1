// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import CoreMIDI
import PlainText
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// `au midi`.
enum MIDICommand {
  private enum Action: String, CaseIterable { case list, monitor, send, play, record, keyboard }

  private static let action = Argument<Action>(
    "ACTION", .choice(), default: .list, "what to do")
  private static let words = RepeatedArgument<String>(
    optional: "WORD",
    .text("names, paths or messages", .dynamic("midi")),
    "what the action needs, as described above: names, paths or messages")
  private static let seconds = Option<Double?>(
    "seconds", "SECONDS", .seconds(in: 0.01...604_800),
    "monitor, record: for how long (default: until Ctrl-C)")
  private static let virtual = Option<String?>(
    "virtual", "NAME", .text("a name"),
    "monitor, record: make a destination of this name; send, keyboard: a source")
  private static let channel = Option<Int?>(
    "channel", "N",
    .init(expected: "a channel from 1 to 16", limits: ", from 1 to 16") { text in
      Int(text).flatMap { (1...16).contains($0) ? $0 : nil }
    }, "send: the channel of messages in words; keyboard: that of its notes (default: 1)")
  private static let duration = Option<Double?>(
    "duration", "SECONDS", .seconds(in: 0.001...3_600),
    "send, keyboard: the length of notes (default: 0.5, or 0.7 for the keyboard)")
  private static let delay = Option<Double?>(
    "delay", "SECONDS", .seconds(in: 0...3_600),
    "send: how long to wait first (default: 0, or 1 with --virtual)")
  private static let bank = Option<String?>(
    "bank", "FILE", .path("the path of a SoundFont or DLS bank"),
    "keyboard: the SoundFont or DLS bank that plays here (default: the system's bank)")
  private static let json = Flag(
    "json", "print JSON: list at once, monitor a line for each message")

  /// Lists, prints, sends, plays and records MIDI.
  static let command = Command(
    "midi", "list, print, send, play and record MIDI, or play a keyboard",
    discussion: """
      Without an action it lists what a program can receive from and send to, with the version of \
      MIDI of its messages and the number by which programs find it again: the ports of hardware \
      and of other programs, through ALSA's sequencer or JACK. Every program also has a bus of its \
      own: what it sends to the destination of the bus comes from the source.

      The actions are monitor [SOURCE...], send DESTINATION MESSAGE..., play FILE DESTINATION, record OUT \
      [SOURCE...] and keyboard [DESTINATION]. Sources and destinations are named by their whole name, \
      their number, or a part of the name that only one of them has.

      monitor prints each message that arrives, with its time in seconds. It listens to all \
      sources, also those that appear later, unless some are named or there is a --virtual \
      destination.

      send takes messages, which are sent at once in their order: note KEY [VELOCITY], which ends \
      after --duration, on KEY [VELOCITY], off KEY [VELOCITY], cc NUMBER VALUE, program NUMBER, \
      bend from -1 to 1, pressure VALUE, aftertouch KEY VALUE, start, continue, stop, clock, \
      reset, or bytes in hexadecimal. A key is a number or a note; 60 is C4. "wait SECONDS" delays \
      those after it. A comma or quotes may separate messages. Nothing is sent if one is wrong.

      play plays a MIDI file to a destination. record writes a MIDI file with a track for each \
      source; it begins with the first message, and is complete after Ctrl-C too.

      keyboard makes the letters of a terminal the keys of a piano: A S D F G H J K L are the white \
      ones from C on, W E T Y U O P the black ones, Z and X change the octave, C and V the velocity, \
      and space holds the pedal. It plays here with the instruments of a bank, or a destination if \
      one is named. A terminal does not tell when a key is released: a note ends after --duration, \
      and later while its key repeats.
      """,
    parameters: [action, words, seconds, virtual, channel, duration, delay, bank, json],
    examples: [
      .init("au midi", "All sources and destinations."),
      .init("au midi monitor", "Every message, until Ctrl-C."),
      .init("au midi monitor --virtual listener --json", "What other programs send here."),
      .init("au midi send synth note C4 note E4 note G4", "A chord, to the only synth."),
      .init("au midi send synth program 5, note 60 100, wait 1, 90 3C 64", "Words and bytes."),
      .init("au midi play song.mid synth", "A file, with a synthesizer."),
      .init("au midi record take.mid keyboard --seconds 60", "A minute of a keyboard."),
      .init("au midi keyboard", "Notes from the letters, played here."),
    ]
  ) { values in
    let action = values[action]
    try check(values, for: action)
    switch action {
    case .list: try list(values)
    case .monitor:
      try MIDIMonitor(
        listening: listening(to: values[words], values), printsJSON: values[json]
      ).run()
    case .send: try send(values)
    case .play: try play(values[words])
    case .record: try record(values)
    case .keyboard: try playKeyboard(values)
    }
  }

  /// Refuses options of other actions, and words that have no meaning.
  private static func check(_ values: Values, for action: Action) throws(UsageError) {
    let uses: [(any Parameter, [Action])] = [
      (seconds, [.monitor, .record]), (virtual, [.monitor, .record, .send, .keyboard]),
      (channel, [.send, .keyboard]), (duration, [.send, .keyboard]), (delay, [.send]),
      (bank, [.keyboard]), (json, [.list, .monitor]),
    ]
    for (option, actions) in uses where !actions.contains(action) && values.has(option) {
      let names = actions.map(\.rawValue).joined(separator: " or ")
      throw UsageError("\(option.name): expected with \(names), not with \(action.rawValue)")
    }
    if action == .list, let word = values[words].first {
      throw UsageError("\(Excerpt.quoted(word)): expected nothing after list")
    }
  }

  private static func list(_ values: Values) throws {
    // The ports of the machine are there once a program has a client.
    _ = try MIDIProgramClient.make()
    let report = MIDIEndpointsReport()
    Console.print(values[json] ? try JSON.text(report) : report.text)
  }

  private static func listening(to names: [String], _ values: Values) throws -> MIDIListening {
    let client = try MIDIProgramClient.make()
    let sources = MIDIEndpointsReport().sources
    var chosen: [MIDIEndpointsReport.Endpoint]?
    if !names.isEmpty || values.has(virtual) {
      chosen = try names.map { try MIDIEndpointChoice.find($0, among: sources, .source) }
    }
    let input = try MIDIInput(from: chosen, virtualDestination: values[virtual], of: client)
    return MIDIListening(input, seconds: values[seconds])
  }

  private static func send(_ values: Values) throws {
    var rest = values[words][...]
    let name = values.has(virtual) ? nil : rest.popFirst()
    guard name != nil || values.has(virtual) else {
      throw UsageError("DESTINATION is missing: expected a destination, as `au midi` lists them")
    }
    let messages = try TypedMIDI(
      Array(rest), channel: values[channel] ?? 1, duration: values[duration] ?? 0.5)
    let client = try MIDIProgramClient.make()
    let output =
      if let source = values[virtual] { try MIDIOutput(virtualSource: source, of: client) } else {
        try MIDIOutput(to: destination(name ?? ""), of: client)
      }
    try MIDISending(
      messages: messages, output: output, delay: values[delay] ?? (values.has(virtual) ? 1 : 0)
    ).run()
  }

  private static func destination(_ name: String) throws -> MIDIEndpointRef {
    let all = MIDIEndpointsReport().destinations
    return try MIDIEndpointChoice.ref(
      of: MIDIEndpointChoice.find(name, among: all, .destination))
  }

  private static func play(_ words: [String]) throws {
    guard let path = words.first else {
      throw UsageError("FILE is missing: expected a MIDI file and a destination")
    }
    guard words.count == 2 else {
      throw UsageError("play \(Excerpt.quoted(path)): expected one destination after the file")
    }
    let score = try MIDIScore(path)
    let client = try MIDIProgramClient.make()
    let destination = try destination(words[1])
    try MIDIFilePlayback(
      score: score, destination: destination, output: MIDIOutput(to: destination, of: client)
    ).run()
  }

  private static func record(_ values: Values) throws {
    let expected = "expected a path that ends in .mid or .midi"
    guard let path = values[words].first else { throw UsageError("OUT is missing: \(expected)") }
    guard [".mid", ".midi"].contains(where: path.lowercased().hasSuffix) else {
      throw UsageError("\(Excerpt.quoted(path)): \(expected)")
    }
    try MIDIRecordingFile(
      path: path, listening: listening(to: Array(values[words].dropFirst()), values)
    ).run()
  }

  private static func playKeyboard(_ values: Values) throws {
    let names = values[words]
    guard names.count <= (values.has(virtual) ? 0 : 1) else {
      throw UsageError("\(Excerpt.quoted(names[names.count - 1])): expected one destination")
    }
    guard !values.has(bank) || names.isEmpty && !values.has(virtual) else {
      throw UsageError("\(bank.name): expected without a destination, which has its own sounds")
    }
    guard TerminalKeys.isAvailable else {
      throw Failure("standard input is not a terminal: expected its keys")
    }
    let target = try keyboardTarget(names.first, values)
    guard let terminal = TerminalKeys() else { return }
    var keyboard = MIDIKeyboard(
      target: target, terminal: terminal,
      keys: TypewriterKeys(
        channel: UInt8(clamping: (values[channel] ?? 1) - 1), duration: values[duration] ?? 0.7))
    try keyboard.run()
  }

  private static func keyboardTarget(
    _ name: String?, _ values: Values
  ) throws -> any MIDIKeyboard.Target {
    if let source = values[virtual] {
      return try MIDIOutput(virtualSource: source, of: MIDIProgramClient.make())
    }
    guard let name else { return try PlayedInstrument(bank: values[bank]) }
    let client = try MIDIProgramClient.make()
    return try MIDIOutput(to: destination(name), of: client)
  }
}
