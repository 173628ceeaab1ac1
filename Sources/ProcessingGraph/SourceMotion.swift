// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// How the sources of a graph change while a device plays it: which swaps follow each other, and
/// which inputs fade meanwhile.
///
/// The inputs that fade are those of units that the head pulls both before and after the edit. So
/// the units that are only in the old graph stay as they are until the fade has ended, and those
/// that are only in the new one begin with it.
///
/// Where the old and the new source of every input can sound together, they crossfade: what both
/// need is rendered once. They cannot if the two together would form a cycle, or if they would
/// pull something twice: a callback, a unit that does not keep its frames for a second reader, or
/// any unit for frames of different times, as behind a rate converter. Then the old sources fade
/// out, and after the swap the new ones fade in.
struct SourceMotion {
  /// One swap. Its fades end before the next step.
  struct Step {
    var edits: [UnitSources]
    var branches: [ObjectIdentifier: Branches] = [:]
  }

  /// How long a fade takes, and how long it may wait for the latency of new units, in seconds.
  static let duration = 0.005
  static let longestWarmUp = 0.25

  /// The first step, and those that follow while the graph plays; none if the sound changes at once.
  let first: Step
  let rest: [Step]

  private init(_ first: Step, _ rest: [Step]) {
    self.first = first
    self.rest = rest
  }

  /// A change at once.
  init(_ edits: [UnitSources], _ branches: [ObjectIdentifier: Branches]) {
    self.init(Step(edits: edits, branches: branches), [])
  }

  /// [under the lock] A change that fades. Fails only on a render thread, if another thread holds a
  /// unit's lock.
  init(
    from old: SourceSet, to new: SourceSet, of units: [UnitInstance], head: UnitInstance,
    _ wiring: Wiring, _ order: [Int]
  ) throws(AudioError) {
    let edits = try new.edits(from: old, of: units)
    let before = SourceReach(old.links, from: head)
    let after = SourceReach(new.links, from: head)
    // The inputs of a plug-in change by property, at once.
    let fading = edits.filter { edit in
      let unit = ObjectIdentifier(edit.unit)
      return before.units.contains(unit) && after.units.contains(unit) && !edit.inputs.isEmpty
        && !(edit.unit is ForeignUnit)
    }
    guard !fading.isEmpty else {
      self.init(edits, new.branches)
      return
    }
    let fadingUnits = Set(fading.map { ObjectIdentifier($0.unit) })
    let leavingUnits = before.units.subtracting(after.units)
    let leaving = edits.filter { leavingUnits.contains(ObjectIdentifier($0.unit)) }
    let starting = edits.filter {
      !fadingUnits.contains(ObjectIdentifier($0.unit))
        && !leavingUnits.contains(ObjectIdentifier($0.unit))
    }
    let silence = StartSilence(
      wiring, order, new.delays, old: old, isOld: { before.units.contains(ObjectIdentifier($0)) })
    let warmUp = min(silence.longest(fading), Self.longestWarmUp)
    let fadeIn = FadeTiming(warmUp: warmUp, duration: Self.duration)
    let fadeOut = FadeTiming(warmUp: 0, duration: Self.duration)
    // Meanwhile one thread renders all branches, because an old and a new source may share units.
    var threaded: [UnitInstance] = []
    for unit in units + leaving.map(\.unit)
    where try unit.graphUnit.knownBranches() != nil
      || new.branches[ObjectIdentifier(unit)] != nil
    {
      threaded.append(unit)
    }
    let swap = Step(edits: (starting + fading.map { $0.with(fadeIn) }).including(threaded))
    let end = Step(edits: (fading + leaving).including(threaded), branches: new.branches)
    let together = SourceReach(
      old.links(beside: new, before.units, after.units, fadingUnits), from: head)
    if together.canBePulled(like: before, after, from: head) {
      self.init(swap, [end])
    } else {
      self.init(
        Step(edits: fading.map { $0.disconnecting.with(fadeOut) }.including(threaded)),
        [swap, end])
    }
  }
}

extension UnitSources {
  /// The same changes, with a crossfade from the sources before.
  fileprivate func with(_ timing: FadeTiming) -> UnitSources {
    var edit = self
    for index in edit.inputs.indices { edit.inputs[index].fade = timing }
    return edit
  }

  /// The removal of the sources that it changes.
  fileprivate var disconnecting: UnitSources {
    var edit = self
    for index in edit.inputs.indices {
      edit.inputs[index].source = .nothing
      edit.inputs[index].delay = nil
    }
    return edit
  }
}

extension [UnitSources] {
  /// These and an edit of each other unit, which gets the branches of the step.
  fileprivate func including(_ units: [UnitInstance]) -> [UnitSources] {
    var edited = Set(map { ObjectIdentifier($0.unit) })
    return self
      + units.filter { edited.insert(ObjectIdentifier($0)).inserted }.map {
        UnitSources(unit: $0, inputs: [])
      }
  }
}

extension SourceSet {
  /// The source of each input.
  fileprivate var links: [SourceReach.Link] { sources.map { ($0, $1) } }

  /// These sources, as far as they still sound after an edit, and those of the edit. The units
  /// whose inputs fade have both.
  fileprivate func links(
    beside new: SourceSet, _ before: Set<ObjectIdentifier>, _ after: Set<ObjectIdentifier>,
    _ fading: Set<ObjectIdentifier>
  ) -> [SourceReach.Link] {
    let old = sources.filter { input, source in
      let unit = ObjectIdentifier(input.unit)
      guard after.contains(unit) else { return before.contains(unit) }
      return fading.contains(unit) && !source.isSame(as: new.sources[input])
    }
    return new.sources.filter { after.contains(ObjectIdentifier($0.key.unit)) }.map { ($0, $1) }
      + old.map { ($0, $1) }
  }
}

/// How long the new part of a graph is silent at first, because of the latencies of its units and
/// of delay lines that are empty.
private struct StartSilence {
  private var inputs: [Wiring.Input: Double] = [:]

  /// [under the lock] `isOld` is whether a unit sounds already.
  init(
    _ wiring: Wiring, _ order: [Int], _ delays: [Wiring.Input: DelayLine], old: SourceSet,
    isOld: (UnitInstance) -> Bool
  ) {
    var outputs = [Double](repeating: 0, count: wiring.members.count)
    for member in order {
      let unit = wiring.members[member].unit
      var latest = 0.0
      for link in wiring.links(to: member) {
        let input = Wiring.Input(unit: unit, bus: link.bus)
        var silence = wiring.isDependency(link) ? link.from.map { outputs[$0] } ?? 0 : 0
        if let delay = delays[input], delay !== old.delays[input] {
          silence += Double(delay.frames) / delay.format.sampleRate
        }
        inputs[input] = silence
        latest = max(latest, silence)
      }
      outputs[member] = isOld(unit) ? 0 : latest + unit.latencySeconds
    }
  }

  /// The longest silence of the inputs that fade.
  func longest(_ fading: [UnitSources]) -> Double {
    fading.reduce(0) { longest, edit in
      edit.inputs.reduce(longest) {
        max($0, inputs[Wiring.Input(unit: edit.unit, bus: UInt32($1.bus))] ?? 0)
      }
    }
  }
}
