// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
import AudioToolbox
import Foundation

struct AudioFailure: Error {
  let status: OSStatus
  let operation: String
}

func check(_ status: OSStatus, _ operation: String = #function) throws {
  guard status == noErr else { throw AudioFailure(status: status, operation: operation) }
}

extension AudioComponentDescription {
  static let mixer = AudioComponentDescription(
    componentType: kAudioUnitType_Mixer, componentSubType: kAudioUnitSubType_MultiChannelMixer,
    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
  static let output = AudioComponentDescription(
    componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_DefaultOutput,
    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
}

extension AUGraph {
  func initialize() throws { try check(AUGraphInitialize(self)) }
  func start() throws { try check(AUGraphStart(self)) }
  func stop() throws { try check(AUGraphStop(self)) }

  func addNode(_ description: AudioComponentDescription) throws -> AUNode {
    var (description, node) = (description, AUNode())
    try check(AUGraphAddNode(self, &description, &node))
    return node
  }

  func unit(of node: AUNode) throws -> AudioUnit {
    var unit: AudioUnit?
    try check(AUGraphNodeInfo(self, node, nil, &unit))
    guard let unit else { throw AudioFailure(status: -1, operation: "no unit") }
    return unit
  }
}

extension AudioUnit {
  func initialize() throws { try check(AudioUnitInitialize(self)) }
  func start() throws { try check(AudioOutputUnitStart(self)) }
  func stop() throws { try check(AudioOutputUnitStop(self)) }

  func setProperty<T>(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ bus: UInt32, _ value: T)
    throws
  {
    var value = value
    let size = UInt32(MemoryLayout<T>.size)
    try check(
      withUnsafePointer(to: &value) { AudioUnitSetProperty(self, id, scope, bus, $0, size) })
  }
}

final class GraphSynth {
  private var graph: AUGraph!
  private var mixer: AudioUnit!
  private var phase = 0.0
  private let step: Double

  var volume: Float = 1 {
    didSet {
      AudioUnitSetParameter(
        mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0, volume, 0)
    }
  }

  init(frequency: Double) throws {
    step = 2 * .pi * frequency / 44_100
    try check(NewAUGraph(&graph))
    let mixerNode = try graph.addNode(.mixer)
    let outputNode = try graph.addNode(.output)
    try check(AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0))
    try check(AUGraphOpen(graph))
    mixer = try graph.unit(of: mixerNode)
    try mixer.setProperty(
      kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 1, UInt32(4096))
    var callback = AURenderCallbackStruct(
      inputProc: { refCon, _, _, _, frames, list in
        Unmanaged<GraphSynth>.fromOpaque(refCon).takeUnretainedValue().render(Int(frames), list)
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    try check(AUGraphSetNodeInputCallback(graph, mixerNode, 0, &callback))
    try graph.initialize()
  }

  deinit { DisposeAUGraph(graph) }

  func start() throws { try graph.start() }
  func stop() throws { try graph.stop() }

  private func render(_ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>?) {
    guard let buffers = UnsafeMutableAudioBufferListPointer(list) else { return }
    for frame in 0..<frames {
      let sample = Float(0.6 * sin(phase))
      phase += step
      for buffer in buffers { buffer.mData?.assumingMemoryBound(to: Float.self)[frame] = sample }
    }
  }
}
