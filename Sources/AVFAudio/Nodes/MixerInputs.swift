// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// The inputs of a node that converts: which elements of its unit its buses are.
///
/// A unit cannot change the formats of its elements while it renders. So it has elements of each
/// kind from the start, mono and stereo at the rate of the output, and a bus gets one that fits. For
/// other formats the engine adds a converter in front.
final class MixerInputs: @unchecked Sendable {  // guarded
  private struct State {
    var elements: [Int: UInt32] = [:]
    var values: [Int: MixingValues] = [:]
    /// How many elements of each kind there are.
    var count = 32
  }

  private let unit: NodeUnit
  private let apply: @Sendable (NodeUnit, UInt32, MixingValues) -> Void
  private let state = Guarded(State())
  /// Held until a change is in effect: as `order` of `MixingSource`.
  private let order = NSRecursiveLock()

  /// The inputs of a unit; `apply` gives one of its elements the mixing values of its source.
  init(
    _ unit: NodeUnit, _ apply: @escaping @Sendable (NodeUnit, UInt32, MixingValues) -> Void
  ) {
    self.unit = unit
    self.apply = apply
  }

  /// The number of elements that the unit needs.
  var elementCount: Int { state.withLock { 2 * $0.count } }

  /// The channels of an element: stereo and mono alternate.
  static func channelCount(_ element: Int) -> Int { element % 2 == 0 ? 2 : 1 }

  /// [under the engine's lock] The element of a bus with a number of channels, 1 or 2.
  func element(of bus: Int, channels: Int) -> UInt32 {
    order.lock()
    defer { order.unlock() }
    let (element, values) = state.withLock { state in
      let old = state.elements[bus]
      if let old, Self.channelCount(Int(old)) == channels {
        return (old, nil as MixingValues?)
      }
      let used = Set(state.elements.values)
      var element = UInt32(channels == 2 ? 0 : 1)
      while used.contains(element) { element += 2 }
      state.elements[bus] = element
      while Int(element) >= 2 * state.count { state.count *= 2 }
      return (element, state.values[bus] ?? MixingValues())
    }
    if let values { apply(unit, element, values) }
    return element
  }

  /// [under the engine's lock] Frees the elements of buses that are not connected.
  func keep(_ buses: Set<Int>) {
    state.withLock { state in
      state.elements = state.elements.filter { buses.contains($0.key) }
      state.values = state.values.filter { buses.contains($0.key) }
    }
  }

  /// [any thread] Gives all buses their values again, because something else of them has changed.
  func applyAgain() {
    order.withLock {
      let all = state.withLock { state in
        state.elements.map { ($0.value, state.values[$0.key] ?? MixingValues()) }
      }
      for (element, values) in all { apply(unit, element, values) }
    }
  }

  /// [any thread] Gives a bus the mixing values of its source.
  func set(_ values: MixingValues, _ bus: Int) {
    order.withLock {
      let element = state.withLock { state in
        state.values[bus] = values
        return state.elements[bus]
      }
      if let element { apply(unit, element, values) }
    }
  }
}
