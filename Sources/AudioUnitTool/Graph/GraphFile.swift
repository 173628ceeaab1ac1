// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Foundation
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// A graph made from a file, and the actions on it.
final class GraphFile {
  /// The open graph.
  let graph: AUGraph
  /// The path, for error messages.
  private let path: String

  /// [control thread] Reads the file and makes the graph.
  init(_ path: String) throws(Failure) {
    self.path = path
    let text = try TextFile.contents(of: path)
    var graph: AUGraph?
    try Failure.check(AUGraphNewFromDescription(text as CFString, &graph), path)
    guard let graph else { throw Failure("\(path): no graph") }
    self.graph = graph
  }

  deinit { DisposeAUGraph(graph) }

  /// The description as a program would save it.
  var description: String {
    get throws(Failure) {
      var text: Unmanaged<CFString>?
      try Failure.check(AUGraphCopyDescription(graph, &text), "Can't describe the graph")
      return text.map { String(describing: $0.takeRetainedValue()) } ?? ""
    }
  }

  /// Checks formats and connections, and initializes every unit.
  func initialize() throws(Failure) {
    try Failure.check(AUGraphInitialize(graph), path)
  }

  /// Why the initialized graph would be silent; empty if it is audible.
  func silence() throws(Failure) -> [String] { try GraphSilence(graph).reasons }

  /// Plays until the time is over or a signal arrives.
  func play(seconds: Double?) throws {
    try initialize()
    var limit: FrameLimit?
    if let seconds { limit = try makeLimit(seconds: seconds) }
    defer { withExtendedLifetime(limit) {} }
    let signals = Signals(Signals.ending)
    try Failure.check(AUGraphStart(graph), path)
    var descriptor = pollfd(fd: signals.descriptor, events: Int16(clamping: POLLIN), revents: 0)
    if let limit {
      while !limit.isReached, poll(&descriptor, 1, 10) == 0 {}
    } else {
      let milliseconds = seconds.map { Int32(saturating: min($0 * 1_000, Double(Int32.max))) } ?? -1
      poll(&descriptor, 1, milliseconds)
    }
    try Failure.check(AUGraphStop(graph), "Can't stop the graph")
    if let signal = signals.next() { Signals.endProcess(by: signal) }
  }

  /// A limit for devices that run as fast as possible; nil for the others.
  private func makeLimit(seconds: Double) throws -> FrameLimit? {
    guard FrameLimit.isNeeded, let (node, _) = Self.output(of: try GraphMap(graph)) else {
      return nil
    }
    var made: AudioUnit?
    try Failure.check(AUGraphNodeInfo(graph, node.id, nil, &made), path)
    guard let unit = made else { return nil }
    let rate = unit.value(kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, over: 0.0)
    return try FrameLimit(unit, frames: Int(saturating: (seconds * (rate ?? 48_000)).rounded()))
  }

  /// Renders what the graph's output unit would play to a file, without a device.
  func render(
    to path: String, sampleRate: Int, frameCount: Int, samples: Recording.Samples = .native
  ) throws {
    let unit = try replaceOutput(sampleRate: Double(sampleRate))
    try initialize()
    try Recording(
      path: path, sampleRate: sampleRate, channelCount: Self.channelCount, samples: samples
    ).write(unit, frameCount: frameCount)
  }

  private static let channelCount = 2

  /// Replaces the output unit by a generic output unit, and returns it.
  private func replaceOutput(sampleRate: Double) throws(Failure) -> AudioUnit {
    let map = try GraphMap(graph)
    guard let (old, source) = Self.output(of: map) else {
      let outputs = map.nodes.filter(\.isOutput).map { "\"\($0.name)\"" }
      throw Failure(
        outputs.isEmpty
          ? #"\#(path): the graph has no output unit: add "out": {"unit": "auou def"} to "nodes", and connect it"#
          : "\(path): nothing is connected to the output unit \(outputs.joined(separator: ", "))")
    }
    guard case .node(let node, let output) = source.source else {
      throw Failure("\(path): the output unit is fed by a callback")
    }
    guard !map.feedsAnother(old.id) else {
      throw Failure(
        "\(path): \"\(old.name)\" also captures, which needs a device; the graph can only be "
          + "played")
    }
    try Failure.check(AUGraphRemoveNode(graph, old.id), "Can't replace the output unit")
    var generic = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_GenericOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    var new = AUNode()
    try Failure.check(AUGraphAddNode(graph, &generic, &new), "Can't replace the output unit")
    var made: AudioUnit?
    try Failure.check(AUGraphNodeInfo(graph, new, nil, &made), "Can't replace the output unit")
    guard let unit = made else { throw Failure("Can't replace the output unit") }
    try Failure.check(
      AUGraphConnectNodeInput(graph, node, output, new, 0), "Can't connect the output unit")
    var format = AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
      mChannelsPerFrame: UInt32(clamping: Self.channelCount), mBitsPerChannel: 32, mReserved: 0)
    try Failure.check(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format,
        UInt32(clamping: MemoryLayout.size(ofValue: format))),
      "Can't set the format of the file")
    return unit
  }

  private static func output(of map: GraphMap) -> (GraphMap.Node, GraphMap.Edge)? {
    for node in map.nodes where node.isOutput {
      if let edge = map.inputs(of: node.id).first { return (node, edge) }
    }
    return nil
  }
}
