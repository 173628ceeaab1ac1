// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// Reads, sets and schedules the parameters of a unit.
///
/// A value is one atomic word, which each slice reads and limits once. This code does not lock or
/// allocate unless it fails, so that a render thread may call it too.
struct ParameterControl {
  private let side: UnsafeMutablePointer<RenderSide>

  init(_ side: UnsafeMutablePointer<RenderSide>) { self.side = side }

  /// Whether changes wait for the next render; otherwise they are in effect immediately.
  private var isRenderable: Bool { side.pointee.isReadyToRender }

  /// [any thread] The store and slot of a parameter.
  private func locate(_ address: ParameterAddress) throws(AudioError) -> (
    store: ParameterStore, slot: Int
  ) {
    switch side.pointee.locate(address.id, address.scope, address.element) {
    case .slot(let store, let slot): return (store, slot)
    case .noScope:
      throw .invalidScope.because(
        "parameter \(address.id): this unit has no \(Element.scopeName(address.scope)) scope")
    case .noElement:
      throw .invalidElement.because(
        "parameter \(address.id): \(Element.title(address.scope, address.element)) does not exist")
    case .noParameter, .found:
      throw .invalidParameter.because(
        "parameter \(address.id) is not on the \(Element.scopeName(address.scope)) scope")
    }
  }

  /// [any thread] The value of a parameter.
  func value(_ address: ParameterAddress) throws(AudioError) -> AudioUnitParameterValue {
    let (store, slot) = try locate(address)
    return store.value(slot)
  }

  /// [any thread] Sets a parameter, immediately or at a frame of the next render.
  func set(
    _ address: ParameterAddress, to value: AudioUnitParameterValue, offset: UInt32
  ) throws(AudioError) {
    let (store, slot) = try locate(address)
    try checkWritable(address, store, slot)
    guard value.isFinite else {
      throw .invalidParameterValue.because("parameter \(address.id): \(value) is not a number")
    }
    guard offset > 0, isRenderable else {
      return store.set(slot, to: value)
    }
    let change = ParameterChange(
      store: store, slot: Int32(slot), offset: try frame(Int64(offset)), duration: 0, from: value,
      to: value)
    // If the queue is full, set the value now: early is better than never.
    if !queue(change) { store.set(slot, to: value) }
  }

  /// [any thread] Schedules changes and ramps in the next render, after all of them were checked.
  func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>)
    throws(AudioError)
  {
    for event in events { _ = try change(event) }
    for event in events {
      let change = try change(event)
      // Hosts can immediately read a value that applies from the next frame on.
      if !isRenderable || change.duration == 0 && change.offset <= 0 {
        change.store.set(Int(change.slot), to: change.to)
      }
      if isRenderable { try push(change) }
    }
  }

  private func change(_ event: AudioUnitParameterEvent) throws(AudioError) -> ParameterChange {
    let address = ParameterAddress(event.parameter, event.scope, event.element)
    let (store, slot) = try locate(address)
    try checkWritable(address, store, slot)
    var change = ParameterChange(
      store: store, slot: Int32(slot), offset: 0, duration: 0, from: 0, to: 0)
    switch event.eventType {
    case .parameterEvent_Immediate:
      let immediate = event.eventValues.immediate
      change.offset = try frame(Int64(immediate.bufferOffset))
      (change.from, change.to) = (immediate.value, immediate.value)
    case .parameterEvent_Ramped:
      let ramp = event.eventValues.ramp
      change.offset = try frame(Int64(ramp.startBufferOffset))
      change.duration = ramp.durationInFrames
      (change.from, change.to) = (ramp.startValue, ramp.endValue)
    default:
      throw .invalidArgument.because(
        "parameter \(address.id): event type \(event.eventType.rawValue) is neither immediate nor "
          + "ramped")
    }
    guard change.from.isFinite, change.to.isFinite else {
      throw .invalidParameterValue.because("parameter \(address.id): a value is not a number")
    }
    // Both ends are limited here, or the slope would be wrong. Other values are limited when the
    // kernel reads them, so that a host reads back the value that it has set.
    if isRenderable, change.duration > 0 {
      change.from = store.limited(change.from, slot)
      change.to = store.limited(change.to, slot)
    }
    return change
  }

  private func frame(_ offset: Int64) throws(AudioError) -> Int32 {
    guard abs(offset) < 1 << 30 else {
      throw .invalidArgument.because("a change cannot begin \(offset) frames from now")
    }
    return Int32(offset)
  }

  private func checkWritable(
    _ address: ParameterAddress, _ store: ParameterStore, _ slot: Int
  ) throws(AudioError) {
    guard !store.isReadOnly(slot) else {
      throw .invalidParameter.because("parameter \(address.id) can only be read")
    }
  }

  private func push(_ change: ParameterChange) throws(AudioError) {
    guard queue(change) else {
      throw .cannotDoInCurrentContext.because(
        "\(side.pointee.events.pointee.capacity) changes are already waiting for the next render")
    }
  }

  /// Queues a change for the render thread; false if the queue is full.
  private func queue(_ change: ParameterChange) -> Bool {
    guard side.pointee.events.pointee.push(change) else { return false }
    side.pointee.pending.raise(.events)
    return true
  }
}
