// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioTestSupport
import Foundation
import Synchronization
import Testing

@Suite("AVAudioEngine, what several threads change")
struct LastChangeTests {
  private static func format(_ rate: Double) throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2))
  }

  private final class SlowMixer: AVAudioMixerNode, @unchecked Sendable {
    let meanwhile = Meanwhile()

    override func setMixing(_ values: MixingValues, onInput bus: AVAudioNodeBus) {
      meanwhile.happen()
      super.setMixing(values, onInput: bus)
    }
  }

  @Test("a mixer has the last of two volumes")
  func volume() throws {
    let offline = try Offline()
    let (engine, mixer, source) = (offline.engine, SlowMixer(), Counter().node())
    for node in [mixer, source] as [AVAudioNode] { engine.attach(node) }
    engine.connect(source, to: mixer, format: nil)
    engine.connect(mixer, to: engine.mainMixerNode, format: nil)
    try engine.start()
    mixer.meanwhile.set { source.volume = 0.25 }
    source.volume = 0.75
    mixer.meanwhile.join()
    let samples = try offline.render(512)
    let isEqual = samples[0] == Counter.samples(512, gain: source.volume)
    #expect(isEqual)
  }

  private final class SlowPlayer: AVAudioPlayerNode, @unchecked Sendable {
    let meanwhile = Meanwhile()

    override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
      let format = super.outputFormat(forBus: bus)
      meanwhile.happen()
      return format
    }
  }

  @Test("a player has the last of two formats")
  func playerFormat() throws {
    let offline = try Offline()
    let (engine, player) = (offline.engine, SlowPlayer())
    engine.attach(player)
    let (first, second) = (try Self.format(32_000), try Self.format(24_000))
    engine.connect(player, to: engine.mainMixerNode, format: nil)
    try engine.start()
    player.meanwhile.set { engine.connect(player, to: engine.mainMixerNode, format: second) }
    engine.connect(player, to: engine.mainMixerNode, format: first)
    player.meanwhile.join()
    player.play()
    _ = try offline.render(512)
    let time = try #require(player.lastRenderTime)
    #expect(time.sampleRate == 24_000)
    #expect(player.playerTime(forNodeTime: time)?.sampleRate == 24_000)
  }

  private final class SlowEngine: AVAudioEngine, @unchecked Sendable {
    let meanwhile = Meanwhile()

    override func connect(
      _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus,
      toBus bus2: AVAudioNodeBus, format: AVAudioFormat?
    ) {
      meanwhile.happen()
      super.connect(node1, to: node2, fromBus: bus1, toBus: bus2, format: format)
    }
  }

  @Test("two sources that are connected to a mixer at the same time get inputs of their own")
  func freeInput() {
    let engine = SlowEngine()
    let (mixer, first, second) = (AVAudioMixerNode(), Counter().node(), Counter().node())
    for node in [mixer, first, second] as [AVAudioNode] { engine.attach(node) }
    engine.meanwhile.set { engine.connect(second, to: mixer, format: nil) }
    engine.connect(first, to: mixer, format: nil)
    engine.meanwhile.join()
    #expect(engine.outputConnectionPoints(for: first, outputBus: 0).count == 1)
    #expect(engine.outputConnectionPoints(for: second, outputBus: 0).count == 1)
  }

  @Test("one of two engines gets a node")
  func attached() {
    let (engines, node) = ((0..<2).map { _ in AVAudioEngine() }, AVAudioMixerNode())
    let threads = engines.map { engine in
      OwnThread {
        var isAlone = true
        for _ in 0..<20_000 where (try? engine.core.attach(node)) != nil {
          isAlone = isAlone && node.engine === engine
          engine.detach(node)
        }
        return isAlone
      }
    }
    #expect(threads.map { $0.join() } == [true, true])
    #expect(engines.allSatisfy { $0.attachedNodes.isEmpty })
  }

  @Test("an environment has the last of two volumes, and of two kinds of output")
  func environment() throws {
    let node = AVAudioEnvironmentNode()
    let unit = try #require(node.unit)
    for _ in 0..<1_500 {
      let arrived = Atomic(0)
      let changes: [(Float, AVAudioEnvironmentOutputType)] = [
        (0.25, .headphones), (0.75, .builtInSpeakers),
      ]
      let threads = changes.map { volume, type in
        OwnThread {
          arrived.add(1, ordering: .sequentiallyConsistent)
          while arrived.load(ordering: .sequentiallyConsistent) < 2 { sched_yield() }
          node.outputVolume = volume
          node.outputType = type
        }
      }
      for thread in threads { thread.join() }
      let gain = unit.parameter(kSpatialMixerParam_Gain, kAudioUnitScope_Output)
      try #require(gain == SpatialInput.decibels(node.outputVolume))
      let type = unit.value(
        kAudioUnitProperty_SpatialMixerOutputType, kAudioUnitScope_Global, 0 as UInt32)
      try #require(type == UInt32(node.outputType.rawValue))
    }
  }

  @Test("a unit that processes voice has the last of two settings")
  func voice() throws {
    try onDevice {
      let (settings, meanwhile) = (VoiceSettings(), Meanwhile())
      let unit = NodeUnit(kAudioUnitType_Output, kAudioUnitSubType_VoiceProcessingIO)
      // The first of the settings that the unit gets.
      let status = AudioUnitAddPropertyListener(
        unit.handle, kAUVoiceIOProperty_BypassVoiceProcessing,
        { context, _, _, _, _ in
          Unmanaged<Meanwhile>.fromOpaque(context).takeUnretainedValue().happen()
        }, Unmanaged.passUnretained(meanwhile).toOpaque())
      try #require(status == noErr)
      meanwhile.set { settings.set(\.isMuted, to: true) { unit } }
      settings.set(\.isBypassed, to: true) { unit }
      meanwhile.join()
      let flags = [kAUVoiceIOProperty_BypassVoiceProcessing, kAUVoiceIOProperty_MuteOutput].map {
        unit.value($0, kAudioUnitScope_Global, 0 as UInt32)
      }
      #expect(flags == [1, 1])
    }
  }

  @Test("the volume of a mixer's output is that of its unit, whoever sets it")
  func outputVolume() throws {
    let mixer = AVAudioMixerNode()
    #expect(mixer.outputVolume == 1)
    mixer.outputVolume = 0.5
    let unit = try #require(mixer.unit)
    AudioUnitSetParameter(
      unit.handle, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0, 0.25, 0)
    #expect(mixer.outputVolume == 0.25)
    mixer.outputVolume = .nan
    #expect(mixer.outputVolume == 0.25)
  }
}
