// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import AudioUnitCore

// The notifications of a graph's renders, and how much of real time these take. Both are the head's.
extension ProcessingGraph {
  /// [any thread] Calls a function before and after each render of the head; it may be added before
  /// there is a head.
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

  /// [any thread] Does not call it any more; on return it is not being called.
  public func removeRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    try control { () throws(AudioError) in
      notifies.removeAll { $0 == notify }
      guard let unit = head?.unit else { return }
      // The call under way may be waiting for somebody who asks the graph.
      try Lock.whileLent { () throws(AudioError) in try unit.removeRenderNotify(notify) }
    }
  }

  /// [under the lock] A head has come.
  func addNotifies(to node: Node) {
    for notify in notifies { try? node.unit?.addRenderNotify(notify) }
  }

  /// [under the lock] A head goes.
  func removeNotifies(from node: Node) {
    for notify in notifies { try? node.unit?.removeRenderNotify(notify) }
  }

  /// [under the lock] The heads of this graph and its sub-graphs have come.
  func addAllNotifies() {
    head.map { addNotifies(to: $0) }
    for node in nodes { node.subgraph?.addAllNotifies() }
  }

  /// [any thread] The share of real time that the graph's renders take, averaged over a tenth of a
  /// second; 0…1, and above when it is too slow.
  public func load() throws(AudioError) -> Double {
    try control { () in root.head?.unit?.graphSide.averageLoad ?? 0 }
  }

  /// [any thread] The largest share of a single render since this was asked last, or since the start.
  public func maximumLoadSinceLastCall() throws(AudioError) -> Double {
    try control { () in root.head?.unit?.graphSide.maximumLoadSinceLastCall() ?? 0 }
  }
}
