// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// Plays the tone by keys: those of a MIDI source, and the letters of the keyboard.
final class KeyPlayer {
  /// Called when the source, the sources that there are, or the use of the letters has changed.
  var onChange: () -> Void = {}
  /// Called when the letters begin to play.
  var onLetters: () -> Void = {}

  private let session: Session
  private let keys: ToneKeys
  private var letters = TypewriterKeys(channel: 0, duration: .infinity, isLoud: true)
  /// The letters that are held, by the places of their keys on the keyboard.
  private var held: [UInt32: TypewriterKeys.Key] = [:]
  private var sources: ToneMIDISources?
  private var input: ToneMIDIInput?
  /// The wait for messages; 0: none.
  private var wait: UInt32 = 0

  init(_ session: Session) {
    self.session = session
    keys = ToneKeys(session.model)
  }

  // MARK: Letters

  /// Whether the letters play.
  var playsLetters = false {
    didSet {
      guard playsLetters != oldValue else { return }
      if playsLetters { onLetters() } else { endLetters() }
      onChange()
    }
  }

  /// The note of the letter A.
  var letterA: Int { letters.lowest }

  /// Presses a key; false if it plays nothing. `code` is its place on the keyboard.
  func press(_ value: UInt32, code: UInt32) -> Bool {
    guard playsLetters, let byte = UInt8(exactly: value), let key = TypewriterKeys.key(byte),
      key != .sustain, key != .quit
    else { return false }
    // A key that repeats is held.
    guard held.updateValue(key, forKey: code) == nil else { return true }
    send(letters.press(key, at: 0))
    if case .octave = key { onChange() }
    return true
  }

  /// Releases a key.
  func release(code: UInt32) {
    guard let key = held.removeValue(forKey: code) else { return }
    send(letters.release(key))
  }

  /// Releases all letters, as when another window gets the keyboard.
  func releaseLetters() {
    held = [:]
    send(letters.endAll())
  }

  /// A tone that no key holds is over.
  private func endLetters() {
    releaseLetters()
    if session.model.isMuted, !keys.areHeld { session.model.stop() }
  }

  private func send(_ messages: [[UInt8]]) {
    for message in messages { receive(message[0], message[1], message[2]) }
  }

  private func receive(_ status: UInt8, _ first: UInt8, _ second: UInt8) {
    session.change { _ in try keys.receive(status, first, second) }
  }

  // MARK: The MIDI source

  /// The sources that there are; none before `watch`.
  var choices: [ToneMIDISources.Choice] { sources?.all ?? [] }

  /// The source that plays; nil: none.
  var source: ToneMIDISources.Choice? { input?.source }

  /// Begins to follow the sources.
  func watch() {
    guard sources == nil else { return }
    let player = WeakPlayer(self)
    session.change { _ in
      sources = try ToneMIDISources { later { player.value?.refresh() } }
    }
    onChange()
  }

  private final class WeakPlayer: @unchecked Sendable {
    // Read only on the window's thread.
    weak var value: KeyPlayer?
    init(_ value: KeyPlayer) { self.value = value }
  }

  /// A source that is unplugged sends no end of its notes.
  private func refresh() {
    sources?.refresh()
    if let input, !input.isConnected {
      listen(to: nil)
      session.onMessage(tr("The MIDI source is gone."), .soon)
    }
    onChange()
  }

  /// Listens to the source with a name, or to the only one whose name has the text in it.
  func listen(toName text: String) {
    watch()
    session.change { _ in replace(try ToneMIDIInput(from: text)) }
  }

  /// Listens to a source; nil: to none.
  func listen(to choice: ToneMIDISources.Choice?) {
    guard choice != source else { return }
    session.change { _ in replace(try choice.map { try ToneMIDIInput($0) }) }
  }

  private func replace(_ newInput: ToneMIDIInput?) {
    if wait != 0 { g_source_remove(wait) }
    wait = 0
    keys.releaseAll()
    input = newInput
    if let newInput { wait = onReadable(newInput.descriptor) { [weak self] in self?.take() } }
    onChange()
  }

  private func take() {
    for message in input?.take() ?? [] {
      receive(message.status, message.first, message.second)
    }
  }

  /// Ends all notes, and listens to nothing any more.
  func end() {
    onChange = {}
    onLetters = {}
    releaseLetters()
    replace(nil)
    sources = nil
  }
}
