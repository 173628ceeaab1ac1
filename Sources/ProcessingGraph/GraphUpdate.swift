// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// An update of all units of a graph: the topology is checked as a whole, then the units are
/// prepared for their new sources. `revert` takes everything back.
struct GraphUpdate {
  let wiring: Wiring
  let head: UnitInstance
  /// The members in rendering order.
  let order: [Int]
  private let connected: Set<Int>
  private var undo: [() -> Void] = []

  /// [under the lock] Checks the topology of an open graph.
  init(_ topology: Topology) throws(AudioError) {
    wiring = try Wiring(topology)
    guard let head = topology.nodes.head?.unit else {
      throw .outputNode.because("the graph has no output node").at(topology.place)
    }
    self.head = head
    order = try wiring.order()
    for link in wiring.links { try Self.checkBuses(wiring, link) }
    connected = wiring.participants(head)
  }

  /// The units that have a connection or a callback, and the head.
  var connectedUnits: Set<ObjectIdentifier> {
    Set(connected.map { ObjectIdentifier(wiring.members[$0].unit) })
  }

  /// The same units, sources first.
  var initializedUnits: [UnitInstance] {
    order.filter(connected.contains).map { wiring.members[$0].unit }
  }

  private static func checkBuses(_ wiring: Wiring, _ link: Wiring.Feed) throws(AudioError) {
    let unit = wiring.members[link.to].unit
    guard link.bus < (try unit.elementCount(kAudioUnitScope_Input)) else {
      throw .invalidConnection.because("\(wiring.title(link)): there is no such input")
        .at(link.place)
    }
    guard case .connection(let source, let bus) = link.source else { return }
    guard bus < (try source.elementCount(kAudioUnitScope_Output)) else {
      throw .invalidConnection.because("\(wiring.title(link)): there is no such output")
        .at(link.place)
    }
  }

  // MARK: Preparing

  /// [in a turn] Gives the units the formats of their sources, and initialises those that are
  /// connected; `units` knows which ones were. The caller reverts the update if this fails.
  mutating func prepare(_ units: UnitRecords) throws(AudioError) {
    raiseMaximumFrames()
    for member in order { try prepare(member, units) }
  }

  /// [in a turn] Takes back what `prepare` did.
  func revert() { for step in undo.reversed() { step() } }

  private mutating func prepare(_ member: Int, _ units: UnitRecords) throws(AudioError) {
    let unit = wiring.members[member].unit
    for link in wiring.links(to: member) {
      guard case .connection(let source, let bus) = link.source else { continue }
      let old = try? unit.streamFormat(kAudioUnitScope_Input, link.bus)
      do throws(AudioError) { try Self.adoptFormat(source, bus, for: unit, link.bus) } catch {
        throw error.of(wiring.title(link)).at(link.place)
      }
      if let old, unit.graphUnit.isReady == false {
        undo.append { try? unit.graphUnit.adoptFormat(old, of: "", bus: Int(link.bus)) }
      }
    }
    guard connected.contains(member), !(unit.graphUnit.isReady ?? units.isConnected(unit)) else {
      return
    }
    do throws(AudioError) { try unit.initialize() } catch {
      throw error.of(wiring.members[member].title).at(wiring.members[member].node.place)
    }
    undo.append { try? unit.uninitialize() }
  }

  /// Gives an input the format of its source, or checks that it already has it.
  static func adoptFormat(
    _ source: UnitInstance, _ output: UInt32, for unit: UnitInstance, _ input: UInt32
  ) throws(AudioError) {
    let format = try source.streamFormat(kAudioUnitScope_Output, output)
    try unit.graphUnit.adoptFormat(format, of: source.title, bus: Int(input))
  }

  /// Raises the maximum slice of new units to that of the units that pull them. A maximum that a
  /// program set stays: the unit that pulls cuts its pulls into renders of that size. A foreign
  /// unit does not, so its own maximum is lowered.
  private func raiseMaximumFrames() {
    let units = wiring.members.map(\.unit)
    var frames = units.map { $0.maximumFramesPerSlice ?? 0 }
    func set(_ member: Int, to count: UInt32) {
      guard units[member].graphUnit.isReady != true else { return }
      if units[member].adaptMaximumFramesPerSlice(to: count) { frames[member] = count }
    }
    for member in order.reversed() {
      for case let from? in wiring.links(to: member).map(\.from) where frames[from] < frames[member]
      {
        set(from, to: frames[member])
      }
    }
    for member in order where units[member] is ForeignUnit {
      for case let from? in wiring.links(to: member).map(\.from)
      where frames[from] < frames[member] && frames[from] > 0 {
        set(member, to: frames[from])
      }
    }
  }
}
