// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// Two mono loops that a 3D mixer places around a listener.
///
///     loop 0 ── azimuth, distance, rate ──┐
///                                         ├── AU3DMixerEmbedded ── AURemoteIO
///     loop 1 ── azimuth, distance, rate ──┘
final class Scene {
  static let busCount = UInt32(2)

  private let graph: AUGraph
  private let mixer: AudioUnit
  private let players: [LoopPlayer]

  /// Builds and initializes the graph. Both sounds begin in front, a metre away.
  init(sampleRate: Double) throws {
    graph = try makeGraph()
    let io = try addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    let mixing = try addNode(graph, kAudioUnitType_Mixer, kAudioUnitSubType_AU3DMixerEmbedded)
    try check(AUGraphOpen(graph))
    mixer = try unit(graph, mixing)
    players = [Self.hum(sampleRate), Self.beeper(sampleRate)].map(LoopPlayer.init)

    try setProperty(
      mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, Self.busCount)
    try setProperty(
      mixer, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(4_096))
    // Only mono sources have a place. The output has the two channels of the speakers.
    for bus in 0..<Self.busCount {
      try setProperty(
        mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, bus,
        floatFormat(sampleRate: sampleRate, channels: 1))
      var callback = players[Int(bus)].callback
      try check(AUGraphSetNodeInputCallback(graph, mixing, bus, &callback))
    }
    try setProperty(
      mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0,
      floatFormat(sampleRate: sampleRate, channels: 2))
    try check(AUGraphConnectNodeInput(graph, mixing, 0, io, 0))
    try check(AUGraphInitialize(graph))
    for bus in 0..<Self.busCount {
      try Control(mixer, kSpatialMixerParam_Distance, kAudioUnitScope_Input, bus).set(1)
    }
  }

  deinit { DisposeAUGraph(graph) }

  func play() throws { try check(AUGraphStart(graph)) }

  func stop() throws { try check(AUGraphStop(graph)) }

  /// The controls of a bus, by the names of the commands.
  func controls(_ bus: UInt32) throws -> [String: Control] {
    try [
      "azimuth": kSpatialMixerParam_Azimuth, "elevation": kSpatialMixerParam_Elevation,
      "distance": kSpatialMixerParam_Distance, "gain": kSpatialMixerParam_Gain,
      "rate": kSpatialMixerParam_PlaybackRate, "enable": kSpatialMixerParam_Enable,
    ].mapValues { try Control(mixer, $0, kAudioUnitScope_Input, bus) }
  }

  /// A second of a low tone with harmonics, in whole periods, so that it repeats without a seam.
  private static func hum(_ rate: Double) -> [Float] {
    (0..<Int(rate)).map { frame in
      let phase = 2 * .pi * 300 * Double(frame) / rate
      return Float(0.2 * sin(phase) + 0.1 * sin(2 * phase) + 0.05 * sin(3 * phase))
    }
  }

  /// A second with four short beeps.
  private static func beeper(_ rate: Double) -> [Float] {
    (0..<Int(rate)).map { frame in
      let time = Double(frame) / rate
      let envelope = exp(-20 * (time * 4).truncatingRemainder(dividingBy: 1))
      return Float(0.3 * envelope * sin(2 * .pi * 1_000 * time))
    }
  }
}
