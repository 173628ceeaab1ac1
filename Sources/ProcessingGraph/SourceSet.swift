// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore

/// What the inputs of a graph's units are fed from.
struct SourceSet {
  var sources: [Wiring.Input: Wiring.Source] = [:]
  /// The delay lines of inputs, where branches are aligned.
  var delays: [Wiring.Input: DelayLine] = [:]
  /// The inputs that may be pulled at the same time, and the threads that do so.
  var branches: [ObjectIdentifier: Branches] = [:]
  var team: RenderTeam?

  /// [under the lock] What has to change for the units to get these sources instead of `current`.
  /// Fails only on a render thread, if another thread holds a unit's lock.
  func edits(from current: SourceSet, of units: [UnitInstance]) throws(AudioError) -> [UnitSources]
  {
    var edits: [UnitSources] = []
    var indices: [ObjectIdentifier: Int] = [:]
    func editIndex(_ unit: UnitInstance) -> Int {
      if let index = indices[.init(unit)] { return index }
      indices[.init(unit)] = edits.count
      edits.append(UnitSources(unit: unit, inputs: []))
      return edits.count - 1
    }
    func add(_ input: Wiring.Input, _ source: Wiring.Source?) {
      edits[editIndex(input.unit)].inputs.append(
        UnitSources.change(input, source, delay: delays[input]))
    }
    for (input, source) in sources
    where !source.isSame(as: current.sources[input]) || current.delays[input] !== delays[input] {
      add(input, source)
    }
    for (input, _) in current.sources where sources[input] == nil { add(input, nil) }
    for unit in units where try unit.graphUnit.knownBranches() !== branches[.init(unit)] {
      _ = editIndex(unit)
    }
    return edits
  }
}

/// New sources for some inputs of a unit.
struct UnitSources {
  var unit: UnitInstance
  var inputs: [InputChange]

  /// The change of one input.
  static func change(
    _ input: Wiring.Input, _ source: Wiring.Source?, delay: DelayLine? = nil
  ) -> InputChange {
    let new: NewSource =
      switch source {
      case .connection(let unit, let bus)?: .connection(unit, bus: bus)
      case .callback(let callback)?: .callback(callback)
      case nil: .nothing
      }
    return InputChange(bus: Int(input.bus), source: new, delay: delay)
  }
}
