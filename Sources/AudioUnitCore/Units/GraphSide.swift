// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// What a graph needs from a unit to change its sources while it renders.
///
/// Our own units implement all of it (`NativeUnit+Graphs.swift`). The defaults are for foreign
/// units: the graph sets their properties, and changes take effect immediately.
package protocol GraphSide {
  var unit: UnitInstance { get }

  /// Whether it is initialised; nil if only its host knows.
  var isReady: Bool? { get }
  /// Whether it pulls its inputs independently of each other, and how many it has then.
  var pullsIndependently: Bool { get }
  var inputCount: Int { get }
  /// Whether an output bus may feed its own input.
  func feedsItself(from bus: UInt32) -> Bool
  /// [control thread] Gives an input the format of its source, which explanations call `source`.
  func adoptFormat(_ format: StreamFormat, of source: String, bus: Int) throws(AudioError)

  /// [any thread] The share of real time that renders take, as an average and as the maximum since
  /// the last query.
  var averageLoad: Double { get }
  func maximumLoadSinceLastCall() -> Double

  /// [any thread] Takes the lock that guards its sources, which the caller releases; nil: there is none.
  func acquireLock() throws(AudioError) -> Lock?
  /// [any thread] Which inputs may be pulled at the same time, as the graph said last.
  func knownBranches() throws(AudioError) -> Branches?
  /// [any thread, under the lock] Prepares new sources that take effect by a swap; nil where
  /// `setSources` sets them. Must be followed by `retireOldSources`.
  func prepareSources(_ new: [InputChange], _ branches: Branches?) -> SourceSwap.Change?
  /// [control thread] Sets new sources immediately, if they were not prepared.
  func setSources(_ new: [InputChange])
  /// [control thread] Frees the old sources, which no render uses any more.
  func retireOldSources()

  /// [control thread] Applies a swap before the next slice of this unit; immediately if none is
  /// being rendered.
  func swapSources(_ change: SourceSwap)
  func applyPendingSwap()
  var hasPendingSwap: Bool { get }
  /// [any thread] How many slices have ended; tells whether the slice that was being rendered has
  /// ended.
  var sliceRound: UInt64 { get }
  func isPast(_ round: UInt64) -> Bool
}

/// A unit that knows nothing of graphs.
struct ForeignGraphSide: GraphSide {
  let unit: UnitInstance

  var isReady: Bool? { nil }
  var pullsIndependently: Bool { false }
  var inputCount: Int { 0 }
  func feedsItself(from bus: UInt32) -> Bool { false }
  var averageLoad: Double { 0 }
  func maximumLoadSinceLastCall() -> Double { 0 }

  func acquireLock() throws(AudioError) -> Lock? { nil }
  func knownBranches() throws(AudioError) -> Branches? { nil }
  func prepareSources(_ new: [InputChange], _ branches: Branches?) -> SourceSwap.Change? { nil }
  func retireOldSources() {}

  func swapSources(_ change: SourceSwap) { change.applyNow() }
  func applyPendingSwap() {}
  var hasPendingSwap: Bool { false }
  var sliceRound: UInt64 { 0 }
  func isPast(_ round: UInt64) -> Bool { true }

  func adoptFormat(_ format: StreamFormat, of source: String, bus: Int) throws(AudioError) {
    let input = (scope: kAudioUnitScope_Input, bus: UInt32(bus))
    guard try unit.streamFormat(input.scope, input.bus) != format else { return }
    try unit.setStreamFormat(format, input.scope, input.bus)
  }

  /// One input after the other.
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
