// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import MusicSequences
import ProcessingGraph

/// A graph that drives the player of a sequence.
package protocol SoundingGraph: AnyObject, Sendable {
  /// The graph; nil if the program has disposed of it.
  var graph: ProcessingGraph? { get }
}

/// The graph of an engine, which starts and stops it.
package final class EngineSound: SoundingGraph {
  nonisolated(unsafe) let handle: AUGraph
  /// The unit for tracks without a destination.
  let automaticUnit: @Sendable () -> AudioUnit?

  package init(_ handle: AUGraph, automaticUnit: @escaping @Sendable () -> AudioUnit?) {
    (self.handle, self.automaticUnit) = (handle, automaticUnit)
  }

  package var graph: ProcessingGraph? { ProcessingGraph.existing(handle) }
}

/// The graph of a sequence: one of the program, or the default one, which ends with this object.
/// [control thread]
package final class SequenceSound: SoundingGraph {
  private nonisolated(unsafe) let handle: AUGraph
  private let isOwned: Bool

  private init(_ handle: AUGraph, isOwned: Bool) {
    (self.handle, self.isOwned) = (handle, isOwned)
  }

  deinit { if isOwned { try? ProcessingGraph.dispose(handle) } }

  package var graph: ProcessingGraph? { ProcessingGraph.existing(handle) }

  /// Gives a sequence a graph of the program, or none.
  package static func set(_ graph: AUGraph?, for sequence: EventSequence) throws(AudioError) {
    try checkIsStopped(sequence)
    guard let graph else { return sequence.sound = nil }
    let sound = SequenceSound(graph, isOwned: false)
    guard sound.graph != nil else { throw .stale("graph") }
    sequence.sound = sound
  }

  /// The graph of a sequence: that of its engine, or one that is made if there is none.
  package static func graph(of sequence: EventSequence) throws(AudioError) -> AUGraph {
    if let engine = sequence.sound as? EngineSound, engine.graph != nil { return engine.handle }
    return try ofSequence(sequence).handle
  }

  /// The graph of a sequence, which is made if there is none.
  static func ofSequence(_ sequence: EventSequence) throws(AudioError) -> SequenceSound {
    if let sound = sequence.sound as? SequenceSound, sound.graph != nil { return sound }
    let sound = try makeDefault()
    sequence.sound = sound
    return sound
  }

  private static func checkIsStopped(_ sequence: EventSequence) throws(AudioError) {
    guard !sequence.isPlaying else {
      throw .invalidPlayerState.because("the sequence is being played; stop it first")
    }
  }

  /// An open graph: an instrument with the system's bank, a dynamics processor, the default output.
  private static func makeDefault() throws(AudioError) -> SequenceSound {
    let graph = try ProcessingGraph.make()
    guard let handle = graph.handle else { throw .stale("graph") }
    let sound = SequenceSound(handle, isOwned: true)
    let instrument = try graph.addNode(
      apple(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth))
    let dynamics = try graph.addNode(
      apple(kAudioUnitType_Effect, kAudioUnitSubType_DynamicsProcessor))
    let output = try graph.addNode(apple(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput))
    try graph.connect(instrument, 0, to: dynamics, 0)
    try graph.connect(dynamics, 0, to: output, 0)
    try graph.open()
    return sound
  }

  private static func apple(_ type: OSType, _ subType: OSType) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
  }
}

extension ProcessingGraph {
  /// The graph behind a handle; nil if it was disposed of.
  static func existing(_ handle: AUGraph) -> ProcessingGraph? {
    guard let entered = Handles.graphs.enter(handle) else { return nil }
    defer { Handles.graphs.leave(handle) }
    return entered.takeUnretainedValue()
  }

  /// The unit of a node, by its handle; nil while there is none.
  func unitHandle(_ node: AUNode) -> UInt? {
    let unit = try? control { () throws(AudioError) in try self.node(node).unit?.handle }
    return unit.map { UInt(bitPattern: $0) }
  }

  /// The node of the first instrument.
  var firstInstrument: AUNode? {
    let node = try? control { () in
      nodes.first { $0.description.componentType == kAudioUnitType_MusicDevice }?.number
    }
    return node
  }

  /// The unit of its output; nil while there is none.
  var outputUnit: UnitInstance? {
    let unit = try? control { () in nodes.first { $0.isOutput }?.unit }
    return unit
  }

  /// The rate of the frames that its render notifications count: those of the device, whatever rate
  /// the graph has before the output.
  var sampleRate: Double? {
    (try? outputUnit?.streamFormat(kAudioUnitScope_Output, 0))?.sampleRate
  }
}
