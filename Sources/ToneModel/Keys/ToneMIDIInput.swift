// SPDX-License-Identifier: Apache-2.0
import CoreMIDI
import Foundation
import Synchronization
@_spi(TrappingConversions) import CheckedNumbers

/// Receives the messages of a MIDI source. [the thread of the views, except where stated]
public final class ToneMIDIInput {
  /// A message of up to three bytes.
  public struct Message: Equatable, Sendable {
    public let status: UInt8
    public let first: UInt8
    public let second: UInt8
  }

  /// Messages on their way from the thread that receives, and a pipe that wakes the one that takes.
  private final class Inbox: Sendable {
    /// More than a player sends between two looks.
    private static let capacity = 4_096
    private let messages = Mutex<[Message]>([])
    let ends: (read: Int32, write: Int32)

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
      self.ends = (ends[0], ends[1])
    }

    deinit {
      close(ends.read)
      close(ends.write)
    }

    /// [a thread of the library] Keeps the messages of a list.
    func receive(_ list: UnsafePointer<MIDIEventList>) {
      for packet in list.unsafeSequence() {
        let words = packet.words()
        var index = 0
        while index < words.count {
          let word = words[index]
          index += Self.wordCounts[Int(word >> 28)]
          guard word >> 28 == 2 else { continue }
          let message = Message(
            status: UInt8(truncatingIfNeeded: word >> 16),
            first: UInt8(truncatingIfNeeded: word >> 8),
            second: UInt8(truncatingIfNeeded: word))
          messages.withLock { if $0.count < Self.capacity { $0.append(message) } }
        }
      }
      // A full pipe wakes too.
      var byte: UInt8 = 0
      _ = write(ends.write, &byte, 1)
    }

    /// The words of a message of each type.
    private static let wordCounts = [1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4]

    func take() -> [Message] {
      var bytes = [UInt8](repeating: 0, count: 256)
      while read(ends.read, &bytes, bytes.count) > 0 {}
      return messages.withLock { messages in
        defer { messages = [] }
        return messages
      }
    }
  }

  private static let client: Result<MIDIClientRef, ToneError> = Result { () throws(ToneError) in
    var client = MIDIClientRef()
    try ToneError.check(
      MIDIClientCreateWithBlock("ToneGenerator" as CFString, &client, nil), "Can't use MIDI")
    return client
  }

  private let inbox: Inbox
  private var port = MIDIPortRef()
  /// The source.
  public let source: ToneMIDISources.Choice

  /// Readable when there are messages, for `poll`.
  public var descriptor: Int32 { inbox.ends.read }

  /// Listens to the source with a name, or to the only one whose name has the text in it, in upper or
  /// lower case.
  ///
  /// - Throws: The names that there are, if none fits.
  public convenience init(from text: String) throws(ToneError) {
    _ = try Self.client.get()
    try self.init(ToneMIDISources.find(text))
  }

  /// Listens to a source.
  ///
  /// - Throws: If it is gone, or MIDI cannot be used.
  public init(_ source: ToneMIDISources.Choice) throws(ToneError) {
    let client = try Self.client.get()
    self.source = source
    guard let inbox = Inbox() else { throw ToneError("Can't use MIDI: no more files can be open") }
    self.inbox = inbox
    try ToneError.check(
      MIDIInputPortCreateWithProtocol(client, "keys" as CFString, ._1_0, &port) { list, _ in
        inbox.receive(list)
      }, "Can't make a MIDI port")
    try ToneError.check(MIDIPortConnectSource(port, source.ref, nil), source.name)
  }

  deinit { MIDIPortDispose(port) }

  /// Returns what arrived since the last call.
  public func take() -> [Message] { inbox.take() }

  /// Whether the source is still there.
  public var isConnected: Bool {
    var isOffline: Int32 = 0
    return MIDIObjectGetIntegerProperty(source.ref, kMIDIPropertyOffline, &isOffline) == noErr
      && isOffline == 0
  }

  /// The names of the sources that are there.
  public static func sourceNames() throws(ToneError) -> [String] {
    _ = try client.get()
    return ToneMIDISources.current.map(\.name)
  }
}
