// SPDX-License-Identifier: Apache-2.0
import AVFAudio
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

  @Test("ends the program with the sentence of the throwing form")
  func ends() async {
    await #expect(processExitsWith: .failure) {
      let engine = AVAudioEngine()
      engine.connect(AVAudioMixerNode(), to: engine.mainMixerNode, format: nil)
    }
    await #expect(processExitsWith: .failure) {
      AVAudioEngine().prepare()
    }
    await #expect(processExitsWith: .failure) {
      let engine = AVAudioEngine()
      engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { _, _ in }
      engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { _, _ in }
    }
  }
}
