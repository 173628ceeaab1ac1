// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Foundation
import Testing

@Suite("Voice processing of an input node")
struct VoiceNodeTests {
  /// An engine that processes voice, and what a tap of its input gets.
  private func engine() throws -> (AVAudioEngine, TapLog) {
    let (engine, log) = (AVAudioEngine(), TapLog())
    try engine.inputNode.setVoiceProcessingEnabled(true)
    engine.inputNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { log.add($0, $1) }
    return (engine, log)
  }

  @Test("passes captured sound unprocessed while it is bypassed")
  func bypass() throws {
    let sound = noise(60_000).map { $0 / 16 }
    let input = try Tape([sound, sound])
    try onDevice(Tape(), input: input) {
      let (engine, log) = try engine()
      #expect(!engine.inputNode.isVoiceProcessingBypassed)
      engine.inputNode.isVoiceProcessingBypassed = true
      #expect(engine.inputNode.isVoiceProcessingBypassed)
      try engine.start()
      #expect(wait { log.samples.count > 40_000 })
      engine.stop()
      let start = try #require(log.samples.firstIndex(of: sound[10_000]))
      #expect(log.samples[start..<start + 20_000] == sound[10_000..<30_000])
    }
  }

  @Test("reports somebody who speaks while the input is muted")
  func mutedTalker() throws {
    let talker = Signal.speech(seed: 8, pitch: 190, seconds: 20, sampleRate: 48_000)
    let input = try Tape([talker.floats, talker.floats])
    let events = Events()
    try onDevice(Tape(), input: input, frames: 256, clock: .paced) {
      #expect(!AVAudioEngine().inputNode.setMutedSpeechActivityEventListener { _ in })
      let (engine, _) = try engine()
      #expect(
        engine.inputNode.setMutedSpeechActivityEventListener {
          events.add($0 == .started ? "started" : "ended")
        })
      engine.inputNode.isVoiceProcessingInputMuted = true
      try engine.start()
      #expect(events.wait(for: 1) == ["started"])
      engine.inputNode.isVoiceProcessingInputMuted = false
      #expect(events.wait(for: 2) == ["started", "ended"])
      #expect(engine.inputNode.setMutedSpeechActivityEventListener(nil))
      engine.stop()
    }
  }

  @Test("lowers other sound as configured")
  func ducking() throws {
    let input = try Tape([[Float](repeating: 0, count: 10), [Float](repeating: 0, count: 10)])
    try onDevice(Tape(), input: input) {
      let (engine, _) = try engine()
      let node = engine.inputNode
      let initial = node.voiceProcessingOtherAudioDuckingConfiguration
      #expect(initial.duckingLevel == .default && !initial.enableAdvancedDucking.boolValue)
      try engine.start()
      node.voiceProcessingOtherAudioDuckingConfiguration = .init(
        enableAdvancedDucking: true, duckingLevel: .max)
      #expect(node.voiceProcessingOtherAudioDuckingConfiguration.duckingLevel == .max)
      var ducking = AUVoiceIOOtherAudioDuckingConfiguration()
      var size = UInt32(MemoryLayout.size(ofValue: ducking))
      #expect(
        AudioUnitGetProperty(
          try #require(node.audioUnit), kAUVoiceIOProperty_OtherAudioDuckingConfiguration,
          kAudioUnitScope_Global, 0, &ducking, &size) == noErr)
      #expect(ducking.mDuckingLevel.rawValue == 30 && ducking.mEnableAdvancedDucking == true)
      engine.stop()
    }
  }
}
