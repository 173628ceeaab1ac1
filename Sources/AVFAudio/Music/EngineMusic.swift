// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import MusicPlayers
import MusicSequences

extension EngineCore {
  /// Plays a sequence with the engine's instruments, instead of the present one.
  func setMusic(_ sequence: MusicSequence?) {
    if let old = music.sequence { EventSequence.existing(old)?.sound = nil }
    music.sequence = sequence
    if let sequence { EventSequence.existing(sequence)?.sound = sound }
  }

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

extension EventSequence {
  /// The sequence behind a handle; nil if it was disposed of.
  static func existing(_ handle: MusicSequence) -> EventSequence? {
    guard let entered = handles.enter(handle) else { return nil }
    defer { handles.leave(handle) }
    return entered.takeUnretainedValue()
  }
}
