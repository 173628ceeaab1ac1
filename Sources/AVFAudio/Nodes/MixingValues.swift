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

  /// The values of the source.
  var values: MixingValues { state.withLock { $0.values } }

  /// Changes a value of the source, and of all inputs that it reaches.
  func set<Value>(_ value: WritableKeyPath<MixingValues, Value>, to new: Value) {
    let targets = state.withLock { state in
      state.values[keyPath: value] = new
      for index in state.targets.indices { state.targets[index].own?[keyPath: value] = new }
      return state.targets
    }
    apply(targets)
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
    let changed = state.withLock { state in
      guard let index = state.targets.firstIndex(where: { $0.target == target }) else {
        return [] as [(target: Target, own: MixingValues?)]
      }
      var own = state.targets[index].own ?? state.values
      own[keyPath: value] = new
      state.targets[index].own = own
      return [state.targets[index]]
    }
    apply(changed)
  }

  /// [under the engine's lock] Sets the inputs that the source reaches now.
  func setTargets(_ targets: [Target]) {
    let all = state.withLock { state in
      let old = state.targets
      state.targets = targets.map { target in
        (target, old.first { $0.target == target }?.own)
      }
      return state.targets
    }
    apply(all)
  }

  /// [under the engine's lock] Gives inputs their values before the source reaches them.
  func apply(to targets: [Target]) {
    for target in targets {
      target.mixer?.setMixing(values(at: target) ?? values, onInput: target.bus)
    }
  }

  private func apply(_ targets: [(target: Target, own: MixingValues?)]) {
    let values = values
    for (target, own) in targets {
      target.mixer?.setMixing(own ?? values, onInput: target.bus)
    }
  }
}
