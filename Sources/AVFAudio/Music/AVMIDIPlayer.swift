// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
import MusicPlayers
import MusicSequences

/// Plays a MIDI file with a sound bank to the default output. [control thread]
open class AVMIDIPlayer: NSObject, @unchecked Sendable {  // the parts are safe for threads
  private let sequence: EventSequence
  private let player: SequencePlayer
  private let ending = Guarded<AVMIDIPlayerCompletionHandler?>(nil)
  private let check = Guarded<PeriodicCheck?>(nil)
  /// How often the end is looked for, in seconds.
  private static let interval = 0.02

  /// A player of a file. Without a bank it is that of the system. Throws if one of the two cannot be
  /// read.
  public init(contentsOf inURL: URL, soundBankURL bankURL: URL?) throws {
    let bytes = try Self.rethrow("init(contentsOf:soundBankURL:)") { () throws(AudioError) in
      try FileBytes.read(inURL.path, limit: MIDIFileReader.byteLimit)
    }
    (sequence, player) = try Self.parts(bytes)
    super.init()
    if let bankURL { try use(bankURL) }
  }

  /// A player of a file in memory.
  public init(data: Data, soundBankURL bankURL: URL?) throws {
    (sequence, player) = try Self.parts(Array(data))
    super.init()
    if let bankURL { try use(bankURL) }
  }

  private static func parts(_ bytes: [UInt8]) throws -> (EventSequence, SequencePlayer) {
    try rethrow("init") { () throws(AudioError) in
      let sequence = try EventSequence.make()
      try sequence.load(bytes, separatesChannels: false)
      let player = try SequencePlayer()
      try player.set(sequence)
      return (sequence, player)
    }
  }

  deinit {
    player.end()
    if let handle = sequence.handle { try? EventSequence.dispose(handle) }
  }

  private static func rethrow<Result>(
    _ call: String, _ body: () throws(AudioError) -> Result
  ) throws -> Result {
    do throws(AudioError) { return try body() } catch {
      throw EngineError.failed("AVMIDIPlayer.\(call)", error)
    }
  }

  /// Gives the instrument of the sequence's graph a bank.
  private func use(_ bank: URL) throws {
    let call = "AVMIDIPlayer.init(…soundBankURL:)"
    let graph = try Self.rethrow("init") { () throws(AudioError) in
      try SequenceSound.graph(of: sequence)
    }
    var (node, unit) = (AUNode(), AudioUnit?.none)
    // The default graph begins with the instrument.
    try EngineError.check(AUGraphGetIndNode(graph, 0, &node), call)
    try EngineError.check(AUGraphNodeInfo(graph, node, nil, &unit), call)
    guard let unit else { throw EngineError.failure(call, kAudio_ParamError) }
    let object = bank as NSURL
    try withExtendedLifetime(object) {
      var address: UnsafeRawPointer? = UnsafeRawPointer(
        Unmanaged.passUnretained(object).toOpaque())
      try EngineError.check(
        AudioUnitSetProperty(
          unit, kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0, &address,
          UInt32(MemoryLayout<UnsafeRawPointer>.size)), call, of: bank.path)
    }
  }

  // MARK: Playing

  /// Opens the output, so that the start is quick.
  open func prepareToPlay() { try? player.prepare() }

  /// Plays from the position on. The handler is called once, at the end or when `stop()` is called.
  @preconcurrency
  open func play(_ completionHandler: AVMIDIPlayerCompletionHandler? = nil) {
    let old = ending.withLock { ending in
      defer { ending = completionHandler }
      return ending
    }
    old?()
    if player.time >= sequence.length { try? player.seek(0) }
    do throws(AudioError) { try player.play() } catch {
      Explanations.log("AVMIDIPlayer.play: \(error.reason)")
      return finish()
    }
    let check = check.withLock { check in
      if let check { return check }
      let made = PeriodicCheck(name: "midi-player") { [weak self] in self?.checkEnd() }
      check = made
      return made
    }
    check.wake()
  }

  /// Stops, and keeps the position.
  open func stop() {
    player.stop()
    finish()
  }

  /// Stops at the end; returns the seconds to the next check, nil if it does not play any more.
  private func checkEnd() -> Double? {
    guard player.isPlaying else { return nil }
    guard player.time >= sequence.length else { return Self.interval }
    player.stop()
    finish()
    return nil
  }

  private func finish() {
    let handler = ending.withLock { ending in
      defer { ending = nil }
      return ending
    }
    handler?()
  }

  /// Whether it plays.
  open var isPlaying: Bool { player.isPlaying }

  /// The length of the file in seconds.
  open var duration: TimeInterval { sequence.tempos.seconds(sequence.length) }

  /// By how much it plays faster; 1 at first. A rate that is not positive changes nothing.
  open var rate: Float {
    get { Float(player.rate) }
    set { try? player.setRate(Double(newValue)) }
  }

  /// The position in seconds.
  open var currentPosition: TimeInterval {
    get { sequence.tempos.seconds(player.time) }
    set { try? player.seek(sequence.tempos.beats(newValue)) }
  }
}
