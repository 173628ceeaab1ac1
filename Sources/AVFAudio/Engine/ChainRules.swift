// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Which chains of nodes can work: what a device captures comes in its cycles, neither faster nor
/// slower, and nothing else drives a sink.
struct ChainRules {
  let table: ConnectionTable
  /// Whether the program renders, instead of a device.
  let isManual: Bool

  /// Checks a connection before it is made.
  func check(_ connection: NodeConnection, _ call: String) throws {
    let (source, destination) = (connection.source, connection.destination)
    if !isManual, let stretcher = table.first(from: destination, where: \.changesFrameCount),
      table.first(upTo: source, where: \.role.isInput) != nil
    {
      throw stretched(stretcher, call)
    }
    // Through effects only: a mixer may get the input later.
    if let sink = table.first(from: destination, through: .passes, where: { $0.role.sink != nil }),
      let player = table.first(
        upTo: source, through: .passes, where: { $0.formatRule == .generates && !$0.role.isInput })
    {
      throw idle(sink, player, call)
    }
  }

  /// Checks all chains before the device starts.
  func check(_ call: String) throws {
    guard !isManual else { return }
    for connection in table.list where connection.source.role.isInput {
      let stretcher = table.first(from: connection.destination, where: \.changesFrameCount)
      if let stretcher { throw stretched(stretcher, call) }
    }
    for connection in table.list where connection.destination.role.sink != nil {
      let source = connection.source
      guard table.first(upTo: source, where: \.role.isInput) == nil else { continue }
      let player = table.first(upTo: source) { $0.formatRule == .generates }
      if let player { throw idle(connection.destination, player, call) }
    }
  }

  private func stretched(_ node: any GraphNode, _ call: String) -> NSError {
    EngineError.refusal(
      call,
      "\(type(of: node)) asks for more or fewer frames than it makes, and the input node has only "
        + "those that the device captures",
      mend: "put it behind a player, or enable manual rendering first",
      kAUGraphErr_InvalidConnection)
  }

  private func idle(_ sink: any GraphNode, _ source: any GraphNode, _ call: String) -> NSError {
    EngineError.refusal(
      call,
      "\(type(of: sink)) is driven by the input of the device, and \(type(of: source)) is not the "
        + "input node",
      mend: "connect it from inputNode, or install a tap instead", kAUGraphErr_InvalidConnection)
  }
}
