// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// The functions of our own units for graphs: new sources that take effect together with those of
// other units, and a count of ended renders.
extension NativeUnit: GraphUnit {
  package final var unit: UnitInstance { self }
  package final var isReady: Bool? { isInitialized }
  package final var inputCount: Int { inputs.count }
  package final var isPaced: Bool { !rendersOffline }
  package final var sourceFades: [any RunningFade] { inputs.compactMap(\.sourceFade) }

  /// [control thread, one at a time] Makes this unit apply `swap` before its next render, or
  /// immediately if it is not rendering. It replaces the pending swap: while `hasPendingSwap` is
  /// true, `swap` must begin with the changes of the pending one.
  package final func swapSources(_ swap: SourceSwap) {
    side.pointee.pendingSwap.store(swap.bits, ordering: .sequentiallyConsistent)
    side.pointee.pending.raise(.swap)
    applySwapIfIdle()
  }

  /// [control thread, one at a time] Applies the pending swap, unless the unit is rendering. A
  /// render that begins meanwhile first completes the swap.
  package final func applySwapIfIdle() {
    let bits = side.pointee.pendingSwap.load(ordering: .sequentiallyConsistent)
    guard let swap = SourceSwap(bits), side.pointee.gate.isIdle else { return }
    swap.apply()
    _ = side.pointee.pendingSwap.compareExchange(
      expected: bits, desired: 0, ordering: .sequentiallyConsistent)
  }

  /// [any thread] Whether a swap waits for the end of the current render.
  package final var hasPendingSwap: Bool {
    side.pointee.pendingSwap.load(ordering: .sequentiallyConsistent) != 0
  }

  /// [any thread] How many renders have ended, and whether the one that ran when `renderRound` was
  /// `round` has ended.
  package final var renderRound: UInt64 { side.pointee.gate.round }
  package final func isPast(_ round: UInt64) -> Bool { side.pointee.gate.isPast(round) }

  /// [any thread] The processor load of its renders: average, and maximum since the last query.
  package final var averageLoad: Double { side.pointee.load.load }
  package final func maximumLoadSinceLastCall() -> Double {
    side.pointee.load.maximumSinceLastCall()
  }

  /// [any thread] Acquires the lock of the unit; the caller must release it. A render thread gets
  /// an error if it would have to wait.
  package final func acquireLock() throws(AudioError) -> Lock? {
    try lock.acquire()
    return lock
  }

  /// [any thread, under the lock] Stores new sources of some inputs, and which inputs may be pulled
  /// at the same time, and prepares the table for render threads. The caller has checked the
  /// formats, and must call `retireOldSources` once for each change that this returns, when it is in
  /// effect.
  package final func prepareSources(_ new: [InputChange], _ branches: Branches?)
    -> SourceSwap.Change?
  {
    for input in new where input.bus < inputs.count {
      var newSource = InputSource()
      var unit: UnitInstance?
      switch input.source {
      case .nothing: break
      case .callback(let callback): newSource = .callback(callback)
      case .connection(let source, let bus):
        newSource = .connection(source, bus: bus)
        unit = source
      }
      inputs[input.bus].setSource(
        newSource, unit, delay: input.delay, fade: input.fade,
        maximumFrames: longestPull(of: inputs[input.bus]), of: self)
    }
    return sources.prepare(inputs, branches)
  }

  /// The most frames that a crossfade of an input can be pulled for: a render, at the input's rate.
  private func longestPull(of input: Element) -> Int {
    let rate = outputs.first?.format.sampleRate ?? input.format.sampleRate
    let ratio = max(input.format.sampleRate / rate, 1)
    return maximumFrames * Int(min(ratio, 256).rounded(.up)) + 256
  }

  /// [any thread] The inputs that may be pulled at the same time, as the graph last set them.
  package final func knownBranches() throws(AudioError) -> Branches? {
    try control { () in sources.branches }
  }

  /// [control thread] Frees the sources that a swap has replaced, when no swap refers to them.
  package final func retireOldSources() {
    lock.withLock { sources.retire(isQuiet: { isQuiet }) }
  }

  /// [control thread] Does nothing, because `prepareSources` does the work.
  package final func setSources(_ new: [InputChange]) {}

  /// [control thread] Gives an input the format of its future source.
  package final func adoptFormat(_ format: StreamFormat, of source: String, bus: Int)
    throws(AudioError)
  {
    try propertyCalls.change(self) { () throws(AudioError) in
      let element = try element(kAudioUnitScope_Input, UInt32(bus))
      try FormatChange(self, element, to: format).adopt(from: source)
    }
  }
}
