// SPDX-License-Identifier: Apache-2.0
import CommandSupport

/// Takes messages of an input until a time is over or a signal arrives.
struct MIDIListening {
  let input: MIDIInput
  /// Nil: until a signal.
  let seconds: Double?
  /// Signals are caught before a file exists, so that no incomplete file is left.
  private let signals = Signals(Signals.ending)

  init(_ input: MIDIInput, seconds: Double?) { (self.input, self.seconds) = (input, seconds) }

  /// Calls `body` with each message; returns the signal that ended it, if one did.
  func run(_ body: (MIDIInput.Message) throws -> Void) throws -> Int32? {
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    while true {
      let next = ContinuousClock.now + .milliseconds(20)
      let signal = signals.next(until: min(next, end ?? next))
      for message in try input.take() { try body(message) }
      if let signal { return signal }
      if let end, .now >= end { return nil }
    }
  }
}

/// Prints the messages of an input.
struct MIDIMonitor {
  let listening: MIDIListening
  let printsJSON: Bool

  private struct Line: Encodable {
    var time: Double
    var source: String
    var message: MIDIMessageReport
  }

  /// Prints until a time is over or a signal arrives, which then ends the process.
  func run() throws {
    if !printsJSON {
      let names = listening.input.allNames.joined(separator: ", ")
      Console.error("Listening to \(names). Ctrl-C ends.")
    }
    let signal = try listening.run { message in
      let report = MIDIMessageReport(message.bytes)
      Console.print(
        printsJSON
          ? try JSON.line(Line(time: message.time, source: message.name, message: report))
          : Self.text(message, report))
    }
    if let signal { Signals.endProcess(by: signal) }
  }

  /// A line to read: the seconds, the source and the message.
  static func text(_ message: MIDIInput.Message, _ report: MIDIMessageReport) -> String {
    let seconds = Numbers.rounded(message.time, digits: 3)
    let margin = String(repeating: " ", count: max(0, 9 - seconds.count))
    return "\(margin)\(seconds)  \(message.name): \(report.text)"
  }
}
