// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// Loops through a multichannel mixer: a graph of two units, with a render callback on each bus.
///
/// It is built in the seven steps of every program that hosts units in a graph.
final class MixerHost {
  static let sampleRate = 44_100.0

  private let graph: AUGraph
  let mixer: AudioUnit
  private let players: UnsafeMutablePointer<Player>
  private let playerCount: Int

  /// A loop and its position, which only the audio thread changes.
  fileprivate struct Player {
    let samples: UnsafeMutableBufferPointer<Float>
    var position = 0
  }

  /// Builds and initializes the graph, with a mono loop on each bus.
  init(loops: [[Float]]) throws {
    // 1. Make a graph. 2. Add a node for each unit.
    graph = try makeGraph()
    let ioNode = try addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    let mixerNode = try addNode(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    // 3. Open the graph, which makes the units, and get the unit to set up.
    try check(AUGraphOpen(graph))
    mixer = try unit(graph, mixerNode)

    players = .allocate(capacity: loops.count)
    playerCount = loops.count
    for (bus, loop) in loops.enumerated() {
      let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: loop.count)
      _ = samples.initialize(from: loop)
      players.advanced(by: bus).initialize(to: Player(samples: samples))
    }

    // 4. Set the number of buses and the formats. 5. Connect the source of each bus.
    try setProperty(
      mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(loops.count))
    try setProperty(
      mixer, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(4_096))
    for bus in loops.indices {
      try setProperty(
        mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, UInt32(bus),
        floatFormat(sampleRate: Self.sampleRate, channels: 1))
      var callback = AURenderCallbackStruct(
        inputProc: renderLoop, inputProcRefCon: players + bus)
      try check(AUGraphSetNodeInputCallback(graph, mixerNode, UInt32(bus), &callback))
    }
    try setProperty(
      mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, Self.sampleRate)
    try check(AUGraphConnectNodeInput(graph, mixerNode, 0, ioNode, 0))
    // 6. Initialize everything. 7. `play` starts it; the controls are the parameters of the buses.
    try check(AUGraphInitialize(graph))
  }

  deinit {
    DisposeAUGraph(graph)
    for bus in 0..<playerCount { players[bus].samples.deallocate() }
    players.deallocate()
  }

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

/// Called on the audio thread: copies the next frames of a loop, and repeats it.
private func renderLoop(
  reference: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let player = reference.assumingMemoryBound(to: MixerHost.Player.self)
  guard let buffers = UnsafeMutableAudioBufferListPointer(data),
    let samples = buffers[0].mData?.assumingMemoryBound(to: Float.self)
  else { return noErr }
  for frame in 0..<Int(frameCount) {
    samples[frame] = player.pointee.samples[player.pointee.position]
    player.pointee.position += 1
    if player.pointee.position == player.pointee.samples.count { player.pointee.position = 0 }
  }
  return noErr
}
