// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Foundation
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// A keyboard of notes in a terminal, which plays here or at a destination.
struct MIDIKeyboard {
  /// Where its messages go.
  protocol Target {
    func send(_ message: [UInt8]) throws
    /// Waits until what was sent has sounded or left.
    func finish()
  }

  private static let help = """
      W E   T Y U   O P   ]     black keys
     A S D F G H J K L ; '      white keys, from C
    Z X octave   C V velocity   space pedal   Q ends
    """

  let target: any Target
  let terminal: TerminalKeys
  var keys: TypewriterKeys

  /// Plays until Q or a signal, which ends the notes and then the process.
  mutating func run() throws {
    let signals = Signals(Signals.ending)
    let begin = ContinuousClock.now
    var now: Double { (.now - begin) / .seconds(1) }
    Console.error(Self.help)
    var signal: Int32?
    while signal == nil {
      write(status)
      guard wait(for: signals, until: keys.nextEnd.map { $0 - now }) else {
        signal = signals.next()
        try send(keys.endNotes(at: now))
        continue
      }
      let bytes = terminal.read()
      let pressed = TypewriterKeys.keys(bytes)
      if bytes.isEmpty || pressed.contains(.quit) { break }
      for key in pressed { try send(keys.press(key, at: now)) }
    }
    write("")
    terminal.restore()
    try send(keys.endAll())
    target.finish()
    if let signal { Signals.endProcess(by: signal) }
  }

  /// Replaces the line of the terminal.
  private func write(_ text: String) {
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
  }

  private func send(_ messages: [[UInt8]]) throws {
    for message in messages { try target.send(message) }
  }

  /// Waits for a key, a signal, or a number of seconds. Whether there is a key, and no signal.
  private func wait(for signals: Signals, until seconds: Double?) -> Bool {
    let events = Int16(clamping: POLLIN)
    var waits = [
      pollfd(fd: signals.descriptor, events: events, revents: 0),
      pollfd(fd: STDIN_FILENO, events: events, revents: 0),
    ]
    let limit = seconds.map { Int(saturating: ($0 * 1_000).rounded(.up)) } ?? 60_000
    poll(&waits, nfds_t(clamping: waits.count), Int32(clamping: min(max(limit, 0), 60_000)))
    return waits[0].revents == 0 && waits[1].revents != 0
  }

  private var status: String {
    let notes = keys.ends.keys.sorted().map(MIDIKey.name).joined(separator: " ")
    let lowest = MIDIKey.name(UInt8(clamping: keys.lowest))
    let pedal = keys.isSustained ? "  pedal" : ""
    return "A is \(lowest)  velocity \(keys.velocity)\(pedal)  \(notes)"
  }
}

extension MIDIOutput: MIDIKeyboard.Target {}

/// The instrument that plays here.
final class PlayedInstrument: MIDIKeyboard.Target {
  /// How long the last notes fade, in seconds.
  private static let tail = 0.5

  private let graph: InstrumentGraph

  /// Starts the default output. The bank is a path; nil for that of the system.
  init(bank: String?) throws(Failure) {
    graph = try InstrumentGraph(.init(bank: bank, sampleRate: nil))
    try Failure.check(AUGraphInitialize(graph.graph), "Can't play")
    try Failure.check(AUGraphStart(graph.graph), "Can't play")
  }

  func send(_ message: [UInt8]) throws(Failure) {
    let data = message.map(UInt32.init) + [0, 0]
    try Failure.check(
      MusicDeviceMIDIEvent(graph.instrument, data[0], data[1], data[2], 0), "Can't play")
  }

  func finish() {
    usleep(UInt32(clamping: Int(saturating: Self.tail * 1_000_000)))
    AUGraphStop(graph.graph)
  }
}
