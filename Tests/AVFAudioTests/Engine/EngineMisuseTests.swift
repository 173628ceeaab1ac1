// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioDevices
import AudioTestSupport
import Foundation
import Testing

@Suite("AVAudioEngine, misuse")
struct EngineMisuseTests {
  private static func failure(_ body: () throws -> Void) -> NSError? {
    do {
      try body()
      return nil
    } catch { return error as NSError }
  }

  private static func format(_ rate: Double, _ channels: UInt32) throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
  }

  @Test("refuses nodes that are not attached, and names call, rule and mend")
  func unattached() throws {
    let engine = AVAudioEngine()
    let (source, mixer) = (Counter().node(), engine.mainMixerNode)
    let error = try #require(
      Self.failure { try engine.connectNode(source, to: mixer, format: nil) })
    #expect(error.domain == "com.apple.coreaudio.avfaudio")
    #expect(error.userInfo["failed call"] != nil)
    for part in ["connectNode", "not attached", "attach it first"] {
      #expect(error.localizedDescription.contains(part))
    }
    #expect(engine.attachedNodes.count == 2)
  }

  @Test("attaches a node twice without effect")
  func twice() {
    let (engine, node) = (AVAudioEngine(), AVAudioMixerNode())
    engine.attach(node)
    engine.attach(node)
    #expect(engine.attachedNodes == [node])
    #expect(node.engine === engine)
  }

  @Test("refuses cycles, buses that do not exist, and formats without rate or of integers")
  func connections() throws {
    let engine = AVAudioEngine()
    let (first, second, source) = (AVAudioMixerNode(), AVAudioMixerNode(), Counter().node())
    for node in [first, second, source] { engine.attach(node) }
    try engine.connectNode(first, to: second, format: nil)
    #expect(Self.failure { try engine.connectNode(second, to: first, format: nil) } != nil)
    #expect(Self.failure { try engine.connectNode(first, to: first, format: nil) } != nil)
    #expect(
      Self.failure {
        try engine.connectNode(source, to: first, fromBus: 1, toBus: 0, format: nil)
      } != nil)
    #expect(
      Self.failure {
        try engine.connectNode(source, to: first, fromBus: 0, toBus: -1, format: nil)
      } != nil)
    #expect(Self.failure { try engine.connectNode(first, to: source, format: nil) } != nil)
    let integers = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
    #expect(
      Self.failure { try engine.connectNode(source, to: first, format: integers) }?.code == -10868)
    #expect(engine.inputConnectionPoint(for: first, inputBus: 0) == nil)
    #expect(engine.inputConnectionPoint(for: second, inputBus: 0)?.node === first)
  }

  @Test("refuses to change the last connection while it runs")
  func runningEdit() throws {
    let offline = try Offline()
    let engine = offline.engine
    let (mixer, source) = (engine.mainMixerNode, Counter().node())
    engine.attach(source)
    try engine.connectNode(source, to: mixer, format: nil)
    try engine.start()
    let error = Self.failure {
      try engine.connectNode(mixer, to: engine.outputNode, format: Self.format(44_100, 2))
    }
    #expect(error?.localizedDescription.contains("stop the engine first") == true)
    #expect(try offline.render(512)[0] == Counter.samples(512))
  }

  @Test("allows stop, reset and detach of an engine that never started")
  func neverStarted() {
    let (engine, node) = (AVAudioEngine(), AVAudioMixerNode())
    engine.attach(node)
    engine.stop()
    engine.pause()
    engine.reset()
    engine.detach(node)
    #expect(engine.attachedNodes.isEmpty && !engine.isRunning)
    let error = Self.failure { try engine.start() }
    #expect(error?.localizedDescription.contains("mainMixerNode") == true)
  }

  @Test("throws the documented errors of manual rendering")
  func manual() throws {
    let engine = AVAudioEngine()
    let format = try Self.format(48_000, 2)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
    #expect(Self.failure { try engine.renderOffline(512, to: buffer) }?.code == -80800)
    #expect(engine.manualRenderingFormat.sampleRate == 0)
    #expect(engine.manualRenderingFormat.channelCount == 0)
    #expect(engine.manualRenderingMaximumFrameCount == 0)
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
    #expect(Self.failure { try engine.renderOffline(512, to: buffer) }?.code == -80802)
    _ = engine.mainMixerNode
    try engine.start()
    #expect(
      Self.failure {
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
      }?.code == -80801)
    #expect(Self.failure { try engine.renderOffline(513, to: buffer) } != nil)
    let mono = try #require(
      AVAudioPCMBuffer(pcmFormat: Self.format(48_000, 1), frameCapacity: 512))
    #expect(Self.failure { try engine.renderOffline(512, to: mono) } != nil)
    #expect(try engine.renderOffline(0, to: buffer) == .success)
    #expect(try engine.renderOffline(512, to: buffer) == .success)
    engine.disableManualRenderingMode()
    #expect(!engine.isRunning && !engine.isInManualRenderingMode)
  }

  @Test("refuses a format without a rate where the device is missing, and names the device")
  func missingDevices() throws {
    var environment = DeviceEnvironment()
    environment.device = DeviceName("file:/nowhere/in.wav,/nowhere/out.wav")
    try environment.use {
      let engine = AVAudioEngine()
      let (input, output, mixer) = (engine.inputNode, engine.outputNode, engine.mainMixerNode)
      for (error, end) in [
        (
          Self.failure {
            try engine.connectNode(input, to: mixer, format: input.outputFormat(forBus: 0))
          }, "input"
        ),
        (
          Self.failure {
            try engine.connectNode(mixer, to: output, format: output.outputFormat(forBus: 0))
          }, "output"
        ),
        (
          Self.failure {
            let format = input.outputFormat(forBus: 0)
            try input.installAudioTap(onBus: 0, bufferSize: 512, format: format) { _, _ in }
          }, "input"
        ),
      ] {
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("0 Hz and 0 channels, because there is no device with an \(end): "))
        #expect(text.contains("/nowhere/"))
        #expect(error?.code == Int(kAudioUnitErr_FormatNotSupported))
      }
      // Without a format the device may come later.
      try engine.connectNode(input, to: mixer, format: nil)
      try input.installAudioTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
    }
    let engine = try Offline().engine
    let input = engine.inputNode
    let error = Self.failure {
      try engine.connectNode(
        input, to: engine.mainMixerNode, format: input.outputFormat(forBus: 0))
    }
    #expect(error?.localizedDescription.contains("setManualRenderingInputPCMFormat") == true)
  }

  @Test("refuses rates that no stream has, and those that a mixer cannot convert")
  func rates() throws {
    let engine = try Offline().engine
    let player = AVAudioPlayerNode()
    engine.attach(player)
    for rate in [1e-5, 1, 187, 3e6, 1e300] {
      let error = Self.failure {
        try engine.connectNode(player, to: engine.mainMixerNode, format: Self.format(rate, 2))
      }
      #expect(error?.code == Int(kAudioUnitErr_FormatNotSupported), "\(rate) Hz")
    }
    #expect(engine.outputConnectionPoints(for: player, outputBus: 0).isEmpty)
    for rate in [187.5, 2_999_999] {
      try engine.connectNode(player, to: engine.mainMixerNode, format: Self.format(rate, 2))
      try engine.start()
      engine.stop()
    }
    // A mixer whose rate nothing determines yet takes any.
    let lonely = AVAudioMixerNode()
    engine.attach(lonely)
    try engine.connectNode(player, to: lonely, format: Self.format(1, 2))
  }

  @Test("refuses a sink that the input does not drive, at the latest at the start")
  func sinks() throws {
    try onDevice {
      let engine = AVAudioEngine()
      let sink = AVAudioSinkNode { _, _, _ in noErr }
      let (player, mixer) = (AVAudioPlayerNode(), AVAudioMixerNode())
      for node in [sink, player, mixer] { engine.attach(node) }
      let error = Self.failure { try engine.connectNode(player, to: sink, format: nil) }
      #expect(error?.localizedDescription.contains("AVAudioPlayerNode is not the input") == true)
      try engine.connectNode(player, to: mixer, format: nil)
      try engine.connectNode(mixer, to: sink, format: nil)
      _ = engine.inputNode
      let start = Self.failure { try engine.start() }
      #expect(
        start?.localizedDescription.hasPrefix("AVAudioEngine.start(): AVAudioSinkNode") == true)
      #expect(!engine.isRunning)
      // With the input among its sources it works.
      try engine.connectNode(engine.inputNode, to: mixer, fromBus: 0, toBus: 1, format: nil)
      try engine.start()
      engine.stop()
    }
  }

  @Test("refuses a time effect behind the input of a device")
  func timeEffects() throws {
    try onDevice {
      let engine = AVAudioEngine()
      let (pitch, mixer) = (AVAudioUnitTimePitch(), AVAudioMixerNode())
      for node in [pitch, mixer] { engine.attach(node) }
      let input = engine.inputNode
      try engine.connectNode(mixer, to: pitch, format: nil)
      try engine.connectNode(pitch, to: engine.mainMixerNode, format: nil)
      for node in [pitch, mixer] {
        let error = Self.failure { try engine.connectNode(input, to: node, format: nil) }
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("AVAudioUnitTimePitch asks for more or fewer frames"))
        #expect(text.contains("; put it behind a player"))
      }
      engine.disconnectNodeInput(pitch)
      try engine.connectNode(input, to: mixer, format: nil)
      #expect(Self.failure { try engine.connectNode(mixer, to: pitch, format: nil) } != nil)
      // In manual rendering the block supplies as many frames as are asked for.
      let format = try Self.format(48_000, 2)
      try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
      try engine.connectNode(mixer, to: pitch, format: nil)
      engine.disableManualRenderingMode()
      let error = Self.failure { try engine.start() }
      #expect(error?.localizedDescription.contains("AVAudioUnitTimePitch") == true)
      engine.disconnectNodeInput(pitch)
      try engine.start()
      engine.stop()
    }
  }

  @Test("refuses a manual input that is not linear PCM, has no rate, or comes while it runs")
  func manualInput() throws {
    let engine = try Offline().engine
    let (input, format) = (engine.inputNode, try Self.format(48_000, 2))
    var fields = AudioStreamBasicDescription()
    (fields.mSampleRate, fields.mFormatID, fields.mChannelsPerFrame) = (
      48_000, kAudioFormatMPEG4AAC, 2
    )
    let coded = try #require(AVAudioFormat(streamDescription: &fields))
    for bad in [coded, AVAudioEngine().manualRenderingFormat] {
      #expect(!input.setManualRenderingInputPCMFormat(bad) { _ in nil })
    }
    #expect(input.outputFormat(forBus: 0).sampleRate == 0)
    #expect(input.setManualRenderingInputPCMFormat(format) { _ in nil })
    engine.connect(input, to: engine.mainMixerNode, format: nil)
    try engine.start()
    #expect(!input.setManualRenderingInputPCMFormat(format) { _ in nil })
  }

  @Test("frees the block of a manual input with the next one, and with the engine")
  func manualInputLifetime() throws {
    final class Owned: Sendable {}
    weak var first: Owned?
    weak var second: Owned?
    func set(_ input: AVAudioInputNode, _ owned: Owned) throws -> Bool {
      input.setManualRenderingInputPCMFormat(try Self.format(48_000, 2)) { _ in
        withExtendedLifetime(owned) { nil }
      }
    }
    do {
      let engine = try Offline().engine
      let owned = (Owned(), Owned())
      (first, second) = owned
      #expect(try set(engine.inputNode, owned.0) && set(engine.inputNode, owned.1))
    }
    #expect(first == nil && second == nil)
  }

  @Test("has no voice processing in manual rendering")
  func voice() throws {
    let engine = try Offline().engine
    let error = Self.failure { try engine.outputNode.setVoiceProcessingEnabled(true) }
    let text = error?.localizedDescription ?? ""
    #expect(
      text.contains("setVoiceProcessingEnabled(_:): manual rendering has no voice processing; "))
    #expect(!engine.inputNode.isVoiceProcessingEnabled)
  }
}
