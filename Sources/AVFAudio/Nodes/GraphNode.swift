// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// How the formats of a node's inputs and outputs depend on each other.
enum FormatRule {
  /// Each input has any format, and is converted to that of the output: mixers.
  case converts
  /// The output has the format of the input: effects.
  case passes
  /// It has no inputs: sources and players.
  case generates
  /// It has no outputs.
  case consumes
}

/// What has happened to the engine of a node.
enum EngineEvent {
  /// It runs. Its clock may have begun again.
  case started
  /// It does not run, and keeps its positions.
  case paused
  /// It does not run.
  case stopped
  /// Its nodes have been reset.
  case reset
  /// The connections or formats of nodes have changed.
  case connectionsChanged
  /// The node no longer belongs to an engine.
  case detached
}

/// The place of a node in an engine.
enum NodeRole {
  /// Between the others.
  case inner
  /// The device's input, or its output.
  case input, output
  /// The end of a chain from the input.
  case sink(SinkFeed)

  var isInput: Bool { if case .input = self { true } else { false } }
  var isOutput: Bool { if case .output = self { true } else { false } }
  var sink: SinkFeed? { if case .sink(let feed) = self { feed } else { nil } }
  /// Whether it is an end at the device.
  var isDevice: Bool { isInput || isOutput }
}

/// A node as its engine sees it: `AVAudioNode`, which says what its subclasses override.
protocol GraphNode: AnyObject, Sendable {
  var unit: NodeUnit? { get }
  var feed: NodeFeed? { get }
  /// Whether mixers take its values: not those of effects.
  var hasMixing: Bool { get }
  var mixing: MixingSource { get }
  var taps: NodeTaps { get }
  var role: NodeRole { get }
  /// The engine to which it is attached.
  var owner: AnyObject? { get }
  /// Returns whether it belongs to this engine now; false if it is attached to another one.
  func attach(to engine: AnyObject?) -> Bool
  func removeOwner()

  var numberOfInputs: Int { get }
  var numberOfOutputs: Int { get }
  var latency: Double { get }
  /// Throws, for a call with this name, if there is no such bus.
  func checkBus(_ bus: Int, _ count: Int, _ call: String, _ direction: String) throws
  func reset()

  var formatRule: FormatRule { get }
  /// Whether it asks for another number of frames than it makes.
  var changesFrameCount: Bool { get }
  func ownFormat(_ bus: Int) -> AVAudioFormat?
  /// Why it has no format; nil for nodes that have one, or take any.
  var unknownFormat: UnknownFormat? { get }
  var onlyChannelCount: UInt32? { get }
  func outputFormat(forBus bus: Int) -> AVAudioFormat
  /// Throws, for a call with this name, if a bus cannot have a format.
  func checkFormat(
    _ format: AVAudioFormat, _ scope: AudioUnitScope, _ bus: Int, _ call: String) throws
  func unitInputFormat(for output: AVAudioFormat) -> AVAudioFormat
  var mixerInputs: MixerInputs? { get }
  func setMixing(_ values: MixingValues, onInput bus: Int)
  func tapSource(_ bus: Int) -> TapSource?
  func engineChanged(_ event: EngineEvent)
}
