// SPDX-License-Identifier: Apache-2.0
public import AVFoundation

/// Throws unless a call succeeded, with the name of the call, its status, and the reason.
public func check(_ status: OSStatus) throws {
  guard status != noErr else { return }
  let reason = AUDiagnosticsCopyLastExplanation() ?? AUDiagnosticsCopyDescription(status)
  throw Failure(String(describing: reason.takeRetainedValue()))
}

/// The codes of one of the built-in units.
public func description(_ type: UInt32, _ subType: UInt32) -> AudioComponentDescription {
  AudioComponentDescription(
    componentType: type, componentSubType: subType,
    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
}

/// Makes a unit.
public func makeUnit(_ type: UInt32, _ subType: UInt32) throws -> AudioUnit {
  var codes = description(type, subType)
  guard let component = AudioComponentFindNext(nil, &codes) else {
    throw Failure("There is no unit of these codes.")
  }
  var unit: AudioUnit?
  try check(AudioComponentInstanceNew(component, &unit))
  return try some(unit)
}

/// Makes an empty graph.
public func makeGraph() throws -> AUGraph {
  var graph: AUGraph?
  try check(NewAUGraph(&graph))
  return try some(graph)
}

/// Adds a node for a unit to a graph.
public func addNode(_ graph: AUGraph, _ type: UInt32, _ subType: UInt32) throws -> AUNode {
  var codes = description(type, subType)
  var node = AUNode()
  try check(AUGraphAddNode(graph, &codes, &node))
  return node
}

/// The unit of a node in an open graph.
public func unit(_ graph: AUGraph, _ node: AUNode) throws -> AudioUnit {
  var unit: AudioUnit?
  try check(AUGraphNodeInfo(graph, node, nil, &unit))
  return try some(unit)
}

/// The result of a call that succeeded.
public func some<Handle>(_ handle: Handle?) throws -> Handle {
  guard let handle else { throw Failure("A call went well, but brought nothing.") }
  return handle
}

/// Sets a property of a fixed size.
public func setProperty<Value: BitwiseCopyable>(
  _ unit: AudioUnit, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope,
  _ element: AudioUnitElement, _ value: Value
) throws {
  var value = value
  try check(
    AudioUnitSetProperty(
      unit, property, scope, element, &value, UInt32(MemoryLayout<Value>.size)))
}

/// Planar 32-bit float, the format of the examples.
public func floatFormat(sampleRate: Double, channels: UInt32) -> AudioStreamBasicDescription {
  AudioStreamBasicDescription(
    mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
    mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: channels,
    mBitsPerChannel: 32, mReserved: 0)
}
