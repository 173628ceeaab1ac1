// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// Rendering of wide graphs on several processors: branches that meet in a mixer are rendered at the
/// same time if they share nothing. The output is bit-identical.
struct ParallelBranches {
  /// For each unit in which branches meet, the branches that may be rendered at the same time. A
  /// unit without an entry pulls its inputs one after the other.
  private(set) var ofUnit: [ObjectIdentifier: Branches] = [:]

  /// [under the lock] Without a team there are none. Fails only on a render thread, if another
  /// thread holds a unit's lock.
  init(_ wiring: Wiring, head: UnitInstance, _ team: RenderTeam?) throws(AudioError) {
    guard let team else { return }
    let shared = SharedResources(wiring, head: head)
    for (member, place) in wiring.members.enumerated() {
      let (unit, graphUnit) = (place.unit, place.unit.graphUnit)
      guard graphUnit.pullsIndependently else { continue }
      let tasks = shared.tasks(of: member, atMost: 4 * (team.helperCount + 1))
      guard tasks.count > 1 else { continue }
      // Equal branches are reused, so that the unit need not change.
      if let old = try graphUnit.knownBranches(), old.tasks == tasks, old.team === team {
        ofUnit[ObjectIdentifier(unit)] = old
      } else {
        ofUnit[ObjectIdentifier(unit)] = Branches(tasks, inputCount: graphUnit.inputCount, team)
      }
    }
  }
}

/// The resources that branches of a graph share: units, and the contexts of callbacks.
///
/// Two callbacks with the same context may share the data that it points at, and callbacks without
/// a context may share globals, so they are never called at the same time. An I/O unit that
/// captures delivers its input only to the thread of its own cycle, even if a callback requests it.
private struct SharedResources {
  private let wiring: Wiring
  private let head: UnitInstance
  private let callbacksNeedHead: Bool

  init(_ wiring: Wiring, head: UnitInstance) {
    self.wiring = wiring
    self.head = head
    callbacksNeedHead = head.capturesInput
  }

  private enum Resource: Hashable {
    case member(Int)
    case context(UnsafeMutableRawPointer?)
  }

  /// The inputs of a member, divided into tasks that share nothing. The first task is for the
  /// thread that renders the member. There are at most `limit` other tasks, each with about the
  /// same number of units.
  func tasks(of member: Int, atMost limit: Int) -> [[Int]] {
    let links = wiring.links(to: member).sorted { $0.bus < $1.bus }
    guard links.count > 1 else { return [] }
    // Links that share something form one group, identified by its first link.
    var group = Array(links.indices)
    func first(_ link: Int) -> Int {
      var link = link
      while group[link] != link { link = group[link] }
      return link
    }
    var owners: [Resource: Int] = [:]
    var weights = [Int](repeating: 1, count: links.count)
    var isOwn = [Bool](repeating: false, count: links.count)
    for (index, link) in links.enumerated() {
      func join(_ resource: Resource) -> Bool {
        guard let owner = owners[resource] else {
          owners[resource] = index
          return true
        }
        let (one, other) = (first(owner), first(index))
        group[max(one, other)] = min(one, other)
        return false
      }
      var pending = [link]
      while let next = pending.popLast() {
        if case .callback(let callback) = next.source {
          _ = join(.context(callback.inputProcRefCon))
          if callbacksNeedHead { isOwn[index] = true }
        }
        guard let from = next.from else { continue }
        if wiring.members[from].unit === head { isOwn[index] = true }
        guard wiring.isDependency(next), join(.member(from)) else { continue }
        weights[index] += 1
        pending += wiring.links(to: from)
      }
    }
    return Self.tasks(
      links.map { Int($0.bus) }, groups: links.indices.map { first($0) }, weights, isOwn, limit)
  }

  /// Combines groups into tasks: first those of the rendering thread, then the others in order.
  private static func tasks(
    _ inputs: [Int], groups: [Int], _ weights: [Int], _ isOwn: [Bool], _ limit: Int
  ) -> [[Int]] {
    var members: [Int: [Int]] = [:]
    for (link, group) in groups.enumerated() { members[group, default: []].append(link) }
    var own: [Int] = []
    var tasks: [[Int]] = []
    let share = weights.reduce(0, +) / limit + 1
    var weight = share
    for (_, links) in members.sorted(by: { $0.key < $1.key }) {
      if links.contains(where: { isOwn[$0] }) {
        own += links
        continue
      }
      if weight >= share {
        tasks.append([])
        weight = 0
      }
      tasks[tasks.count - 1] += links
      weight += links.reduce(0) { $0 + weights[$1] }
    }
    // The rendering thread gets a task too, so that it is not idle while helpers wake.
    if own.isEmpty, !tasks.isEmpty { own = tasks.removeFirst() }
    return ([own] + tasks).map { task in task.sorted().map { inputs[$0] } }
  }
}

extension UnitInstance {
  /// [control thread] Whether it is an I/O unit whose input is on.
  fileprivate var capturesInput: Bool {
    var isOn: UInt32 = 0
    var size = UInt32(MemoryLayout<UInt32>.size)
    let address = PropertyAddress(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1)
    return (try? getProperty(address, into: &isOn, size: &size)) != nil && isOn != 0
  }
}
