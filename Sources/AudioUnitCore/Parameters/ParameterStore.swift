// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import SignalProcessing
import Synchronization

/// The parameter values of one element: written by any thread, read by the render thread once per
/// slice.
///
/// Every value of a unit (parameter, setting or meter) has a slot in every element, so that a slot
/// has the same number everywhere. Hosts can access the parameters of the element's own scope. The
/// store is a pointer to memory that the element owns, so that render code counts no references.
///
/// A host reads back the value that it has set. A kernel reads a value within the range of the
/// parameter's spec: the render thread limits it once, when it reads it (`updateSliceValues`).
package struct ParameterStore: BitwiseCopyable, @unchecked Sendable {
  private struct Slot: ~Copyable {
    let id: AudioUnitParameterID
    /// Whether it belongs to the scope of this element and currently exists.
    let isOwn: Atomic<Bool>
    let canRamp: Bool
    let rampsWholeSlices: Bool
    let isReadOnly: Bool
    /// The slot that becomes 0 when this one is set; below zero: none.
    let cleared: Int32
    /// The slot of the counterpart, and its conversion; below zero: none.
    let counterpart: Int32
    let counterpartForm: ParameterSpec.CounterpartForm
    let current: Atomic<UInt32>
    /// The limits of the value for the kernel.
    let lowest: Atomic<UInt32>
    let highest: Atomic<UInt32>

    init(
      _ id: AudioUnitParameterID, _ spec: borrowing ParameterSpec, _ scope: AudioUnitScope,
      settings: Int
    ) {
      self.id = id
      isOwn = Atomic(spec.scopes.contains(scope))
      canRamp = spec.options.contains(.flag_CanRamp)
      rampsWholeSlices = spec.rampsWholeSlices
      isReadOnly = spec.isReadOnly
      cleared = Int32(spec.clearedSetting.map { settings + $0 } ?? -1)
      counterpart = Int32(spec.counterpart?.slot ?? -1)
      counterpartForm = spec.counterpart?.form ?? .rate
      current = Atomic(spec.defaultValue.bitPattern)
      // If the range depends on the sample rate, `setRange` sets it later.
      let range = spec.accepted(at: .infinity)
      lowest = Atomic(range.lowerBound.bitPattern)
      highest = Atomic(range.upperBound.bitPattern)
    }

    /// The nearest value that the kernel accepts; the lowest for NaN.
    @_noLocks @inline(__always)
    func limited(_ value: Float) -> Float {
      let lowest = Float(bitPattern: lowest.load(ordering: .relaxed))
      let highest = Float(bitPattern: highest.load(ordering: .relaxed))
      return value >= lowest ? (value <= highest ? value : highest) : lowest
    }
  }

  private struct Memory: ~Copyable {
    let count: Int
    /// The number of slots that the kernel reads; meters come after them.
    let sliceCount: Int
    /// The index of the first setting and of the first meter.
    let settings: Int
    let meters: Int
    let clipping: Int
    let slots: UnsafeMutablePointer<Slot>
    /// The kernel's values: at the slice's first frame, and the change per frame.
    let values: UnsafeMutablePointer<Float>
    let steps: UnsafeMutablePointer<Float>
    /// The number of changes, and that number when the kernel's values were last read.
    let generation = Atomic<UInt32>(1)
    var sliceGeneration: UInt32 = 0
    /// The pending work of the unit.
    let pending: PendingWork
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// [control thread] A store for an element of `scope`, with default values. Setting a value
  /// raises `pending`.
  static func allocate(
    _ definitions: [ParameterDefinition], scope: AudioUnitScope, _ pending: PendingWork
  ) -> Self {
    // Reading through a pointer avoids copies of names and lists of names.
    definitions.withUnsafeBufferPointer { allocate($0, scope, pending) }
  }

  private static func allocate(
    _ definitions: UnsafeBufferPointer<ParameterDefinition>, _ scope: AudioUnitScope,
    _ pending: PendingWork
  ) -> Self {
    let count = definitions.count
    // The data for rendering is contiguous; the data for hosts is elsewhere.
    let header = (MemoryLayout<Memory>.size + 15) / 16 * 16
    let piece = UnsafeMutableRawPointer.allocate(byteCount: header + 8 * count, alignment: 64)
    let values = (piece + header).bindMemory(to: Float.self, capacity: count)
    let steps = (piece + header + 4 * count).bindMemory(to: Float.self, capacity: count)
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: max(count, 1))
    func first(_ role: ParameterDefinition.Role) -> Int {
      definitions.indices.first { definitions[$0].role == role } ?? count
    }
    let settings = first(.setting)
    for index in definitions.indices {
      (slots + index).initialize(
        to: Slot(definitions[index].id, definitions[index].spec, scope, settings: settings))
      (values + index).initialize(to: definitions[index].spec.defaultValue)
      (steps + index).initialize(to: 0)
    }
    let memory = piece.bindMemory(to: Memory.self, capacity: 1)
    let sliceCount = (definitions.indices.last { !definitions[$0].spec.isReadOnly } ?? -1) + 1
    memory.initialize(
      to: Memory(
        count: count, sliceCount: sliceCount, settings: settings, meters: first(.meter),
        clipping: first(.clipping), slots: slots, values: values, steps: steps,
        pending: pending))
    return Self(address: memory)
  }

  /// [control thread] Frees the memory; nothing may use the store any more.
  func deallocate() {
    memory.pointee.slots.deinitialize(count: memory.pointee.count).deallocate()
    memory.deinitialize(count: 1)
    address.deallocate()
  }

  /// The address of the memory.
  var address: UnsafeMutableRawPointer { @_noLocks get { UnsafeMutableRawPointer(memory) } }

  @_noLocks
  init(address: UnsafeMutableRawPointer) { memory = address.assumingMemoryBound(to: Memory.self) }

  /// [any thread] The slot of a parameter of this element's scope; below zero if there is none.
  @_noLocks
  func slot(of id: AudioUnitParameterID) -> Int {
    let slots = memory.pointee.slots
    let count = memory.pointee.count
    // Most units number their parameters from zero.
    if id < UInt32(count), slots[Int(id)].id == id { return isOwn(Int(id)) ? Int(id) : -1 }
    for slot in 0..<count where slots[slot].id == id { return isOwn(slot) ? slot : -1 }
    return -1
  }

  @_noLocks
  private func isOwn(_ slot: Int) -> Bool {
    memory.pointee.slots[slot].isOwn.load(ordering: .relaxed)
  }

  /// [control thread] Removes a parameter and resets it to its default, or adds it again.
  func setPresent(_ slot: Int, _ isPresent: Bool, default value: Float) {
    guard isOwn(slot) != isPresent else { return }
    memory.pointee.slots[slot].isOwn.store(isPresent, ordering: .relaxed)
    if !isPresent { set(slot, to: value) }
  }

  /// [control thread] Sets the limits of a value for the kernel.
  func setRange(_ slot: Int, _ range: ClosedRange<Float>) {
    let (lowest, highest) = (range.lowerBound.bitPattern, range.upperBound.bitPattern)
    let slots = memory.pointee.slots
    guard
      slots[slot].lowest.exchange(lowest, ordering: .relaxed) != lowest
        || slots[slot].highest.load(ordering: .relaxed) != highest
    else { return }
    slots[slot].highest.store(highest, ordering: .relaxed)
    memory.pointee.generation.wrappingAdd(1, ordering: .releasing)
    memory.pointee.pending.raise(.values)
  }

  /// [any thread] A value as a host has set it.
  @_noLocks
  package func value(_ slot: Int) -> Float {
    Float(bitPattern: memory.pointee.slots[slot].current.load(ordering: .relaxed))
  }

  /// [any thread] A value limited to the range that the kernel accepts.
  @_noLocks
  func limited(_ value: Float, _ slot: Int) -> Float { memory.pointee.slots[slot].limited(value) }

  /// [any thread] A parameter's value as the kernel reads it.
  @_noLocks
  package func limitedValue(_ slot: Int) -> Float { limited(value(slot), slot) }

  /// [any thread] Sets a value, its counterpart, and the setting that it clears.
  @_noLocks
  package func set(_ slot: Int, to value: Float) {
    memory.pointee.slots[slot].current.store(value.bitPattern, ordering: .relaxed)
    let cleared = Int(memory.pointee.slots[slot].cleared)
    if cleared >= 0 { memory.pointee.slots[cleared].current.store(0, ordering: .relaxed) }
    if memory.pointee.slots[slot].counterpart >= 0 { setCounterpart(of: slot, value) }
    // A kernel does not read values that it writes itself.
    guard !memory.pointee.slots[slot].isReadOnly else { return }
    memory.pointee.generation.wrappingAdd(1, ordering: .releasing)
    memory.pointee.pending.raise(.values)
  }

  /// [any thread] Sets the counterpart of a slot to the same value in its own unit, unless it
  /// already has that value. Values whose conversion gives the same Float count as equal.
  @_noLocks
  private func setCounterpart(of slot: Int, _ value: Float) {
    let slots = memory.pointee.slots
    let counterpart = Int(slots[slot].counterpart)
    let now = limited(value, slot)
    guard
      Self.counterpartValue(limitedValue(counterpart), slots[counterpart].counterpartForm) != now
    else { return }
    slots[counterpart].current.store(
      Self.counterpartValue(now, slots[slot].counterpartForm).bitPattern, ordering: .relaxed)
  }

  @_noLocks
  private static func counterpartValue(_ value: Float, _ form: ParameterSpec.CounterpartForm)
    -> Float
  {
    switch form {
    case .cents: Float(1200 * Elementary.log2(Double(value)))
    case .rate: Float(Elementary.exp2(Double(value) / 1200))
    }
  }

  // MARK: Settings and meters, by their index among settings or meters

  /// [any thread] A setting, by its index.
  package func setting(_ index: Int) -> Float { value(memory.pointee.settings + index) }

  /// [any thread] Sets a setting.
  package func setSetting(_ index: Int, to value: Float) {
    set(memory.pointee.settings + index, to: value)
  }

  /// [render thread] The value of a setting for this slice.
  @_noLocks
  func sliceSetting(_ index: Int) -> Float {
    memory.pointee.values[memory.pointee.settings + index]
  }

  /// [render thread] Publishes to hosts a value that only the kernel writes, limited to its range.
  @_noLocks
  func publish(_ slot: Int, _ value: Float) {
    let slots = memory.pointee.slots
    slots[slot].current.store(slots[slot].limited(value).bitPattern, ordering: .relaxed)
  }

  /// [render thread] Publishes the value of a meter to hosts.
  @_noLocks
  func publish(meter index: Int, _ value: Float) { publish(memory.pointee.meters + index, value) }

  /// [render thread] Raises the reported clipping to at least this value (0 or more).
  @_noLocks
  func raise(_ clipping: Clipping, to value: Float) {
    // Positive floats have the same order as their bit patterns.
    memory.pointee.slots[memory.pointee.clipping + clipping.index].current.max(
      value.bitPattern, ordering: .relaxed)
  }

  /// [any thread] Reads the clipping and sets it to 0, atomically.
  func readAndClear(_ clipping: Clipping) -> Float {
    let slot = memory.pointee.clipping + clipping.index
    return Float(bitPattern: memory.pointee.slots[slot].current.exchange(0, ordering: .relaxed))
  }

  // MARK: Rendering

  /// Whether the kernel follows ramps of this parameter within a slice.
  @_noLocks
  func canRamp(_ slot: Int) -> Bool { memory.pointee.slots[slot].canRamp }

  /// Whether it does so within a slice of any length.
  @_noLocks
  func rampsWholeSlices(_ slot: Int) -> Bool { memory.pointee.slots[slot].rampsWholeSlices }

  /// Whether only the kernel writes it.
  @_noLocks
  func isReadOnly(_ slot: Int) -> Bool { memory.pointee.slots[slot].isReadOnly }

  /// [render thread] Sets the change per frame for the coming slice.
  @_noLocks
  func setStep(_ slot: Int, _ step: Float) {
    guard memory.pointee.steps[slot] != step else { return }
    memory.pointee.steps[slot] = step
    memory.pointee.generation.wrappingAdd(1, ordering: .relaxed)
    memory.pointee.pending.raise(.values)
  }

  /// [render thread] Reads every value once for the coming slice, limited to its range.
  @_noLocks
  package func updateSliceValues() {
    let generation = memory.pointee.generation.load(ordering: .acquiring)
    guard generation != memory.pointee.sliceGeneration else { return }
    memory.pointee.sliceGeneration = generation
    let values = memory.pointee.values
    let slots = memory.pointee.slots
    for slot in 0..<memory.pointee.sliceCount {
      values[slot] = slots[slot].limited(
        Float(bitPattern: slots[slot].current.load(ordering: .relaxed)))
    }
  }

  /// [render thread] A value for this slice, and its change per frame.
  @_noLocks
  package func sliceValue(_ slot: Int) -> Float { memory.pointee.values[slot] }
  @_noLocks
  package func sliceStep(_ slot: Int) -> Float { memory.pointee.steps[slot] }

  /// [render thread] A number that changes whenever a value may have changed.
  @_noLocks
  func sliceGeneration() -> UInt32 { memory.pointee.sliceGeneration }

  /// [render thread] The values that the kernel reads.
  var sliceValues: ElementValues {
    @_noLocks get {
      ElementValues(
        values: UnsafePointer(memory.pointee.values), steps: UnsafePointer(memory.pointee.steps),
        settings: memory.pointee.settings, store: self)
    }
  }

  /// [control thread] A copy of the current values in `memory`, limited to their ranges and without
  /// ramps.
  func snapshot(in memory: OwnedMemory) -> ElementValues {
    let count = self.memory.pointee.count
    return ElementValues(
      values: memory.array((0..<count).map { limitedValue($0) }), steps: memory.array(count, of: 0),
      settings: self.memory.pointee.settings, store: self)
  }

  /// [any thread] Every value, in the order of the slots.
  var values: [Float] { (0..<memory.pointee.count).map(value) }

  /// [control thread] The slots that belong to the element's own scope.
  var ownSlots: [Int] { (0..<memory.pointee.count).filter { isOwn($0) } }
}
