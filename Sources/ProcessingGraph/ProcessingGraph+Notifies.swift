// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import AudioUnitCore

// The render notifications of a graph, and its processor load. Both belong to the head.
extension ProcessingGraph {
  /// [any thread] Adds a function to call before and after each render of the head. It may be added
  /// before there is a head.
  public func addRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    try control { () throws(AudioError) in
      guard !notifies.contains(notify) else { return }
      notifies.append(notify)
      do throws(AudioError) { try head?.unit?.addRenderNotify(notify) } catch {
        notifies.removeAll { $0 == notify }
        throw error
      }
    }
  }

  /// [any thread] Removes a function; on return it is not being called.
  public func removeRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    try control { () throws(AudioError) in
      notifies.removeAll { $0 == notify }
      guard let unit = head?.unit else { return }
      // The running call may be waiting for a thread that queries the graph.
      try Lock.whileLent { () throws(AudioError) in try unit.removeRenderNotify(notify) }
    }
  }

  /// [under the lock] Adds the notifications to a new head.
  func addNotifies(to node: Node) {
    for notify in notifies { try? node.unit?.addRenderNotify(notify) }
  }

  /// [under the lock] Removes the notifications from a head that is being removed.
  func removeNotifies(from node: Node) {
    for notify in notifies { try? node.unit?.removeRenderNotify(notify) }
  }

  /// [under the lock] Adds the notifications to the heads of this graph and its sub-graphs.
  func addAllNotifies() {
    head.map { addNotifies(to: $0) }
    for node in nodes { node.subgraph?.addAllNotifies() }
  }

  /// [any thread] The processor load of the graph's renders, averaged over a tenth of a second:
  /// 0…1, or above 1 if rendering is too slow.
  public func load() throws(AudioError) -> Double {
    try control { () in root.head?.unit?.graphSide.averageLoad ?? 0 }
  }

  /// [any thread] The largest load of a single render since the last call, or since the start.
  public func maximumLoadSinceLastCall() throws(AudioError) -> Double {
    try control { () in root.head?.unit?.graphSide.maximumLoadSinceLastCall() ?? 0 }
  }
}
