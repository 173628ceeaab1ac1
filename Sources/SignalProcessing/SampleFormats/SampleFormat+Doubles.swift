// SPDX-License-Identifier: Apache-2.0

extension SampleFormat {
  /// Converts `count` samples of this format, `stride` bytes apart, to Float64, exactly up to 53
  /// bits. [render thread]
  ///
  /// A format that is not supported reads as silence.
  @_noLocks
  public func decode(
    _ source: UnsafeRawPointer, stride: Int, into samples: UnsafeMutablePointer<Double>, count: Int
  ) {
    guard isSupported else { return samples.initialize(repeating: 0, count: count) }
    switch (kind, containerBytes) {
    case (.float, 4):
      for index in 0..<count {
        let word = (source + index * stride).loadUnaligned(as: UInt32.self)
        samples[index] = Double(Float(bitPattern: isBigEndian ? word.byteSwapped : word))
      }
    case (.float, _):
      for index in 0..<count {
        let word = (source + index * stride).loadUnaligned(as: UInt64.self)
        samples[index] = Double(bitPattern: isBigEndian ? word.byteSwapped : word)
      }
    case (_, 1): decodeInteger(1, source, stride, samples, count)
    case (_, 2): decodeInteger(2, source, stride, samples, count)
    case (_, 3): decodeInteger(3, source, stride, samples, count)
    case (_, 4): decodeInteger(4, source, stride, samples, count)
    default: decodeInteger(8, source, stride, samples, count)
    }
  }

  /// Converts `count` Float64 samples to this format, `stride` bytes apart. [render thread]
  ///
  /// Rounds once, to the nearest value, ties to even, after adding the dither, if one is given and
  /// the format has at most 32 bits. Otherwise as with Float32.
  @_noLocks
  public func encode(
    _ samples: UnsafePointer<Double>, count: Int, to destination: UnsafeMutableRawPointer,
    stride: Int, dither: UnsafeMutablePointer<DitherState>? = nil
  ) {
    guard isSupported else { return }
    switch (kind, containerBytes) {
    case (.float, 4):
      for index in 0..<count {
        let word = Float(samples[index]).bitPattern
        (destination + index * stride)
          .storeBytes(of: isBigEndian ? word.byteSwapped : word, as: UInt32.self)
      }
    case (.float, _):
      for index in 0..<count {
        let word = samples[index].bitPattern
        (destination + index * stride)
          .storeBytes(of: isBigEndian ? word.byteSwapped : word, as: UInt64.self)
      }
    default:
      encodeRounded(
        samples, count, destination, stride, dither: bits <= 32 ? dither : nil)
    }
  }

  @inline(__always) @_noLocks
  private func decodeInteger(
    _ bytes: Int, _ source: UnsafeRawPointer, _ stride: Int,
    _ samples: UnsafeMutablePointer<Double>, _ count: Int
  ) {
    let up = Int64(isAlignedHigh ? 0 : bytes * 8 - bits)
    let down = Int64(64 - bits)
    let flip = isUnsigned ? Int64.min : 0
    let unit = 1 / scale
    for index in 0..<count {
      let word = SampleWord.load(source + index * stride, bytes: bytes, isBigEndian: isBigEndian)
      samples[index] = Double(((word << up) ^ flip) >> down) * unit
    }
  }

  @_noLocks
  private func encodeRounded(
    _ samples: UnsafePointer<Double>, _ count: Int, _ destination: UnsafeMutableRawPointer,
    _ stride: Int,
    dither: UnsafeMutablePointer<DitherState>?
  ) {
    // Without a dither, use a local state that does nothing.
    var state = dither?.pointee ?? DitherState(.none, channel: 0)
    switch containerBytes {
    case 1: encodeInteger(1, samples, count, destination, stride, &state)
    case 2: encodeInteger(2, samples, count, destination, stride, &state)
    case 3: encodeInteger(3, samples, count, destination, stride, &state)
    case 4: encodeInteger(4, samples, count, destination, stride, &state)
    default: encodeInteger(8, samples, count, destination, stride, &state)
    }
    dither?.pointee = state
  }

  @inline(__always) @_noLocks
  private func encodeInteger(
    _ bytes: Int, _ samples: UnsafePointer<Double>, _ count: Int,
    _ destination: UnsafeMutableRawPointer,
    _ stride: Int, _ state: inout DitherState
  ) {
    // Padding above a signed sample repeats its sign; above an unsigned one it is zero.
    let up = Int64(isAlignedHigh ? 64 - bits : 64 - bytes * 8)
    let mask = isUnsigned && bits < 64 ? Int64(1) << Int64(bits) - 1 : -1
    let offset = isUnsigned ? Int64(1) << Int64(bits - 1) : 0
    let empty = state.emptyBits(of: self)
    let scale = scale * Double(sign: .plus, exponent: -empty, significand: 1)
    let limit = Double(sign: .plus, exponent: bits - empty - 1, significand: 1)
    let isBigEndian = isBigEndian
    for index in 0..<count {
      let sample = samples[index]
      let scaled = (sample == sample ? sample : 0) * scale
      let value: Int64
      if bits <= 48 {
        value = Int64(state.round(scaled, lowest: -limit, highest: limit - 1)) << Int64(empty)
      } else if scaled.magnitude < 0x1p50 {
        value = Int64((scaled + 0x1.8p52) - 0x1.8p52)
      } else {
        // Too large to have a fraction.
        value = scaled >= limit ? Int64.max >> Int64(64 - bits) : Int64(max(scaled, -limit))
      }
      let word = (value &+ offset) & mask
      SampleWord.store(
        word << up, to: destination + index * stride, bytes: bytes, isBigEndian: isBigEndian)
    }
  }
}
