// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import ProcessingGraph

// Not a C function: a program's graph makes its units itself.

/// [any thread] Adds a node for a unit that exists, to an open graph. The graph initialises and
/// connects the unit as any other, but never disposes of it. Closing the graph removes the node.
package func AUGraphAddBorrowedUnit(
  _ inGraph: AUGraph, _ inUnit: AudioUnit, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in
    guard let entered = Handles.units.enter(inUnit) else { throw .stale("audio unit") }
    defer { Handles.units.leave(inUnit) }
    outNode.pointee = try graph.addNode(borrowed: entered.takeUnretainedValue())
  }
}
