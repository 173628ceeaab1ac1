// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Testing

@Suite("A change of an engine's device")
struct ConfigurationTests {
  @Test("leaves the format that the program set for the output", arguments: [true, false])
  func format(isSet: Bool) throws {
    let machine = SwitchedMachine()
    try machine.use {
      let engine = AVAudioEngine()
      let (mixer, counter) = (engine.mainMixerNode, Counter())
      let source = counter.node()
      engine.attach(source)
      engine.connect(source, to: mixer, format: nil)
      let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1))
      if isSet { engine.connect(mixer, to: engine.outputNode, format: mono) }
      try engine.start()
      #expect(wait { counter.next > 1_000 })
      machine.plug([SwitchedMachine.surround])
      #expect(wait { !engine.isRunning })
      try engine.start()
      let format = mixer.outputFormat(forBus: 0)
      #expect(format.channelCount == (isSet ? 1 : 2))
      #expect(format.sampleRate == (isSet ? 24_000 : 48_000))
      engine.stop()
    }
  }
}
