// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore

/// The functions to call before and after each render of a graph. They belong to the head, which
/// may come after them.
struct HeadNotifies {
  private var list: [RenderCallback] = []

  /// Adds a function; false if it is already there.
  mutating func add(_ notify: RenderCallback) -> Bool {
    guard !list.contains(notify) else { return false }
    list.append(notify)
    return true
  }

  /// Forgets a function.
  mutating func remove(_ notify: RenderCallback) { list.removeAll { $0 == notify } }

  /// Adds the functions to a new head.
  func add(to head: UnitInstance?) {
    for notify in list { try? head?.addRenderNotify(notify) }
  }

  /// Removes the functions from a head that is being removed.
  func remove(from head: UnitInstance?) {
    for notify in list { try? head?.removeRenderNotify(notify) }
  }
}
