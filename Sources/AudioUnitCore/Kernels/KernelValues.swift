// SPDX-License-Identifier: Apache-2.0

/// The values of a unit's parameters and settings during one slice.
///
/// A parameter is within the range of its spec, and so are both ends of a ramp. The compiler checks
/// this generic code for real-time safety where a kernel uses it with its own keys.
public struct KernelValues<Parameter: ParameterKey, Setting: SettingKey> {
  /// The values without the types of the keys.
  public let raw: RawParameterValues

  @inlinable @inline(__always)
  public init(_ raw: RawParameterValues) { self.raw = raw }

  /// [render thread] A global parameter's value at the first frame of the slice.
  @inlinable @inline(__always)
  public subscript(key: Parameter) -> Float { raw.global.values[key.slot] }

  /// [render thread] The change of a global parameter per frame; zero unless it ramps.
  @inlinable @inline(__always)
  public func step(_ key: Parameter) -> Float { raw.global.steps[key.slot] }

  /// [render thread] A value of a matrix, and its change per frame.
  @inlinable @inline(__always)
  public subscript(slot slot: Int) -> Float { raw[slot: slot] }
  @inlinable @inline(__always)
  public func step(slot: Int) -> Float { raw.step(slot: slot) }

  /// [render thread] The value of an input element's parameter.
  @inlinable @inline(__always)
  public subscript(key: Parameter, input element: Int) -> Float {
    raw.inputs[element].values[key.slot]
  }

  /// [render thread] The change per frame of an input element's parameter.
  @inlinable @inline(__always)
  public func step(_ key: Parameter, input element: Int) -> Float {
    raw.inputs[element].steps[key.slot]
  }

  /// [render thread] The value of an output element's parameter.
  @inlinable @inline(__always)
  public subscript(key: Parameter, output element: Int) -> Float {
    raw.outputs[element].values[key.slot]
  }

  /// [render thread] The change per frame of an output element's parameter.
  @inlinable @inline(__always)
  public func step(_ key: Parameter, output element: Int) -> Float {
    raw.outputs[element].steps[key.slot]
  }

  /// [render thread] A global setting.
  @inlinable @inline(__always)
  public subscript(setting: Setting) -> Float { raw.global.settings[setting.index] }

  /// [render thread] A setting of an input element.
  @inlinable @inline(__always)
  public subscript(setting: Setting, input element: Int) -> Float {
    raw.inputs[element].settings[setting.index]
  }

  /// [render thread] A setting of an output element.
  @inlinable @inline(__always)
  public subscript(setting: Setting, output element: Int) -> Float {
    raw.outputs[element].settings[setting.index]
  }

  /// [render thread] Publishes a read-only value of an input element to hosts.
  @inlinable @inline(__always)
  public func publish(_ key: Parameter, _ value: Float, input element: Int) {
    raw.inputs[element].publish(key.slot, value)
  }

  /// [render thread] Publishes a read-only value of an output element to hosts.
  @inlinable @inline(__always)
  public func publish(_ key: Parameter, _ value: Float, output element: Int) {
    raw.outputs[element].publish(key.slot, value)
  }

  /// [render thread] Whether a host bypasses a converter. Effects are bypassed by their renderer.
  @inlinable @inline(__always)
  public var isBypassed: Bool { raw.isBypassed }

  /// [render thread] Whether a piece of a ramp begins with this slice, or nothing ramps. A kernel that
  /// follows ramps in pieces (`shortRamps`) computes what it needs only then, for the piece's
  /// `pieceFrames`: a slice may be a part of a piece.
  @inlinable @inline(__always)
  public var beginsPiece: Bool { raw.beginsPiece }

  /// [render thread] Frames from the beginning of this slice to the end of its piece.
  @inlinable @inline(__always)
  public var pieceFrames: Int { raw.pieceFrames }

  /// [render thread] A number that changes whenever a global parameter may have changed, which
  /// saves a kernel the comparison of all values.
  @inlinable @inline(__always)
  public var generation: UInt32 { raw.global.generation }

