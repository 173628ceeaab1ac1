// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// A unit as its graph uses it: the functions that the graph needs to change its sources while it
/// renders.
///
/// Our own units implement all of them (`NativeUnit+GraphUnit.swift`). For foreign units
/// (`ForeignGraphUnit`) the graph sets properties, and changes take effect immediately.
package protocol GraphUnit {
  var unit: UnitInstance { get }

  /// Whether it is initialised; nil if that is unknown.
  var isReady: Bool? { get }
  /// Whether it pulls its inputs independently of each other, and how many inputs it has.
  var pullsIndependently: Bool { get }
  var inputCount: Int { get }
  /// Whether a device paces its renders, so that they are not offline.
  var isPaced: Bool { get }
  /// Whether several readers of the same frames get the same samples, and whether it pulls its
  /// inputs for the frames and the time of its own render.
  var rendersFramesOnce: Bool { get }
  var keepsTime: Bool { get }
  /// [under the lock] The crossfades of its inputs.
  var sourceFades: [any RunningFade] { get }
  /// Whether an output bus may feed its own input.
  func feedsItself(from bus: UInt32) -> Bool
  /// [control thread] Gives an input the format of its source; `source` is the source's name in
  /// explanations.
  func adoptFormat(_ format: StreamFormat, of source: String, bus: Int) throws(AudioError)

  /// [any thread] The processor load of its renders: average, and maximum since the last query.
  var averageLoad: Double { get }
  func maximumLoadSinceLastCall() -> Double

  /// [any thread] Acquires the lock that guards its sources; the caller must release it. Nil if
  /// there is none.
  func acquireLock() throws(AudioError) -> Lock?
  /// [any thread] The inputs that may be pulled at the same time, as the graph last set them.
  func knownBranches() throws(AudioError) -> Branches?
  /// [any thread, under the lock] Prepares new sources, which take effect by a swap; nil if
  /// `setSources` sets them instead. Must be followed by `retireOldSources`.
  func prepareSources(_ new: [InputChange], _ branches: Branches?) -> SourceSwap.Change?
  /// [control thread] Sets new sources immediately, if `prepareSources` has not prepared them.
  func setSources(_ new: [InputChange])
  /// [control thread] Frees the old sources, which no render uses any more.
  func retireOldSources()

  /// [control thread] Applies a swap before the next render of this unit, or immediately if nothing
  /// is being rendered.
  func swapSources(_ swap: SourceSwap)
  func applySwapIfIdle()
  var hasPendingSwap: Bool { get }
  /// [any thread] How many renders have ended, and whether the render that ran at
  /// `round` has ended.
  var renderRound: UInt64 { get }
  func isPast(_ round: UInt64) -> Bool
}

/// A foreign unit as its graph uses it.
struct ForeignGraphUnit: GraphUnit {
  let unit: UnitInstance

  var isReady: Bool? { nil }
  var pullsIndependently: Bool { false }
  var inputCount: Int { 0 }
  var isPaced: Bool { false }
  var rendersFramesOnce: Bool { false }
  var keepsTime: Bool { false }
  var sourceFades: [any RunningFade] { [] }
  func feedsItself(from bus: UInt32) -> Bool { false }
  var averageLoad: Double { 0 }
  func maximumLoadSinceLastCall() -> Double { 0 }

  func acquireLock() throws(AudioError) -> Lock? { nil }
  func knownBranches() throws(AudioError) -> Branches? { nil }
  func prepareSources(_ new: [InputChange], _ branches: Branches?) -> SourceSwap.Change? { nil }
  func retireOldSources() {}

  func swapSources(_ swap: SourceSwap) { swap.applyNow() }
  func applySwapIfIdle() {}
  var hasPendingSwap: Bool { false }
  var renderRound: UInt64 { 0 }
  func isPast(_ round: UInt64) -> Bool { true }

  func adoptFormat(_ format: StreamFormat, of source: String, bus: Int) throws(AudioError) {
    let input = (scope: kAudioUnitScope_Input, bus: UInt32(bus))
    guard try unit.streamFormat(input.scope, input.bus) != format else { return }
    try unit.setStreamFormat(format, input.scope, input.bus)
  }

  /// Sets the sources through properties, one input after the other.
  func setSources(_ new: [InputChange]) {
    for input in new {
      let bus = UInt32(input.bus)
      var connection = AudioUnitConnection(
        sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: bus)
      switch input.source {
      case .callback(let callback):
        try? unit.set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input, bus)
        continue
      case .connection(let source, let output):
        connection.sourceAudioUnit = source.handle
        connection.sourceOutputNumber = output
      case .nothing:
        try? unit.set(
          kAudioUnitProperty_SetRenderCallback, AURenderCallbackStruct(), kAudioUnitScope_Input,
          bus)
      }
      try? unit.set(kAudioUnitProperty_MakeConnection, connection, kAudioUnitScope_Input, bus)
    }
  }
}
