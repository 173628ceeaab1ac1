// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

/// What the head of a graph pulls: the units that it reaches, and who reads each of them at which
/// times.
struct SourceReach {
  /// The frames that a reader pulls: those of the head, or those of an input whose unit has a time of
  /// its own, such as a rate converter.
  private enum Time: Hashable { case head, input(Wiring.Input) }

  /// What must not be used twice for the same frames: the output of a unit that would render again,
  /// and the context of callbacks. Callbacks without a context may share globals.
  private enum Resource: Hashable {
    case unit(ObjectIdentifier)
    case context(UnsafeMutableRawPointer?)
  }

  /// The source of an input. An input that crossfades has two.
  typealias Link = (input: Wiring.Input, source: Wiring.Source)

  private let links: [ObjectIdentifier: [Link]]
  private(set) var units: Set<ObjectIdentifier> = []
  /// In how many times each unit is pulled.
  private var timeCounts: [ObjectIdentifier: Int] = [:]
  /// How many inputs pull each resource.
  private var readerCounts: [Resource: Int] = [:]

  /// [under the lock] Follows the sources of the head.
  init(_ sources: [Link], from head: UnitInstance) {
    links = Dictionary(grouping: sources) { ObjectIdentifier($0.input.unit) }
    var times: [ObjectIdentifier: Set<Time>] = [:]
    var pending: [(unit: UnitInstance, time: Time)] = [(head, .head)]
    times[ObjectIdentifier(head)] = [.head]
    while let (unit, time) = pending.popLast() {
      let isNew = units.insert(ObjectIdentifier(unit)).inserted
      for (input, source) in links[ObjectIdentifier(unit)] ?? [] {
        switch source {
        case .callback(let callback):
          if isNew { readerCounts[.context(callback.inputProcRefCon), default: 0] += 1 }
        case .connection(let from, _):
          if isNew, from === head || !from.graphUnit.rendersFramesOnce {
            readerCounts[.unit(ObjectIdentifier(from)), default: 0] += 1
          }
          let time = unit === head || unit.graphUnit.keepsTime ? time : .input(input)
          guard from !== head, times[ObjectIdentifier(from), default: []].insert(time).inserted
          else { continue }
          pending.append((from, time))
        }
      }
    }
    timeCounts = times.mapValues(\.count)
  }

  /// Whether nothing is used more often than before or after the edit, and no unit is upstream of
  /// itself.
  func canBePulled(
    like before: SourceReach, _ after: SourceReach, from head: UnitInstance
  ) -> Bool {
    timeCounts.allSatisfy { unit, count in
      count <= max(before.timeCounts[unit] ?? 0, after.timeCounts[unit] ?? 0, 1)
    }
      && readerCounts.allSatisfy { resource, count in
        count <= max(before.readerCounts[resource] ?? 0, after.readerCounts[resource] ?? 0, 1)
      } && !hasCycle(from: head)
  }

  /// Whether a unit is upstream of itself.
  private func hasCycle(from head: UnitInstance) -> Bool {
    var finished: Set<ObjectIdentifier> = []
    var path: [(unit: UnitInstance, sources: [UnitInstance])] = [(head, sources(of: head, head))]
    var open: Set<ObjectIdentifier> = [ObjectIdentifier(head)]
    while let last = path.indices.last {
      guard let next = path[last].sources.popLast() else {
        let unit = ObjectIdentifier(path.removeLast().unit)
        open.remove(unit)
        finished.insert(unit)
        continue
      }
      guard !open.contains(ObjectIdentifier(next)) else { return true }
      guard !finished.contains(ObjectIdentifier(next)) else { continue }
      open.insert(ObjectIdentifier(next))
      path.append((next, sources(of: next, head)))
    }
    return false
  }

  /// The units that feed a unit, without the head, whose captured input does not depend on others.
  private func sources(of unit: UnitInstance, _ head: UnitInstance) -> [UnitInstance] {
    (links[ObjectIdentifier(unit)] ?? []).compactMap {
      guard case .connection(let from, _) = $0.source, from !== head else { return nil }
      return from
    }
  }
}