  /// [render thread] A number that changes whenever a value of any element may have changed, or
  /// ramps.
  @inlinable @inline(__always)
  public var edition: UInt64 { raw.edition }

  /// [render thread] As `generation`, for an input element; it also changes while a value ramps.
  @inlinable @inline(__always)
  public func generation(input element: Int) -> UInt32 { raw.inputs[element].generation }

  /// [render thread] Publishes a read-only value, such as a meter's, to hosts, limited to its
  /// range.
  @inlinable @inline(__always)
  public func publish(_ key: Parameter, _ value: Float) { raw.global.publish(key.slot, value) }
}

/// The addresses of every element's values while a slice is rendered.
public struct RawParameterValues: BitwiseCopyable {
  @usableFromInline let global: ElementValues
  @usableFromInline let inputs: UnsafePointer<ElementValues>
  @usableFromInline let outputs: UnsafePointer<ElementValues>
  /// How often any of them has changed.
  @usableFromInline var edition: UInt64 = 0
  /// Whether hosts have bypassed a converter.
  @usableFromInline var isBypassed = false
  /// Whether a piece of a ramp begins with this slice, and the frames until it ends.
  public internal(set) var beginsPiece = true
  public internal(set) var pieceFrames = 0

  init(
    global: ElementValues, inputs: UnsafePointer<ElementValues>,
    outputs: UnsafePointer<ElementValues>
  ) {
    self.global = global
    self.inputs = inputs
    self.outputs = outputs
  }

  /// [render thread] The value in a slot of the global element, and its change per frame.
  @inlinable @inline(__always)
  public subscript(slot slot: Int) -> Float { @_noLocks get { global.values[slot] } }
  @_noLocks @inlinable @inline(__always)
  public func step(slot: Int) -> Float { global.steps[slot] }

  /// [render thread] Publishes the value of a global meter, by its index in the unit's `MeterSet`.
  @_noLocks
  public func publish(meter: Int, _ value: Float) { global.publish(meter: meter, value) }

  /// [render thread] Publishes the value of a meter of an input element.
  @_noLocks
  public func publish(meter: Int, _ value: Float, input element: Int) {
    inputs[element].publish(meter: meter, value)
  }

  /// [render thread] Publishes the value of a meter of an output element.
  @_noLocks
  public func publish(meter: Int, _ value: Float, output element: Int) {
    outputs[element].publish(meter: meter, value)
  }

  /// [render thread] Raises the reported clipping to at least this value (0 or more).
  @_noLocks
  public func raise(_ clipping: Clipping, to value: Float) { global.raise(clipping, to: value) }

  /// [render thread] Raises the reported clipping of an output element to at least this value.
  @_noLocks
  public func raise(_ clipping: Clipping, to value: Float, output element: Int) {
    outputs[element].raise(clipping, to: value)
  }
}

/// The values of one element while a slice is rendered.
@usableFromInline
struct ElementValues: BitwiseCopyable {
  @usableFromInline let values: UnsafePointer<Float>
  @usableFromInline let steps: UnsafePointer<Float>
  @usableFromInline let settings: UnsafePointer<Float>
  private let store: ParameterStore

  /// The values of `store`; `settings` is the index of the first setting among them.
  @_noLocks
  init(
    values: UnsafePointer<Float>, steps: UnsafePointer<Float>, settings: Int, store: ParameterStore
  ) {
    self.values = values
    self.steps = steps
    self.settings = values + settings
    self.store = store
  }

  @usableFromInline
  var generation: UInt32 { @_noLocks get { store.sliceGeneration() } }

  @_noLocks @usableFromInline
  func publish(_ slot: Int, _ value: Float) { store.publish(slot, value) }

  @_noLocks
  func publish(meter index: Int, _ value: Float) { store.publish(meter: index, value) }

  @_noLocks
  func raise(_ clipping: Clipping, to value: Float) { store.raise(clipping, to: value) }
}
