// SPDX-License-Identifier: Apache-2.0

// Between a format and Float64, which holds every sample of every format but 64-bit integers exactly.
extension SampleFormat {
  /// Bits of a sample that a Float has to hold: those of an integer, or of a float's significand.
  public var precision: Int {
    @_noLocks get { isFloat ? (bits == 32 ? 24 : 53) : bits }
  }

  /// Converts `count` samples of this format, `stride` bytes apart, to Float64. [render thread]
  ///
  /// A format that is not supported reads as silence.
  @_noLocks
  public func decode(
    _ source: UnsafeRawPointer, stride: Int, into samples: UnsafeMutablePointer<Double>, count: Int
  ) {
    guard isSupported else { return samples.initialize(repeating: 0, count: count) }
    let isBigEndian = isBigEndian
    if isFloat {
      for index in 0..<count {
        let memory = source + index * stride
        if bits == 32 {
          let word = memory.loadUnaligned(as: UInt32.self)
          samples[index] = Double(Float(bitPattern: isBigEndian ? word.byteSwapped : word))
        } else {
          let word = memory.loadUnaligned(as: UInt64.self)
          samples[index] = Double(bitPattern: isBigEndian ? word.byteSwapped : word)
        }
      }
      return
    }
    let up = Int64(isAlignedHigh ? 0 : containerBytes * 8 - bits)
    let down = Int64(64 - bits)
    let flip = isUnsigned ? Int64.min : 0
    let scale = 1 / scale
    for index in 0..<count {
      let word = SampleWord.load(
        source + index * stride, bytes: containerBytes, isBigEndian: isBigEndian)
      samples[index] = Double(((word << up) ^ flip) >> down) * scale
    }
  }

  /// Converts `count` Float64 samples to this format, `stride` bytes apart. [render thread]
  ///
  /// Floats are rounded to their size. Integers of up to 32 bits are rounded to the nearest, clipped to
  /// their range, and zero for what is not a number. A format that is not supported, or wider, writes
  /// nothing.
  @_noLocks
  public func encode(
    _ samples: UnsafePointer<Double>, count: Int, to destination: UnsafeMutableRawPointer,
    stride: Int
  ) {
    guard isSupported else { return }
    let isBigEndian = isBigEndian
    if isFloat {
      for index in 0..<count {
        let memory = destination + index * stride
        if bits == 32 {
          let word = Float(samples[index]).bitPattern
          memory.storeBytes(of: isBigEndian ? word.byteSwapped : word, as: UInt32.self)
        } else {
          let word = samples[index].bitPattern
          memory.storeBytes(of: isBigEndian ? word.byteSwapped : word, as: UInt64.self)
        }
      }
      return
    }
    guard bits <= 32 else { return }
    let up = Int64(isAlignedHigh ? 64 - bits : 64 - containerBytes * 8)
    let mask = isUnsigned ? Int64(1) << Int64(bits) - 1 : -1
    let offset = isUnsigned ? Int64(1) << Int64(bits - 1) : 0
    let scale = scale
    let lowest = -Double(sign: .plus, exponent: bits - 1, significand: 1)
    let highest = -lowest - 1
    for index in 0..<count {
      let sample = samples[index]
      let scaled = (sample == sample ? sample : 0) * scale
      let clipped = scaled < lowest ? lowest : scaled > highest ? highest : scaled
      // Adding this number leaves the nearest integer in the lower bits of the sum.
      let value =
        Int64(bitPattern: (clipped + 0x1.8p52).bitPattern)
        &- Int64(bitPattern: (0x1.8p52 as Double).bitPattern)
      SampleWord.store(
        ((value &+ offset) & mask) << up, to: destination + index * stride, bytes: containerBytes,
        isBigEndian: isBigEndian)
    }
  }
}
