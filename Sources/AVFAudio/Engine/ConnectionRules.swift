// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// What the connections of an engine have to obey. Calls with and without `throws` share it.
struct ConnectionRules {
  let nodes: NodeSet
  let table: ConnectionTable
  /// Whether the program renders, instead of a device.
  let isManual: Bool

  /// Checks that a node belongs to the engine.
  func checkAttached(_ node: any GraphNode, _ call: String) throws {
    guard !nodes.contains(node) else { return }
    throw EngineError.refusal(
      call, "\(type(of: node)) is not attached to this engine", mend: "attach it first")
  }

  /// Checks a connection before it is made.
  func check(_ connection: NodeConnection, _ call: String) throws {
    let (source, destination) = (connection.source, connection.destination)
    try checkAttached(source, call)
    try checkAttached(destination, call)
    try source.checkBus(connection.output, source.numberOfOutputs, call, "output")
    // Inputs of mixers are made by connecting them.
    let inputs = destination.mixerInputs == nil ? destination.numberOfInputs : 512
    try destination.checkBus(connection.input, inputs, call, "input")
    if source.role.isOutput || destination.role.isInput {
      throw EngineError.refusal(
        call, "the device is at this end of \(type(of: source)) and \(type(of: destination))",
        mend: "connect from the input node, or to the output node", kAUGraphErr_InvalidConnection)
    }
    if destination === source || table.reaches(destination, source) {
      throw EngineError.refusal(
        call, "\(type(of: destination)) feeds \(type(of: source)) already, so this makes a cycle",
        mend: "disconnect one of the two", kAUGraphErr_InvalidConnection)
    }
    try ChainRules(table: table, isManual: isManual).check(connection, call)
    guard let format = connection.format else { return }
    try FormatRules(table: table).check(format, of: connection, call)
    try source.checkFormat(format, kAudioUnitScope_Output, connection.output, call)
    try destination.checkFormat(format, kAudioUnitScope_Input, connection.input, call)
  }

  /// The device of an engine that was started without the input node does not capture.
  func checkCapture(_ new: ConnectionTable, _ call: String) throws {
    guard new.list.contains(where: \.source.role.isInput) else { return }
    throw EngineError.refusal(
      call, "the engine was started before it had an input node",
      mend: "stop it, connect the input node, and start it again", kAudioUnitErr_Initialized)
  }

  /// The destinations of an output have one rate, because they get the same frames.
  func checkSplits(_ call: String) throws {
    guard let split = table.unequalSplit else { return }
    throw EngineError.refusal(
      call, "the destinations of \(type(of: split.source)) run at different rates",
      mend: "connect it to mixers of one rate", kAudioUnitErr_FormatNotSupported)
  }

  /// While the engine runs, connections may change only before a mixer: not on the way from the last
  /// mixer to the output.
  func checkRunningEdit(_ destinations: [any GraphNode], _ call: String) throws {
    for node in destinations where table.reachesOutputWithoutMixer(node) {
      throw EngineError.refusal(
        call, "the engine runs, and no mixer is between this connection and the output",
        mend: "stop the engine first, or connect to a mixer", kAudioUnitErr_Initialized)
    }
  }
}
