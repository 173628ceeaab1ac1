// SPDX-License-Identifier: Apache-2.0
public import AVFoundation

/// A failed call: which one, what it gave, and why.
public struct CallFailure: Error, CustomStringConvertible {
  public let call: String
  public let status: OSStatus

  public var description: String { "\(call) failed with \(status)" }
}

/// Throws unless a call went well.
public func check(_ status: OSStatus, _ call: String) throws {
  if status != noErr { throw CallFailure(call: call, status: status) }
}

/// The codes of one of the built-in units.
public func description(_ type: UInt32, _ subType: UInt32) -> AudioComponentDescription {
  AudioComponentDescription(
    componentType: type, componentSubType: subType,
    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
}

/// Makes a unit.
public func makeUnit(_ type: UInt32, _ subType: UInt32) throws -> AudioUnit {
  var wanted = description(type, subType)
  guard let component = AudioComponentFindNext(nil, &wanted) else {
    throw CallFailure(call: "AudioComponentFindNext", status: kAudio_ParamError)
  }
  var instance: AudioUnit?
  try check(AudioComponentInstanceNew(component, &instance), "AudioComponentInstanceNew")
  guard let instance else {
    throw CallFailure(call: "AudioComponentInstanceNew", status: kAudio_ParamError)
  }
  return instance
}

/// Makes an empty graph.
public func makeGraph() throws -> AUGraph {
  var graph: AUGraph?
  try check(NewAUGraph(&graph), "NewAUGraph")
  guard let graph else { throw CallFailure(call: "NewAUGraph", status: kAudio_ParamError) }
  return graph
}

/// Adds a node for a unit to a graph.
public func addNode(_ graph: AUGraph, _ type: UInt32, _ subType: UInt32) throws -> AUNode {
  var wanted = description(type, subType)
  var node = AUNode()
  try check(AUGraphAddNode(graph, &wanted, &node), "AUGraphAddNode")
  return node
}

/// The unit of a node in an open graph.
public func unit(_ graph: AUGraph, _ node: AUNode) throws -> AudioUnit {
  var unit: AudioUnit?
  try check(AUGraphNodeInfo(graph, node, nil, &unit), "AUGraphNodeInfo")
  guard let unit else { throw CallFailure(call: "AUGraphNodeInfo", status: kAudio_ParamError) }
  return unit
}

/// Sets a property of a fixed size.
public func setProperty<Value: BitwiseCopyable>(
  _ unit: AudioUnit, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope,
  _ element: AudioUnitElement, _ value: Value
) throws {
  var value = value
  try check(
    AudioUnitSetProperty(
      unit, property, scope, element, &value, UInt32(MemoryLayout<Value>.size)),
    "AudioUnitSetProperty(\(property))")
}

/// The stream format of a bus.
public func streamFormat(
  _ unit: AudioUnit, _ scope: AudioUnitScope, _ element: AudioUnitElement
) throws -> AudioStreamBasicDescription {
  var format = AudioStreamBasicDescription()
  var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
  try check(
    AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, scope, element, &format, &size),
    "AudioUnitGetProperty(StreamFormat)")
  return format
}

/// Planar or mono 32-bit float, as the examples use it.
public func floatFormat(sampleRate: Double, channels: UInt32) -> AudioStreamBasicDescription {
  AudioStreamBasicDescription(
    mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
    mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: channels,
    mBitsPerChannel: 32, mReserved: 0)
}

/// The numbers among the words of the command line.
public var numbersOfCommandLine: [Double] {
  CommandLine.arguments.dropFirst().compactMap(Double.init)
}

/// Waits while the audio thread plays.
public func wait(seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }
