// SPDX-License-Identifier: Apache-2.0

extension SampleFormat {
  /// Whether this format can represent every sample of another: nothing is rounded and nothing is
  /// clipped. [any thread]
  @_noLocks
  public func canRepresent(_ other: SampleFormat) -> Bool {
    switch (isFloat, other.isFloat) {
    case (true, true): return bits >= other.bits
    case (true, false): return other.bits <= (bits == 64 ? 53 : 24)
    case (false, true): return false
    case (false, false):
      return scale >= other.scale && Double(bits) - exponent >= Double(other.bits) - other.exponent
    }
  }

  /// Converts `count` samples of this format to another; the strides are in bytes. [render thread]
  ///
  /// Rounds once, as if in infinite precision: integers that fit stay exact, even 64-bit ones;
  /// everything else passes through Float64. The dither is used if `format` cannot represent this
  /// one, or if the dither has fewer bits. A format that is not supported reads as silence, and is
  /// not written.
  @_noLocks
  public func convert(
    _ source: UnsafeRawPointer, stride sourceStride: Int, to format: SampleFormat,
    at destination: UnsafeMutableRawPointer, stride: Int, count: Int,
    dither: UnsafeMutablePointer<DitherState>? = nil
  ) {
    guard isSupported, format.isSupported else {
      return silence(format, destination, stride, count)
    }
    let dither = dither.flatMap { state in
      Dither(state.pointee.kind, bits: state.pointee.bits).isUsed(from: self, to: format)
        ? state : nil
    }
    let isExact = format.canRepresent(self) && dither == nil
    if isExact, !isFloat, !format.isFloat, bits > 24 {
      return shift(source, sourceStride, format, destination, stride, count)
    }
    let isFloat32Enough = SampleFormat.float32.canRepresent(self)
    var done = 0
    if isFloat32Enough {
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 256) { block in
        guard let samples = block.baseAddress else { return }
        while done < count {
          let run = min(256, count - done)
          decode(source + done * sourceStride, stride: sourceStride, into: samples, count: run)
          format.encode(
            samples, count: run, to: destination + done * stride, stride: stride, dither: dither)
          done += run
        }
      }
    } else {
      withUnsafeTemporaryAllocation(of: Double.self, capacity: 128) { block in
        guard let samples = block.baseAddress else { return }
        while done < count {
          let run = min(128, count - done)
          decode(source + done * sourceStride, stride: sourceStride, into: samples, count: run)
          format.encode(
            samples, count: run, to: destination + done * stride, stride: stride,
            dither: dither)
          done += run
        }
      }
    }
  }

  /// Full scale as a power of two.
  private var exponent: Double {
    @_noLocks get { Double(fractionBits == 0 ? bits - 1 : fractionBits) }
  }

  @_noLocks
  private func silence(
    _ format: SampleFormat, _ destination: UnsafeMutableRawPointer, _ stride: Int, _ count: Int
  ) {
    var zero: Double = 0
    for index in 0..<count {
      format.encode(&zero, count: 1, to: destination + index * stride, stride: stride)
    }
  }

  /// Shifts integers to a format that can represent them.
  @_noLocks
  private func shift(
    _ source: UnsafeRawPointer, _ sourceStride: Int, _ format: SampleFormat,
    _ destination: UnsafeMutableRawPointer, _ stride: Int, _ count: Int
  ) {
    let finer = Int64(format.exponent - exponent)
    for index in 0..<count {
      let value = integer(at: source + index * sourceStride)
      format.store(value << finer, at: destination + index * stride)
    }
  }

  @_noLocks
  private func integer(at memory: UnsafeRawPointer) -> Int64 {
    let word = SampleWord.load(memory, bytes: containerBytes, isBigEndian: isBigEndian)
    let up = Int64(isAlignedHigh ? 0 : containerBytes * 8 - bits)
    return ((word << up) ^ (isUnsigned ? Int64.min : 0)) >> Int64(64 - bits)
  }

  @_noLocks
  private func store(_ value: Int64, at memory: UnsafeMutableRawPointer) {
    let up = Int64(isAlignedHigh ? 64 - bits : 64 - containerBytes * 8)
    let mask = isUnsigned && bits < 64 ? Int64(1) << Int64(bits) - 1 : -1
    let offset = isUnsigned ? Int64(1) << Int64(bits - 1) : 0
    SampleWord.store(
      ((value &+ offset) & mask) << up, to: memory, bytes: containerBytes, isBigEndian: isBigEndian)
  }
}
