// SPDX-License-Identifier: Apache-2.0

/// One consistent reading of the parameters for the length of a slice, each within the range of its
/// spec. A ramp leads from one value within the range to another.
///
/// Generic code is checked for real-time safety where a kernel uses it, with its own key.
public struct ParameterValues<Key: ParameterKey> {
  /// The same without keys.
  public let raw: RawParameterValues

  @inlinable @inline(__always)
  public init(_ raw: RawParameterValues) { self.raw = raw }

  /// [render thread] The same values under the keys of another unit, whose slots mean the same.
  @inlinable @inline(__always)
  public func under<Other: ParameterKey>(_ keys: Other.Type) -> ParameterValues<Other> {
    ParameterValues<Other>(raw)
  }

  /// [render thread] A global parameter's value at the first frame of the slice.
  @inlinable @inline(__always)
  public subscript(key: Key) -> Float { raw.global.values[key.slot] }

  /// [render thread] How much it changes per frame; zero unless it ramps.
  @inlinable @inline(__always)
  public func step(_ key: Key) -> Float { raw.global.steps[key.slot] }

  /// [render thread] A value of a matrix, and how much it changes per frame.
  @inlinable @inline(__always)
  public subscript(slot slot: Int) -> Float { raw.global.values[slot] }
  @inlinable @inline(__always)
  public func step(slot: Int) -> Float { raw.global.steps[slot] }

  /// [render thread] The value of an input element's parameter.
  @inlinable @inline(__always)
  public subscript(key: Key, input element: Int) -> Float { raw.inputs[element].values[key.slot] }

  /// [render thread] How much an input element's parameter changes per frame.
  @inlinable @inline(__always)
  public func step(_ key: Key, input element: Int) -> Float { raw.inputs[element].steps[key.slot] }

  /// [render thread] The value of an output element's parameter.
  @inlinable @inline(__always)
  public subscript(key: Key, output element: Int) -> Float { raw.outputs[element].values[key.slot] }

  /// [render thread] How much an output element's parameter changes per frame.
  @inlinable @inline(__always)
  public func step(_ key: Key, output element: Int) -> Float {
    raw.outputs[element].steps[key.slot]
  }

  /// [render thread] Tells hosts a read-only value of an input element.
  @inlinable @inline(__always)
  public func publish(_ key: Key, _ value: Float, input element: Int) {
    raw.inputs[element].publish(key.slot, value)
  }

  /// [render thread] Tells hosts a read-only value of an output element.
  @inlinable @inline(__always)
  public func publish(_ key: Key, _ value: Float, output element: Int) {
    raw.outputs[element].publish(key.slot, value)
  }

  /// [render thread] A number that is another one whenever a global parameter may be another: a kernel
  /// of many need not compare them all.
  @inlinable @inline(__always)
  public var generation: UInt32 { raw.global.generation }

  /// [render thread] A number that is another one whenever a value of any element may be another, or
  /// ramps.
  @inlinable @inline(__always)
  public var edition: UInt64 { raw.edition }

  /// [render thread] The same as `generation` of an input element; also of whether it ramps.
  @inlinable @inline(__always)
  public func generation(input element: Int) -> UInt32 { raw.inputs[element].generation }

  /// [render thread] Tells hosts a read-only value, such as a meter's, within its range.
  @inlinable @inline(__always)
  public func publish(_ key: Key, _ value: Float) { raw.global.publish(key.slot, value) }
}

/// Where the values of every element lie while a slice is rendered.
public struct RawParameterValues: BitwiseCopyable {
  @usableFromInline let global: ElementValues
  @usableFromInline let inputs: UnsafePointer<ElementValues>
  @usableFromInline let outputs: UnsafePointer<ElementValues>
  /// How often any of them were read anew.
  @usableFromInline var edition: UInt64 = 0

  init(
    global: ElementValues, inputs: UnsafePointer<ElementValues>,
    outputs: UnsafePointer<ElementValues>
  ) {
    self.global = global
    self.inputs = inputs
    self.outputs = outputs
  }

  /// [render thread] Tells hosts a read-only global value, by its slot.
  @_noLocks
  public func publish(slot: Int, _ value: Float) { global.publish(slot, value) }

  /// [render thread] Makes a read-only global value at least as large, by its slot.
  @_noLocks
  public func raise(slot: Int, to value: Float) { global.raise(slot, to: value) }

  /// [render thread] Makes a read-only value of an output element at least as large, by its slot.
  @_noLocks
  public func raise(slot: Int, to value: Float, output element: Int) {
    outputs[element].raise(slot, to: value)
  }

  /// [render thread] Tells hosts a read-only value of an input element, by its slot.
  @_noLocks
  public func publish(slot: Int, _ value: Float, input element: Int) {
    inputs[element].publish(slot, value)
  }

  /// [render thread] Tells hosts a read-only value of an output element, by its slot.
  @_noLocks
  public func publish(slot: Int, _ value: Float, output element: Int) {
    outputs[element].publish(slot, value)
  }
}

/// The values of one element while a slice is rendered.
@usableFromInline
struct ElementValues: BitwiseCopyable {
  @usableFromInline let values: UnsafePointer<Float>
  @usableFromInline let steps: UnsafePointer<Float>
  private let store: ParameterStore

  @_noLocks
  init(values: UnsafePointer<Float>, steps: UnsafePointer<Float>, store: ParameterStore) {
    self.values = values
    self.steps = steps
    self.store = store
  }

  /// [control thread] Frees a snapshot; those of a store stay with it.
  func deallocate() {
    values.deallocate()
    steps.deallocate()
  }

  @usableFromInline
  var generation: UInt32 { @_noLocks get { store.frozenGeneration() } }

  @_noLocks @usableFromInline
  func publish(_ slot: Int, _ value: Float) { store.set(slot, to: store.limited(value, slot)) }

  @_noLocks
  func raise(_ slot: Int, to value: Float) { store.raise(slot, to: value) }
}
