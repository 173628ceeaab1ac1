// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Foundation
import Testing

@Suite("AVAudioEngine, edits of connections")
struct EngineEditTests {
  private static func format(_ rate: Double, _ channels: UInt32 = 2) throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
  }

  /// A source of equal samples.
  private static func constant(_ value: Float) -> AVAudioSourceNode {
    AVAudioSourceNode { _, _, _, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(buffer.mDataByteSize) / 4 { samples?[frame] = value }
      }
      return noErr
    }
  }

  /// The last sample of the next frames, when what came before has faded.
  private static func level(_ offline: Offline) throws -> Float {
    try #require(try offline.render(8_192)[0].last)
  }

  @Test("connect in another format after a stop, and after a pause", arguments: [true, false])
  func otherFormat(stops: Bool) throws {
    let offline = try Offline()
    let (engine, source) = (offline.engine, Self.constant(0.25))
    let effect = AVAudioUnitEQ(numberOfBands: 1)
    engine.attach(source)
    engine.attach(effect)
    for rate in [44_100, 48_000, 22_050] as [Double] {
      let format = try Self.format(rate)
      try engine.connectNode(source, to: effect, format: format)
      try engine.connectNode(effect, to: engine.mainMixerNode, format: format)
      try engine.start()
      #expect(abs(try Self.level(offline) - 0.25) < 0.001)
      #expect(effect.outputFormat(forBus: 0) == format)
      if stops { engine.stop() } else { engine.pause() }
    }
  }

  @Test("keep connections when manual rendering gets another rate")
  func otherRate() throws {
    let offline = try Offline()
    let (engine, source) = (offline.engine, Self.constant(0.25))
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    try engine.start()
    #expect(try Self.level(offline) == 0.25)
    engine.disableManualRenderingMode()
    let format = try Self.format(44_100)
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
    try engine.start()
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
    #expect(try engine.renderOffline(512, to: buffer) == .success)
    #expect(buffer.floatChannelData?[0][511] == 0.25)
  }

  @Test("keep the volume of a source before an effect")
  func volumeBeforeEffect() throws {
    // The order of the nodes in an engine depends on their addresses.
    let engines = try (0..<12).map { _ in try Offline(48_000, 2, maximum: 512) }
    for offline in engines {
      let (engine, source) = (offline.engine, Self.constant(0.5))
      let effects = [AVAudioUnitEQ(numberOfBands: 1), AVAudioUnitEQ(numberOfBands: 1)]
      for node in [source] + effects { engine.attach(node) }
      source.volume = 0.5
      engine.connect(source, to: effects[0], format: nil)
      engine.connect(effects[0], to: effects[1], format: nil)
      engine.connect(effects[1], to: engine.mainMixerNode, format: nil)
      try engine.start()
      #expect(abs(try Self.level(offline) - 0.25) < 0.001)
    }
  }

  @Test("free a node that is detached after a stop")
  func freed() throws {
    let offline = try Offline()
    weak var node: AVAudioSourceNode?
    do {
      let source = Self.constant(0.25)
      node = source
      offline.engine.attach(source)
      offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
      try offline.engine.start()
      _ = try offline.render(512)
      offline.engine.stop()
      offline.engine.detach(source)
    }
    #expect(wait { node == nil })
  }
}
