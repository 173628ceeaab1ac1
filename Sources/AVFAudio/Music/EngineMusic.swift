// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
import MusicPlayers
import MusicSequences

extension EngineCore {
  /// The engine's graph, as it drives sequences.
  var sound: EngineSound {
    EngineSound(audioGraph) { [weak self] in
      let instruments = self?.attachedNodes.lazy.compactMap { $0 as? AVAudioUnitMIDIInstrument }
      return instruments?.first?.audioUnit
    }
  }
}

extension EngineError {
  /// Runs a call of a track or sequencer; a failure of the library becomes a refusal with a mend.
  static func refuse<Result>(
    _ call: String, _ mend: String, _ body: () throws(AudioError) -> Result
  ) throws -> Result {
    do throws(AudioError) { return try body() } catch {
      throw refusal(call, error.reason, mend: mend, error.status)
    }
  }

  /// A failure of the library.
  static func failed(_ call: String, _ error: AudioError) -> NSError {
    NSError(
      domain: domain, code: Int(error.status),
      userInfo: [NSLocalizedDescriptionKey: "\(call): \(error.reason)", "failed call": call])
  }
}

extension AVAudioEngine {
  /// A sequence of MusicPlayer.h whose tracks play instruments of the engine; nil at first. A player
  /// plays it while the engine runs. Its tracks go to the first instrument that was attached.
  public var musicSequence: MusicSequence? {
    get { core.music.sequence }
    set {
      if let old = core.music.sequence { EventSequence.existing(old)?.sound = nil }
      core.music.sequence = newValue
      if let newValue { EventSequence.existing(newValue)?.sound = core.sound }
    }
  }
}

extension EventSequence {
  /// The sequence behind a handle; nil if it was disposed of.
  static func existing(_ handle: MusicSequence) -> EventSequence? {
    guard let entered = handles.enter(handle) else { return nil }
    defer { handles.leave(handle) }
    return entered.takeUnretainedValue()
  }
}
