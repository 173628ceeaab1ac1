// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("AVAudioEnvironmentNode")
struct EnvironmentNodeTests {
  /// An environment that plays a steady mono source.
  private struct Room {
    let offline: Offline
    let environment = AVAudioEnvironmentNode()
    let source: AVAudioSourceNode

    init(channels: UInt32 = 1) throws {
      offline = try Offline()
      let format = try #require(
        AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: channels))
      source = AVAudioSourceNode { _, _, frames, list in
        for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
          let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
          for frame in 0..<Int(frames) { samples?[frame] = channel == 0 ? 0.5 : 0.25 }
        }
        return noErr
      }
      let engine = offline.engine
      engine.attach(source)
      engine.attach(environment)
      engine.connect(source, to: environment, format: format)
      engine.connect(environment, to: engine.mainMixerNode, format: offline.format)
    }

    /// The level of both sides after everything has settled.
    func levels() throws -> (left: Float, right: Float) {
      if !offline.engine.isRunning { try offline.engine.start() }
      let samples = try offline.render(12_000)
      return (abs(samples[0][11_900]), abs(samples[1][11_900]))
    }
  }

  @Test("initial values")
  func initial() {
    let node = AVAudioEnvironmentNode()
    #expect(node.outputVolume == 1 && node.outputType == .auto)
    #expect(node.nextAvailableInputBus == 0 && node.numberOfInputs == 1)
    let (place, turn) = (node.listenerPosition, node.listenerAngularOrientation)
    #expect((place.x, place.y, place.z) == (0, 0, 0))
    #expect((turn.yaw, turn.pitch, turn.roll) == (0, 0, 0))
    let (forward, up) = (
      node.listenerVectorOrientation.forward, node.listenerVectorOrientation.up
    )
    #expect((forward.x, forward.y, forward.z) == (0, 0, -1))
    #expect((up.x, up.y, up.z) == (0, 1, 0))
    let distance = node.distanceAttenuationParameters
    #expect(distance.distanceAttenuationModel == .inverse)
    #expect((distance.referenceDistance, distance.maximumDistance) == (1, 100_000))
    #expect(distance.rolloffFactor == 1)
    #expect(!node.reverbParameters.enable && node.reverbParameters.level == 0)
    let source = AVAudioMixerNode()
    #expect(source.renderingAlgorithm == .equalPowerPanning)
    #expect(source.sourceMode == .spatializeIfMono && source.pointSourceInHeadMode == .mono)
    #expect((source.rate, source.reverbBlend, source.obstruction) == (1, 0, 0))
    #expect(source.occlusion == 0 && source.position.x == 0)
  }

  @Test("a source is on the side of its position, also when that is set before it is connected")
  func sides() throws {
    let room = try Room()
    room.source.position = AVAudioMake3DPoint(1, 0, 0)
    let right = try room.levels()
    #expect(right.right > 0.4 && right.left < 0.01)
    room.source.position = AVAudioMake3DPoint(-1, 0, 0)
    let left = try room.levels()
    #expect(left.left > 0.4 && left.right < 0.01)
    room.source.position = AVAudioMake3DPoint(0, 0, -1)
    let front = try room.levels()
    #expect(abs(front.left - front.right) < 1e-3)
  }

  @Test("the listener's place and orientation count")
  func listener() throws {
    let room = try Room()
    room.source.position = AVAudioMake3DPoint(0, 0, -1)
    room.environment.listenerPosition = AVAudioMake3DPoint(-1, 0, -1)
    #expect(try room.levels().left < 0.01, "the source is to the right")
    room.environment.listenerAngularOrientation = AVAudioMake3DAngularOrientation(180, 0, 0)
    #expect(try room.levels().right < 0.01, "and to the left of who looks back")
    room.environment.listenerVectorOrientation = AVAudioMake3DVectorOrientation(
      AVAudioMake3DVector(0, 0, -1), AVAudioMake3DVector(0, 1, 0))
    #expect(try room.levels().left < 0.01)
    #expect(room.environment.listenerAngularOrientation.yaw == 0)
  }

  @Test(
    "a source becomes quieter by the law",
    arguments: [
      (.inverse, 4, 0.25), (.exponential, 4, 0.25), (.linear, 4, 0.666_667), (.inverse, 0.5, 1),
    ] as [(AVAudioEnvironmentDistanceAttenuationModel, Float, Float)])
  func distance(
    model: AVAudioEnvironmentDistanceAttenuationModel, distance: Float, gain: Float
  ) throws {
    let room = try Room()
    room.environment.distanceAttenuationParameters.maximumDistance = 10
    room.source.position = AVAudioMake3DPoint(0, 0, -0.5)
    let near = try room.levels().left
    room.environment.distanceAttenuationParameters.distanceAttenuationModel = model
    room.source.position = AVAudioMake3DPoint(0, 0, -distance)
    #expect(abs(try room.levels().left / near - gain) < 2e-3)
  }

  @Test("a stereo source passes, unless it is a point source")
  func stereo() throws {
    let room = try Room(channels: 2)
    room.source.position = AVAudioMake3DPoint(50, 0, 0)
    let passed = try room.levels()
    #expect(abs(passed.left - 0.5) < 1e-4 && abs(passed.right - 0.25) < 1e-4)
    room.source.sourceMode = .pointSource
    #expect(try room.levels().left < 0.01)
    room.source.position = AVAudioMake3DPoint(0, 0, 0)
    room.source.pointSourceInHeadMode = .bypass
    #expect(abs(try room.levels().right - 0.25) < 1e-4)
  }

  @Test("volumes of source and output are gains")
  func volumes() throws {
    let room = try Room()
    let full = try room.levels()
    room.source.volume = 0.5
    room.environment.outputVolume = 0.5
    #expect(abs(try room.levels().left / full.left - 0.25) < 1e-4)
    room.source.volume = 0
    #expect(try room.levels().left < 1e-5)
    room.source.destination(forMixer: room.environment, bus: 0)?.volume = 1
    #expect(try room.levels().left > 0.1)
  }

  @Test("the room sounds after the source, and another source not at all")
  func reverb() throws {
    let room = try Room()
    room.environment.reverbParameters.enable = true
    room.environment.reverbParameters.loadFactoryReverbPreset(.cathedral)
    room.environment.reverbParameters.level = 6
    room.source.reverbBlend = 0.5
    _ = try room.levels()
    room.source.volume = 0
    let tail = try room.offline.render(9_600)[0][4_800...].map(abs).max() ?? 0
    #expect(tail > 0.01)
    #expect(room.environment.reverbParameters.level == 6)
  }

  @Test("the filter of the room")
  func roomFilter() throws {
    func tail(_ change: (AVAudioUnitEQFilterParameters) -> Void) throws -> [Float] {
      let room = try Room()
      room.environment.reverbParameters.enable = true
      room.source.reverbBlend = 1
      change(room.environment.reverbParameters.filterParameters)
      try room.offline.engine.start()
      return try room.offline.render(9_600)[0]
    }
    let filter = AVAudioEnvironmentNode().reverbParameters.filterParameters
    #expect(filter.filterType == .parametric && !filter.bypass)
    #expect((filter.frequency, filter.bandwidth, filter.gain) == (800, 3, 0))
    let plain = try tail { _ in }
    #expect(plain == (try tail { $0.frequency = 100 }))
    let high = try tail { ($0.filterType, $0.frequency) = (.highPass, 200) }
    // The source is steady, so it does not pass.
    #expect(high.suffix(100).map(abs).max() ?? 1 < (plain.suffix(100).map(abs).min() ?? 0) / 10)
    #expect(
      plain
        == (try tail { ($0.filterType, $0.frequency, $0.bypass) = (.highPass, 200, true) }))
  }

  @Test("the algorithms that place sources depend on the output")
  func algorithms() throws {
    let room = try Room()
    #expect(room.environment.applicableRenderingAlgorithms.map(\.intValue) == [0, 1, 2, 5, 6, 7])
    room.source.renderingAlgorithm = .sphericalHead
    room.source.position = AVAudioMake3DPoint(1, 0, 0)
    #expect(try room.levels().left > 0.4, "steady pressure reaches both ears")
    room.source.renderingAlgorithm = .equalPowerPanning
    #expect(try room.levels().left < 0.01)
    room.source.renderingAlgorithm = .stereoPassThrough
    let passed = try room.levels()
    #expect(abs(passed.left - passed.right) < 1e-4)
  }

  @Test("numbers that are none change nothing")
  func hostile() throws {
    let room = try Room()
    room.source.position = AVAudioMake3DPoint(1, 0, 0)
    room.source.position = AVAudioMake3DPoint(.nan, 0, 0)
    room.source.rate = .infinity
    room.source.reverbBlend = .nan
    room.environment.outputVolume = .nan
    room.environment.listenerPosition = AVAudioMake3DPoint(0, .infinity, 0)
    room.environment.distanceAttenuationParameters.rolloffFactor = -1
    room.environment.distanceAttenuationParameters.referenceDistance = .nan
    #expect(room.source.position.x == 1 && room.source.rate == 1 && room.source.reverbBlend == 0)
    #expect(room.environment.outputVolume == 1 && room.environment.listenerPosition.y == 0)
    #expect(room.environment.distanceAttenuationParameters.rolloffFactor == 1)
    let levels = try room.levels()
    #expect(levels.right > 0.4 && levels.left < 0.01)
  }

  @Test(
    "positions that move at every slice size are heard without clicks", arguments: [7, 64, 500])
  func moving(slice: Int) throws {
    let room = try Room()
    room.source.position = AVAudioMake3DPoint(1, 0, 0)
    try room.offline.engine.start()
    _ = try room.offline.render(6_000)
    var samples: [Float] = []
    for number in 0..<(9_600 / slice) {
      let angle = Float(number * slice) / 9_600 * .pi
      room.source.position = AVAudioMake3DPoint(cos(angle), 0, -sin(angle))
      samples += try room.offline.render(slice, slice: slice)[0]
    }
    let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
    #expect((steps.max() ?? 1) < 0.02)
    #expect((samples.last ?? 0) > 0.3)
  }

  @Test("an environment that nobody holds is gone")
  func ends() throws {
    weak var node: AVAudioEnvironmentNode?
    do {
      let room = try Room()
      node = room.environment
      _ = try room.levels()
    }
    #expect(node == nil)
  }
}
