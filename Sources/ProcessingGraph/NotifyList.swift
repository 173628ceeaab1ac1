// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore

/// The functions to call before and after each render of a graph. They belong to the head, which
/// may come after them.
struct NotifyList {
  private var list: [RenderCallback] = []

  /// Adds a function, also to the present head.
  mutating func add(_ notify: RenderCallback, to head: UnitInstance?) throws(AudioError) {
    guard !list.contains(notify) else { return }
    list.append(notify)
    do throws(AudioError) { try head?.addRenderNotify(notify) } catch {
      list.removeAll { $0 == notify }
      throw error
    }
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
