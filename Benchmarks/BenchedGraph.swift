// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A graph with a generic output unit, for benchmarks.
final class BenchedGraph {
  private let graph: AUGraph
  let output: AUNode
  private var head: AudioUnit?
  private var time = AudioTimeStamp()
  private let list = AudioBufferList.allocate(maximumBuffers: 2)

  init() {
    var made: AUGraph?
    guard NewAUGraph(&made) == noErr, let made else { fatalError("no graph") }
    graph = made
    output = Self.add(graph, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    check(AUGraphOpen(graph))
    time.mFlags = .sampleTimeValid
  }

  deinit {
    DisposeAUGraph(graph)
    free(list.unsafeMutablePointer)
  }

  private static func add(_ graph: AUGraph, _ type: OSType, _ subType: OSType) -> AUNode {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var node = AUNode()
    check(AUGraphAddNode(graph, &description, &node))
    return node
  }

  private func unit(_ node: AUNode) -> AudioUnit {
    var unit: AudioUnit?
    check(AUGraphNodeInfo(graph, node, nil, &unit))
    guard let unit else { fatalError("no unit") }
    return unit
  }

  func addMixer(inputs: Int) -> AUNode {
    let node = Self.add(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    var count = UInt32(inputs)
    check(
      AudioUnitSetProperty(
        unit(node), kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, 4))
    return node
  }

  /// Adds an effect with the mixers' format.
  func addEffect(_ subType: OSType) -> AUNode {
    let node = Self.add(graph, kAudioUnitType_Effect, subType)
    var format = AudioStreamBasicDescription(
      mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
      mBitsPerChannel: 32, mReserved: 0)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      check(
        AudioUnitSetProperty(
          unit(node), kAudioUnitProperty_StreamFormat, scope, 0, &format,
          UInt32(MemoryLayout.size(ofValue: format))))
    }
    return node
  }

  /// Sets a parameter of a node's first input.
  func set(_ id: AudioUnitParameterID, _ value: Float, _ node: AUNode) {
    check(AudioUnitSetParameter(unit(node), id, kAudioUnitScope_Input, 0, value, 0))
  }

  func setThreads(_ count: UInt32) { check(AUGraphSetRenderThreads(graph, count)) }

  func connect(_ source: AUNode, to node: AUNode, _ input: UInt32) {
    check(AUGraphConnectNodeInput(graph, source, 0, node, input))
  }

  func feed(
    _ node: AUNode, _ input: UInt32, _ callback: @escaping AURenderCallback,
    context: UnsafeMutableRawPointer? = nil
  ) {
    var structure = AURenderCallbackStruct(inputProc: callback, inputProcRefCon: context)
    check(AUGraphSetNodeInputCallback(graph, node, input, &structure))
  }

  func initialize() {
    check(AUGraphInitialize(graph))
    head = unit(output)
  }

  func update() { check(AUGraphUpdate(graph, nil)) }

  /// Renders the next frames.
  func render(_ frames: UInt32) {
    guard let head else { return }
    for index in 0..<2 {
      list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 4 * frames, mData: nil)
    }
    check(AudioUnitRender(head, nil, &time, 0, frames, list.unsafeMutablePointer))
    time.mSampleTime += Double(frames)
  }
}
