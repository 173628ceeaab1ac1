// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// A kernel of any shape behind one concrete type.
///
/// The closures are specialised for the kernel where its `UnitDefinition` is made, so that a slice
/// costs one indirect call into concrete code.
public final class KernelInstance: @unchecked Sendable {
  /// The arguments of a kernel for one slice. They are allocated once and reused for every slice.
  public struct Work: BitwiseCopyable {
    public internal(set) var inputs: BusSlices
    public let outputs: BusSlices
    public internal(set) var values: RawParameterValues
    /// The time of a render's first frame, for timed kernels.
    public internal(set) var time: UnsafePointer<AudioTimeStamp>?

    init(inputs: BusSlices, outputs: BusSlices, values: RawParameterValues) {
      self.inputs = inputs
      self.outputs = outputs
      self.values = values
    }
  }

  /// The functions of a converter that are called between slices.
  @usableFromInline
  struct Converting {
    let inputFrames: (Int, RawParameterValues) -> Int
    let consume: (Slice, RawParameterValues) -> Void
    let longestSlice: (RawParameterValues) -> Int
    let pendingInputFrames: (RawParameterValues) -> Double

    @usableFromInline
    init(
      inputFrames: @escaping (Int, RawParameterValues) -> Int,
      consume: @escaping (Slice, RawParameterValues) -> Void,
      longestSlice: @escaping (RawParameterValues) -> Int,
      pendingInputFrames: @escaping (RawParameterValues) -> Double
    ) {
      self.inputFrames = inputFrames
      self.consume = consume
      self.longestSlice = longestSlice
      self.pendingInputFrames = pendingInputFrames
    }
  }

  let renderSlice: (UnsafePointer<Work>) -> Void
  let reset: () -> Void
  /// Converters only.
  let converting: Converting?
  let latencyFrames: () -> Int
  let latency: (RawParameterValues) -> Double
  let tailTime: (RawParameterValues) -> Double?
  let settlingTime: () -> Double?
  private let release: () -> Void

  @usableFromInline
  init(
    render: @escaping (UnsafePointer<Work>) -> Void, reset: @escaping () -> Void,
    converting: Converting? = nil, latencyFrames: @escaping () -> Int,
    latency: @escaping (RawParameterValues) -> Double,
    tailTime: @escaping (RawParameterValues) -> Double?,
    settlingTime: @escaping () -> Double?, release: @escaping () -> Void
  ) {
    renderSlice = render
    self.reset = reset
    self.converting = converting
    self.latencyFrames = latencyFrames
    self.latency = latency
    self.tailTime = tailTime
    self.settlingTime = settlingTime
    self.release = release
  }

  deinit { release() }
}
