// SPDX-License-Identifier: Apache-2.0
import CoreMIDI
import Foundation
import PlainText

/// The MIDI sources that can play a tone, kept up to date.
public final class ToneMIDISources {
  /// A source.
  public struct Choice: Hashable, Sendable {
    /// Its number in this process.
    let ref: MIDIEndpointRef
    /// Its name for display.
    public let name: String
  }

  /// The sources that are there.
  public private(set) var all: [Choice] = []

  private var client = MIDIClientRef()

  /// [control thread] Reads the list of sources, and calls `onChange`, on any thread, when it may have
  /// changed.
  ///
  /// - Throws: If MIDI cannot be used.
  public init(onChange: @escaping @Sendable () -> Void) throws(ToneError) {
    try ToneError.check(
      MIDIClientCreateWithBlock("ToneGenerator" as CFString, &client) { notification in
        if notification.pointee.messageID == .msgSetupChanged { onChange() }
      }, "Can't use MIDI")
    refresh()
  }

  deinit { MIDIClientDispose(client) }

  /// [control thread] Reads the list again.
  public func refresh() { all = Self.current }

  /// [control thread] The sources, for a process that has a client.
  static var current: [Choice] {
    (0..<MIDIGetNumberOfSources()).compactMap { index in
      let ref = MIDIGetSource(index)
      var name: Unmanaged<CFString>?
      guard ref != 0, MIDIObjectGetStringProperty(ref, kMIDIPropertyDisplayName, &name) == noErr
      else { return nil }
      return Choice(ref: ref, name: name.map { "\($0.takeRetainedValue())" } ?? "")
    }
  }

  /// [control thread] The source with a name, or the only one whose name has the text in it, in upper
  /// or lower case.
  ///
  /// - Throws: The names that there are, if none fits.
  static func find(_ text: String) throws(ToneError) -> Choice {
    let all = current
    var found = all.filter { $0.name == text }
    if found.isEmpty {
      found = all.filter { $0.name.lowercased().contains(text.lowercased()) }
    }
    if found.count == 1 { return found[0] }
    let quoted = Excerpt.quoted(text)
    guard found.isEmpty else {
      throw ToneError(
        "\(quoted) may be several MIDI sources: \(Excerpt.list(found.map(\.name))); use a whole name"
      )
    }
    throw ToneError(
      "no MIDI source has the name \(quoted); there are: "
        + (all.isEmpty ? "none" : Excerpt.list(all.map(\.name))))
  }
}
