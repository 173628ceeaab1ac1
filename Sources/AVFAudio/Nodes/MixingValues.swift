// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// How a source sounds in a mixer: the values of `AVAudioMixing`.
struct MixingValues: Equatable {
  var volume: Float = 1
  var pan: Float = 0
  var spatial = SpatialValues()
}

/// The mixing values of one source node, and the mixer inputs that have them.
final class MixingSource: @unchecked Sendable {  // `state` is guarded
  /// An input of a mixer that the source reaches.
  struct Target: Equatable {
    weak var mixer: (any GraphNode)?
    let bus: Int

    static func == (left: Self, right: Self) -> Bool {
      left.mixer === right.mixer && left.bus == right.bus
    }
  }

  private struct State {
    var values = MixingValues()
    /// With values of their own, if they were set on the destination.
    var targets: [(target: Target, own: MixingValues?)] = []
  }

  private let state = Guarded(State())
  /// Held until a change is in effect, so that the last of several is what mixers have. As that of
  /// `EngineCore`, it is not one of the library's.
  private let order = NSRecursiveLock()

  /// The values of the source.
  var values: MixingValues { state.withLock { $0.values } }

  /// Changes a value of the source, and of all inputs that it reaches.
  func set<Value>(_ value: WritableKeyPath<MixingValues, Value>, to new: Value) {
    change { state in
      state.values[keyPath: value] = new
      for index in state.targets.indices { state.targets[index].own?[keyPath: value] = new }
      return state.targets
    }
  }

  /// The same for a number; one that is not finite changes nothing.
  func set(_ value: WritableKeyPath<MixingValues, Float>, toNumber new: Float) {
    if new.isFinite { set(value, to: new) }
  }

  /// The values at one of the inputs; nil if the source does not reach it.
  func values(at target: Target) -> MixingValues? {
    state.withLock { state in
      state.targets.first { $0.target == target }.map { $0.own ?? state.values }
    }
  }

  /// Changes a value at one of the inputs only.
  func set<Value>(
    _ value: WritableKeyPath<MixingValues, Value>, to new: Value, at target: Target
  ) {
    change { state in
      guard let index = state.targets.firstIndex(where: { $0.target == target }) else { return [] }
      var own = state.targets[index].own ?? state.values
      own[keyPath: value] = new
      state.targets[index].own = own
      return [state.targets[index]]
    }
  }

  /// [under the engine's lock] Sets the inputs that the source reaches now.
  func setTargets(_ targets: [Target]) {
    change { state in
      let old = state.targets
      state.targets = targets.map { target in
        (target, old.first { $0.target == target }?.own)
      }
      return state.targets
    }
  }

  /// [under the engine's lock] Gives inputs their values before the source reaches them.
  func apply(to targets: [Target]) {
    order.withLock {
      for target in targets {
        target.mixer?.setMixing(values(at: target) ?? values, onInput: target.bus)
      }
    }
  }

  /// Changes values or targets, and gives the inputs that `body` returns their values.
  private func change(_ body: (inout State) -> [(target: Target, own: MixingValues?)]) {
    order.withLock {
      let (changed, values) = state.withLock { state in (body(&state), state.values) }
      for (target, own) in changed {
        target.mixer?.setMixing(own ?? values, onInput: target.bus)
      }
    }
  }
}
