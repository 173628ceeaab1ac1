// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioUnitCore
public import CAudioToolbox

/// A node of a graph: a unit's description and, once the graph is open, the unit; or a sub-graph.
public final class Node {
  /// Its number in the C API (`AUNode`), unique within its graph.
  public let number: Int32
  /// The kind of its unit; all zero for a sub-graph.
  public let description: AudioComponentDescription
  /// The sub-graph, if the node is one.
  public let subgraph: Topology?
  /// Its unit, while the graph is open.
  public internal(set) var unit: UnitInstance?
  /// Whether the graph made the unit, and disposes of it. Otherwise it belongs to its maker.
  let ownsUnit: Bool
  /// Its place in the text that describes the graph; error messages begin with it.
  let place: String?

  init(
    _ number: Int32, _ description: AudioComponentDescription, subgraph: Topology? = nil,
    place: String? = nil
  ) {
    self.number = number
    self.description = description
    self.subgraph = subgraph
    self.place = place
    ownsUnit = true
  }

  /// A node for a unit that exists, and belongs to its maker.
  init(_ number: Int32, borrowed unit: UnitInstance) {
    self.number = number
    description = unit.component.description
    subgraph = nil
    place = nil
    ownsUnit = false
    self.unit = unit
  }

  /// Whether it is an output unit, which pulls the rest of the graph.
  public var isOutput: Bool {
    subgraph == nil && description.componentType == kAudioUnitType_Output
  }

  /// Its name in error messages: "node 3 (AULowpass)", or "node 3 "bass" (AULowpass)" if its unit
  /// has a nickname.
  public var title: String { title(in: "") }

  /// The name of a node in a sub-graph: `path` consists of the numbers of the enclosing nodes, each
  /// followed by a point.
  func title(in path: String) -> String {
    let number = "\(path)\(number)"
    if subgraph != nil { return "node \(number) (a sub-graph)" }
    if let unit {
      let name = unit.givenName.map { "\"\($0)\" " } ?? ""
      return "node \(number) \(name)(\(unit.title))"
    }
    let codes = [description.componentType, description.componentSubType]
    return "node \(number) (" + codes.map { "\(FourCharacterCode($0))" }.joined(separator: " ")
      + ")"
  }

  // MARK: Its unit

  /// [control thread] Makes a unit of the node's kind. The graph's lock is free meanwhile: a plug-in
  /// that opens may query the graph on any thread.
  func makeUnit() throws(AudioError) -> UnitInstance {
    guard let component = ComponentRegistry.shared.next(after: nil, matching: description) else {
      throw .invalidComponent.because(
        "\(title): no component has these codes (`au list` shows all components)"
      ).at(place)
    }
    do throws(AudioError) { return try component.instantiate() } catch {
      throw error.of(title).at(place)
    }
  }

  /// Disposes of its unit once this thread holds no lock: disposal waits for the unit's listeners,
  /// which may be querying the graph.
  func disposeUnit() {
    guard let handle = unit?.handle else { return }
    guard ownsUnit else { return unit = nil }
    unit = nil
    AfterLocks.perform { try? UnitInstance.dispose(handle) }
  }

  /// Disposes of its unit or sub-graph once this thread holds no lock.
  func dispose() {
    disposeUnit()
    for part in subgraph?.nodes ?? NodeList() { part.dispose() }
    if let handle = subgraph?.handle, Handles.graphs.invalidate(handle) {
      // This call may itself be its last use.
      Handles.graphs.finishDisposalLater(of: handle)
    }
  }
}
