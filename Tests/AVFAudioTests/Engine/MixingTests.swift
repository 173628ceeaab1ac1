// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite("AVAudioMixing, sources and mixers")
struct MixingTests {
  private static func format(_ rate: Double, _ channels: UInt32) throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
  }

  /// The root mean square of samples.
  private static func level(_ samples: some Collection<Float>) -> Double {
    (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1)))
      .squareRoot()
  }

  /// A sine of full scale whose block has a format.
  private static func sine(_ frequency: Double, _ format: AVAudioFormat) -> AVAudioSourceNode {
    let rate = format.sampleRate
    return AVAudioSourceNode(format: format) { _, time, frames, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) {
          let phase = (time.pointee.mSampleTime + Double(frame)) * frequency / rate
          samples?[frame] = Float(sin(2 * .pi * phase))
        }
      }
      return noErr
    }
  }

  @Test(
    "convert the rate and the channels of a source",
    arguments: [(44_100, 1), (44_100, 2), (96_000, 2), (8_000, 1)] as [(Double, UInt32)])
  func conversion(rate: Double, channels: UInt32) throws {
    let offline = try Offline()
    let source = Self.sine(1_000, try Self.format(rate, channels))
    offline.engine.attach(source)
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
    #expect(source.outputFormat(forBus: 0) == (try Self.format(rate, channels)))
    try offline.engine.start()
    let samples = try offline.render(48_000, slice: 480)
    // Mono has constant power in the middle.
    let expected = channels == 1 ? 0.5 : 0.5.squareRoot()
    #expect(abs(Self.level(samples[0][4_800...]) - expected) < 0.005)
    // A tone of 1,000 Hz has 2,000 zeros in a second.
    let zeros = zip(samples[0], samples[0].dropFirst()).count { ($0 < 0) != ($1 < 0) }
    #expect(abs(zeros - 2_000) <= 2)
  }

  @Test("pan a mono source from side to side")
  func pan() throws {
    let offline = try Offline()
    let source = Self.sine(1_000, try Self.format(48_000, 1))
    offline.engine.attach(source)
    source.pan = -1
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
    try offline.engine.start()
    var samples = try offline.render(4_800)
    #expect(Self.level(samples[0]) > 0.7 && Self.level(samples[1]) == 0)
    source.pan = 1
    _ = try offline.render(4_800)
    samples = try offline.render(4_800)
    #expect(Self.level(samples[0]) == 0 && Self.level(samples[1]) > 0.7)
  }

  @Test("reach the mixer behind other nodes, and hold for later connections")
  func reach() throws {
    let offline = try Offline()
    let engine = offline.engine
    let (source, mixer) = (Counter().node(), AVAudioMixerNode())
    engine.attach(source)
    engine.attach(mixer)
    source.volume = 0.5
    #expect(source.destination(forMixer: mixer, bus: 0) == nil)
    engine.connect(source, to: mixer, format: nil)
    engine.connect(mixer, to: engine.mainMixerNode, format: nil)
    // The first mixer on the way applies the volume, no other.
    #expect(source.destination(forMixer: mixer, bus: 0)?.volume == 0.5)
    #expect(source.destination(forMixer: engine.mainMixerNode, bus: 0) == nil)
    try engine.start()
    #expect(try offline.render(512)[0] == Counter.samples(512, gain: 0.5))
    engine.connect(source, to: engine.mainMixerNode, fromBus: 0, toBus: 3, format: nil)
    #expect(engine.mainMixerNode.numberOfInputs == 4)
    #expect(engine.mainMixerNode.nextAvailableInputBus == 1)
    #expect(try offline.render(512)[0] == Counter.samples(512, from: 512, gain: 0.5))
    #expect(source.destination(forMixer: mixer, bus: 0) == nil)
  }

  @Test("set on a destination, hold there until the source's are set or it is disconnected")
  func destination() throws {
    let offline = try Offline()
    let engine = offline.engine
    let (source, first, second) = (Counter().node(), AVAudioMixerNode(), AVAudioMixerNode())
    for node in [source, first, second] { engine.attach(node) }
    let points = [first, second].map { AVAudioConnectionPoint(node: $0, bus: 0) }
    engine.connect(source, to: points, fromBus: 0, format: nil)
    let destination = try #require(source.destination(forMixer: second, bus: 0))
    #expect(destination.connectionPoint == points[1])
    destination.volume = 0.25
    #expect(source.volume == 1)
    #expect(source.destination(forMixer: second, bus: 0)?.volume == 0.25)
    #expect(source.destination(forMixer: first, bus: 0)?.volume == 1)
    source.volume = 0.5
    #expect(source.destination(forMixer: second, bus: 0)?.volume == 0.5)
    destination.volume = 0.25
    engine.disconnectNodeInput(second)
    #expect(source.destination(forMixer: second, bus: 0) == nil)
    engine.connect(source, to: points, fromBus: 0, format: nil)
    #expect(source.destination(forMixer: second, bus: 0)?.volume == 0.5)
  }

  @Test("ignore values that are not numbers", arguments: [Float.nan, .infinity, -.infinity])
  func hostile(value: Float) throws {
    let offline = try Offline()
    let source = Counter().node()
    offline.engine.attach(source)
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
    source.volume = value
    source.pan = value
    offline.engine.mainMixerNode.outputVolume = value
    try offline.engine.start()
    #expect(try offline.render(512)[0] == Counter.samples(512))
    #expect(source.volume == 1 && source.pan == 0)
    #expect(offline.engine.mainMixerNode.outputVolume == 1)
  }

  @Test("amplify and attenuate the output of a mixer")
  func outputVolume() throws {
    let offline = try Offline()
    let source = Counter().node()
    offline.engine.attach(source)
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
    offline.engine.mainMixerNode.outputVolume = 2
    try offline.engine.start()
    #expect(try offline.render(512)[0] == Counter.samples(512, gain: 2))
  }

  @Test("a source that fails is silent, and others go on")
  func failure() throws {
    let offline = try Offline()
    let (good, bad) = (Counter().node(), AVAudioSourceNode { _, _, _, _ in kAudio_ParamError })
    for node in [good, bad] {
      offline.engine.attach(node)
      offline.engine.connect(node, to: offline.engine.mainMixerNode, format: nil)
    }
    try offline.engine.start()
    #expect(try offline.render(512)[0] == Counter.samples(512))
  }

  @Test("a source of integers is converted")
  func integers() throws {
    let offline = try Offline()
    let format = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
    let source = AVAudioSourceNode(format: format) { _, _, frames, list in
      let samples = list.pointee.mBuffers.mData?.assumingMemoryBound(to: Int16.self)
      for frame in 0..<Int(frames) {
        samples?[2 * frame] = 16_384
        samples?[2 * frame + 1] = -8_192
      }
      return noErr
    }
    offline.engine.attach(source)
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
    try offline.engine.start()
    let samples = try offline.render(512)
    #expect(samples[0].allSatisfy { $0 == 0.5 } && samples[1].allSatisfy { $0 == -0.25 })
  }

  @Test("mix a hundred sources, connected while the engine runs")
  func many() throws {
    let offline = try Offline()
    try #require((try? offline.engine.start()) == nil)
    _ = offline.engine.mainMixerNode
    try offline.engine.start()
    for _ in 0..<100 {
      let node = AVAudioSourceNode { _, _, frames, list in
        for buffer in UnsafeMutableAudioBufferListPointer(list) {
          let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
          for frame in 0..<Int(frames) { samples?[frame] = 0.0078125 }
        }
        return noErr
      }
      offline.engine.attach(node)
      offline.engine.connect(node, to: offline.engine.mainMixerNode, format: nil)
      _ = try offline.render(64)
    }
    #expect(try offline.render(64)[1].allSatisfy { $0 == 0.78125 })
  }

  @Test("a branch with another format takes it while the engine runs")
  func reformat() throws {
    let offline = try Offline()
    let engine = offline.engine
    let (steady, source, mixer) = (Counter().node(), Counter().node(), AVAudioMixerNode())
    for node in [steady, source, mixer] { engine.attach(node) }
    engine.connect(steady, to: engine.mainMixerNode, format: nil)
    engine.connect(mixer, to: engine.mainMixerNode, format: nil)
    engine.connect(source, to: mixer, format: nil)
    mixer.volume = 0
    try engine.start()
    var samples = try offline.render(512)[0]
    for rate in [44_100.0, 22_050, 48_000] {
      engine.connect(mixer, to: engine.mainMixerNode, format: try Self.format(rate, 2))
      #expect(mixer.outputFormat(forBus: 0).sampleRate == rate)
      #expect(source.outputFormat(forBus: 0).sampleRate == rate)
      samples += try offline.render(512)[0]
    }
    #expect(samples == Counter.samples(2_048))
  }
}
