// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// Divides a render into slices at parameter changes, so that kernels need not handle events.
///
/// The render thread uses it. Changes are sorted by frame. A ramp remains until it ends or a host
/// sets the parameter to another value. The owner provides the memory.
///
/// Unless kernels follow ramps within slices of any length, ramps are divided into pieces. A piece
/// begins at a change, and where the one before it ends; it ends after 16 frames, or where a ramp
/// ends. So pieces do not depend on the slices in which a host renders: a slice may be a part of one.
package struct Automation: ~Copyable {
  /// The length of a piece in frames.
  private static var pieceLength: Int { @_noLocks get { 16 } }

  private struct Ramp: BitwiseCopyable {
    var change: ParameterChange
    /// Frames since the start of the ramp.
    var position: Int
    /// The last value written to the store; if the store has another, a host has set the parameter.
    var written: Float
    var movesWithinSlice: Bool
    var movesWithinAnySlice: Bool

    /// The value at `position`.
    var value: Float { @_noLocks get { change.value(at: position) } }
  }

  // First, because builds with the thread sanitizer need a pointer there.
  private let changes: UnsafeMutablePointer<ParameterChange>
  private var changeCount = 0
  private let capacity: Int
  private let ramps: UnsafeMutablePointer<Ramp>
  private var rampCount = 0
  private let queue: UnsafeMutablePointer<MessageQueue<ParameterChange>>
  /// Frames until the end of the piece that contains the coming slice; 0: a piece begins with it.
  private(set) var pieceRemaining = 0
  /// Whether a piece begins with the coming slice.
  private(set) var beginsPiece = true

  /// [control thread] An idle automation, with its lists in `memory`.
  package init(
    _ queue: UnsafeMutablePointer<MessageQueue<ParameterChange>>, in memory: OwnedMemory
  ) {
    self.queue = queue
    capacity = queue.pointee.capacity
    changes = memory.room(capacity, for: ParameterChange.self)
    ramps = memory.room(capacity, for: Ramp.self)
  }

  /// [render thread] Whether the next frames can be rendered in one slice with constant values.
  package var isIdle: Bool { @_noLocks get { changeCount == 0 && rampCount == 0 } }

  /// [render thread] Moves the queued changes to the list, sorted by frame; changes at the same
  /// frame remain in order of arrival.
  @_noLocks
  package mutating func collect() {
    while changeCount < capacity, let change = queue.pointee.pop() {
      var index = changeCount
      while index > 0, changes[index - 1].offset > change.offset {
        changes[index] = changes[index - 1]
        index -= 1
      }
      changes[index] = change
      changeCount += 1
    }
  }

  /// [render thread] Whether a change or ramp of a parameter is pending.
  @_noLocks
  func changes(_ store: ParameterStore, _ slot: Int) -> Bool {
    for index in 0..<changeCount
    where changes[index].slot == Int32(slot) && changes[index].store.address == store.address {
      return true
    }
    for index in 0..<rampCount
    where ramps[index].change.slot == Int32(slot)
      && ramps[index].change.store.address == store.address
    {
      return true
    }
    return false
  }

  /// [render thread] The value that the kernel will read for a parameter at a frame of the coming
  /// render.
  @_noLocks
  func value(_ store: ParameterStore, _ slot: Int, at frame: Int) -> Float {
    var value = store.sliceValue(slot)
    for index in 0..<rampCount
    where ramps[index].change.slot == Int32(slot)
      && ramps[index].change.store.address == store.address
      && ramps[index].written.bitPattern == value.bitPattern
    {
      value = ramps[index].change.value(at: ramps[index].position + frame)
    }
    for index in 0..<changeCount
    where changes[index].slot == Int32(slot) && changes[index].store.address == store.address
      && Int(changes[index].offset) <= frame
    {
      value = changes[index].value(at: frame - Int(changes[index].offset))
    }
    return store.limited(value, slot)
  }

  /// [render thread] The number of frames from `frame` on, up to `end`, before a parameter begins
  /// to move differently.
  @_noLocks
  func run(_ store: ParameterStore, _ slot: Int, from frame: Int, end: Int) -> Int {
    var next = end
    for index in 0..<rampCount
    where ramps[index].change.slot == Int32(slot)
      && ramps[index].change.store.address == store.address
    {
      let last = Int(ramps[index].change.duration) - ramps[index].position
      if last > frame { next = min(next, last) }
    }
    for index in 0..<changeCount
    where changes[index].slot == Int32(slot) && changes[index].store.address == store.address {
      let first = Int(changes[index].offset)
      let last = first + Int(changes[index].duration)
      if first > frame { next = min(next, first) }
      if last > frame { next = min(next, last) }
    }
    return next - frame
  }

  /// [render thread] The number of frames from `frame` on, up to `end`, that belong to one piece of
  /// a parameter's motion, and the mean value of the whole piece.
  @_noLocks
  func piece(_ store: ParameterStore, _ slot: Int, from frame: Int, end: Int) -> (
    frames: Int, mean: Float
  ) {
    let run = run(store, slot, from: frame, end: end)
    let value = store.sliceValue(slot)
    var current = ParameterChange(
      store: store, slot: Int32(slot), offset: 0, duration: 0, from: value, to: value)
    var position = 0
    for index in 0..<rampCount
    where ramps[index].change.slot == Int32(slot)
      && ramps[index].change.store.address == store.address
      && ramps[index].written.bitPattern == value.bitPattern
    {
      (current, position) = (ramps[index].change, ramps[index].position + frame)
    }
    for index in 0..<changeCount
    where changes[index].slot == Int32(slot) && changes[index].store.address == store.address
      && Int(changes[index].offset) <= frame
    {
      (current, position) = (changes[index], frame - Int(changes[index].offset))
    }
    guard position < Int(current.duration) else { return (run, store.limited(current.to, slot)) }
    let first = position / Self.pieceLength * Self.pieceLength
    let last = min(first + Self.pieceLength, Int(current.duration))
    let mean = (current.value(at: first) + current.value(at: last - 1)) * 0.5
    return (min(run, last - position), store.limited(mean, slot))
  }

  /// [render thread] Applies the changes that are due at `frame`. Returns how many frames, up to
  /// `end`, can be rendered before the next change.
  @_noLocks
  package mutating func advance(to frame: Int, end: Int) -> Int {
    var applied = 0
    while applied < changeCount, Int(changes[applied].offset) <= frame {
      begin(changes[applied], at: frame)
      applied += 1
    }
    if applied > 0 {
      changeCount -= applied
      for index in 0..<changeCount { changes[index] = changes[index + applied] }
      pieceRemaining = 0
    }
    var length = end - frame
    if changeCount > 0 { length = min(length, Int(changes[0].offset) - frame) }
    return min(length, setUpRamps())
  }

  /// Sets up the ramps for the coming slice, and begins a piece if the last one has ended. Returns
  /// how many frames the slice may have.
  @_noLocks
  private mutating func setUpRamps() -> Int {
    var longest = Int.max
    var needsPieces = false
    var index = 0
    while index < rampCount {
      guard setUp(ramps[index]) else {
        removeRamp(index)
        continue
      }
      longest = min(longest, Int(ramps[index].change.duration) - ramps[index].position)
      if !ramps[index].movesWithinAnySlice { needsPieces = true }
      index += 1
    }
    beginsPiece = pieceRemaining == 0 || !needsPieces
    guard needsPieces else {
      pieceRemaining = 0
      return longest
    }
    if beginsPiece { pieceRemaining = min(longest, Self.pieceLength) }
    return min(longest, pieceRemaining)
  }

  /// [render thread] Advances the ramps after a slice of `frames` frames.
  @_noLocks
  package mutating func finish(_ frames: Int) {
    pieceRemaining -= min(frames, pieceRemaining)
    if pieceRemaining == 0 { beginsPiece = true }
    var index = 0
    while index < rampCount {
      ramps[index].position += frames
      let ramp = ramps[index]
      ramp.change.store.setStep(Int(ramp.change.slot), 0)
      // A parameter that is not followed within slices has one value in a piece.
      guard ramp.movesWithinSlice || pieceRemaining == 0 else {
        index += 1
        continue
      }
      let isOver = ramp.position >= Int(ramp.change.duration)
      let value = isOver ? ramp.change.to : ramp.value
      ramp.change.store.set(Int(ramp.change.slot), to: value)
      ramps[index].written = value
      if isOver { removeRamp(index) } else { index += 1 }
    }
  }

  /// [render thread] Ends a render of `frames` frames: pending changes come that much nearer.
  @_noLocks
  package mutating func finishRender(_ frames: Int) {
    for index in 0..<changeCount { changes[index].offset -= Int32(frames) }
  }

  /// [render thread or while nothing renders] Removes all changes and ramps.
  @_noLocks
  package mutating func reset() {
    while queue.pointee.pop() != nil {}
    changeCount = 0
    for index in 0..<rampCount {
      ramps[index].change.store.setStep(Int(ramps[index].change.slot), 0)
    }
    rampCount = 0
    pieceRemaining = 0
    beginsPiece = true
  }

  /// [render thread or while nothing renders] Copies the pending changes and running ramps of
  /// another automation. `ratio` is the number of frames here per frame there.
  @_noLocks
  package mutating func resume(from other: borrowing Automation, ratio: Double) {
    changeCount = other.changeCount
    for index in 0..<changeCount {
      changes[index] = other.changes[index].stretched(by: ratio)
    }
    rampCount = other.rampCount
    for index in 0..<rampCount {
      ramps[index] = other.ramps[index]
      ramps[index].change = ramps[index].change.stretched(by: ratio)
      ramps[index].position = Int(Double(ramps[index].position) * ratio)
    }
  }

  @_noLocks
  private mutating func begin(_ change: ParameterChange, at frame: Int) {
    let slot = Int(change.slot)
    // A newer change of the same parameter ends an older ramp.
    for index in 0..<rampCount
    where ramps[index].change.slot == change.slot
      && ramps[index].change.store.address == change.store.address
    {
      removeRamp(index)
      break
    }
    change.store.setStep(slot, 0)
    let position = frame - Int(change.offset)
    guard position < Int(change.duration), rampCount < capacity else {
      return change.store.set(slot, to: change.to)
    }
    var ramp = Ramp(
      change: change, position: position, written: 0,
      movesWithinSlice: change.store.canRamp(slot),
      movesWithinAnySlice: change.store.rampsWholeSlices(slot))
    ramp.written = ramp.value
    change.store.set(slot, to: ramp.written)
    ramps[rampCount] = ramp
    rampCount += 1
  }

  /// Sets the ramp's step for the kernel; false if a host has set the parameter meanwhile.
  @_noLocks
  private func setUp(_ ramp: Ramp) -> Bool {
    let slot = Int(ramp.change.slot)
    guard ramp.change.store.value(slot).bitPattern == ramp.written.bitPattern else {
      ramp.change.store.setStep(slot, 0)
      return false
    }
    ramp.change.store.setStep(
      slot,
      ramp.movesWithinSlice
        ? (ramp.change.to - ramp.change.from) / Float(ramp.change.duration) : 0)
    return true
  }

  @_noLocks
  private mutating func removeRamp(_ index: Int) {
    rampCount -= 1
    ramps[index] = ramps[rampCount]
  }
}
