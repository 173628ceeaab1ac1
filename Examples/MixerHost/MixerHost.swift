// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// Loops through a multichannel mixer: a graph of two units, with a render callback on each bus.
///
/// It is built in the seven steps of every program that hosts units in a graph.
final class MixerHost {
  private let graph: AUGraph
  let mixer: AudioUnit
  private let players: [LoopPlayer]

  /// Builds and initializes the graph, with a mono loop on each bus.
  init(loops: [[Float]], sampleRate: Double) throws {
    // 1. Make a graph. 2. Add a node for each unit.
    graph = try makeGraph()
    let ioNode = try addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    let mixerNode = try addNode(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    // 3. Open the graph, which makes the units, and get the unit to set up.
    try check(AUGraphOpen(graph))
    mixer = try unit(graph, mixerNode)

    players = loops.map(LoopPlayer.init)

    // 4. Set the number of buses and the formats. 5. Connect the source of each bus.
    try setProperty(
      mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(loops.count))
    try setProperty(
      mixer, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(4_096))
    for bus in loops.indices {
      try setProperty(
        mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, UInt32(bus),
        floatFormat(sampleRate: sampleRate, channels: 1))
      var callback = players[bus].callback
      try check(AUGraphSetNodeInputCallback(graph, mixerNode, UInt32(bus), &callback))
    }
    try setProperty(
      mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, sampleRate)
    try check(AUGraphConnectNodeInput(graph, mixerNode, 0, ioNode, 0))
    // 6. Initialize everything. 7. `play` starts it; the controls are the parameters of the buses.
    try check(AUGraphInitialize(graph))
  }

  deinit { DisposeAUGraph(graph) }

  func play() throws { try check(AUGraphStart(graph)) }

  func stop() throws { try check(AUGraphStop(graph)) }

  /// A control of one bus.
  func control(_ parameter: AudioUnitParameterID, _ bus: UInt32) throws -> Control {
    try Control(mixer, parameter, kAudioUnitScope_Input, bus)
  }

  /// The volume of the mix.
  var master: Control {
    get throws {
      try Control(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0)
    }
  }
}
