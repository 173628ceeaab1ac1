// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Foundation
import Testing

@Suite("Muting a program")
struct MuteTests {
  // Each in a process of its own: the switches hold for all of it.

  @Test("the input captures silence, on all devices, and a notification says so")
  func input() async {
    await #expect(processExitsWith: .success) {
      let input = try Tape([[Float](repeating: 0.5, count: 400_000)])
      let (log, application, posts) = (TapLog(), AVAudioApplication.shared, Events())
      let observer = NotificationCenter.default.addObserver(
        forName: AVAudioApplication.inputMuteStateChangeNotification, object: application,
        queue: nil
      ) { posts.add("\($0.userInfo?[AVAudioApplication.muteStateKey] as? Bool ?? false)") }
      defer { NotificationCenter.default.removeObserver(observer) }
      try onDevice(Tape(), input: input, clock: .paced) {
        let engine = AVAudioEngine()
        engine.inputNode.installTap(onBus: 0, bufferSize: 256, format: nil) { log.add($0, $1) }
        _ = engine.mainMixerNode
        try engine.start()
        #expect(wait { log.samples.last == 0.5 } && !application.isInputMuted)
        try application.setInputMuted(true)
        try application.setInputMuted(true)
        #expect(application.isInputMuted && wait { log.samples.last == 0 })
        try application.setInputMuted(false)
        #expect(wait { log.samples.last == 0.5 })
        engine.stop()
      }
      #expect(log.samples.allSatisfy { $0 == 0 || $0 == 0.5 })
      #expect(posts.all == ["true", "false"])
      exit(log.samples.isEmpty ? 1 : 0)
    }
  }

  @Test("the output is silent, on all devices, and a notification says so")
  func output() async {
    await #expect(processExitsWith: .success) {
      let (tape, session, posts) = (Tape(), AVAudioSession.sharedInstance(), Events())
      let observer = NotificationCenter.default.addObserver(
        forName: AVAudioSession.outputMuteStateChangeNotification, object: session, queue: nil
      ) { posts.add("\($0.userInfo?[AVAudioSessionMuteStateKey] as? Bool ?? false)") }
      defer { NotificationCenter.default.removeObserver(observer) }
      try onDevice(tape, clock: .paced) {
        let (engine, player) = (AVAudioEngine(), AVAudioPlayerNode())
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        try engine.start()
        let constant = try PlayerNodeTests.buffer([Float](repeating: 0.5, count: 480))
        player.scheduleBuffer(constant, at: nil, options: .loops)
        #expect(!session.isOutputMuted)
        try session.setOutputMuted(true)
        #expect(session.isOutputMuted)
        // The cycle after the change still fades.
        usleep(50_000)
        player.play()
        usleep(100_000)
        try session.setOutputMuted(false)
        usleep(100_000)
        engine.stop()
      }
      let sound = try tape.samples()[0]
      let first = sound.firstIndex { $0 != 0 } ?? 0
      #expect(posts.all == ["true", "false"])
      // At least a twentieth of a second was silent; then a ramp of one cycle.
      #expect(first > 2_400)
      #expect(sound.dropFirst(first + 1_024).contains(0.5))
      exit(sound.isEmpty ? 1 : 0)
    }
  }

  @Test("a wish for an input without echo is kept, and no device here grants it")
  func preferences() async {
    await #expect(processExitsWith: .success) {
      let session = AVAudioSession.sharedInstance()
      #expect(!session.prefersEchoCancelledInput)
      try session.setPrefersEchoCancelledInput(true)
      #expect(session.prefersEchoCancelledInput)
      try session.setPrefersEchoCancelledInput(false)
      #expect(!session.isEchoCancelledInputAvailable && !session.isEchoCancelledInputEnabled)
      onDevice(channels: 2) {
        #expect(
          session.supportedOutputChannelLayouts.map(\.layoutTag) == [kAudioChannelLayoutTag_Stereo]
        )
      }
    }
  }
}
