// SPDX-License-Identifier: Apache-2.0

import CKernels

extension SampleFormat {
  /// Converts `count` samples of this format, `stride` bytes apart, to Float32. [render thread]
  ///
  /// For one channel of interleaved memory, the stride is the size of a frame. A format that is not
  /// supported reads as silence.
  @_noLocks
  public func decode(
    _ source: UnsafeRawPointer, stride: Int, into samples: UnsafeMutablePointer<Float>, count: Int
  ) {
    guard isSupported else { return Samples.clear(samples, count: count) }
    if stride == containerBytes, let layout {
      return kernel_decode_samples(samples, source, count, layout)
    }
    decodeStrided(source, stride: stride, into: samples, count: count)
  }

  /// As `decode`, in plain Swift: for samples that are not packed, and for formats of eight bytes
  /// and floats, which the C kernels do not know. The same bits. [render thread]
  @_noLocks
  func decodeStrided(
    _ source: UnsafeRawPointer, stride: Int, into samples: UnsafeMutablePointer<Float>, count: Int
  ) {
    switch (kind, containerBytes) {
    case (.float, 4): decodeFloat32(source, stride, samples, count)
    case (.float, _): decodeFloat64(source, stride, samples, count)
    case (_, 1): decodeInteger(1, source, stride, samples, count)
    case (_, 2) where isPlainInteger: decodeInt16(source, stride, samples, count)
    case (_, 2): decodeInteger(2, source, stride, samples, count)
    case (_, 3): decodeInteger(3, source, stride, samples, count)
    case (_, 4): decodeInteger(4, source, stride, samples, count)
    default: decodeInteger(8, source, stride, samples, count)
    }
  }

  /// Deinterleaves memory of this format into `channelCount` Float32 channels. [render thread]
  @_noLocks
  public func decode(
    interleaved source: UnsafeRawPointer, channelCount: Int,
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    if (1...256).contains(channelCount) {
      if isNativeFloat32 {
        return kernel_deinterleave(
          channels, channelCount, source.assumingMemoryBound(to: Float.self), frameCount)
      }
      if isSupported, let layout {
        return kernel_decode_frames(channels, channelCount, source, frameCount, layout)
      }
    }
    for channel in 0..<channelCount {
      decode(
        source + channel * containerBytes, stride: channelCount * containerBytes,
        into: channels[channel], count: frameCount)
    }
  }

  /// This format for the C kernels; nil if they do not support it.
  var layout: SampleLayout? {
    @_noLocks get {
      guard !isFloat, containerBytes <= 4 else { return nil }
      return SampleLayout(
        bytes: Int32(truncatingIfNeeded: containerBytes), isBigEndian: isBigEndian ? 1 : 0,
        bits: Int32(truncatingIfNeeded: bits),
        padding: Int32(truncatingIfNeeded: isAlignedHigh ? 0 : containerBytes * 8 - bits),
        flip: isUnsigned ? 1 << 31 : 0, scale: Float(scale))
    }
  }

  /// True for native signed integers that fill their container, with full scale at one.
  var isPlainInteger: Bool {
    @_noLocks get {
      !isFloat && !isUnsigned && bits == containerBytes * 8 && fractionBits == 0 && !isBigEndian
    }
  }

  /// The integer that represents 1, a power of two.
  var scale: Double {
    @_noLocks get {
      Double(sign: .plus, exponent: fractionBits == 0 ? bits - 1 : fractionBits, significand: 1)
    }
  }

  @_noLocks
  private func decodeFloat32(
    _ source: UnsafeRawPointer, _ stride: Int, _ samples: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if !isBigEndian && stride == 4 {
      return UnsafeMutableRawPointer(samples).copyMemory(from: source, byteCount: count * 4)
    }
    for index in 0..<count {
      let word = (source + index * stride).loadUnaligned(as: UInt32.self)
      samples[index] = Float(bitPattern: isBigEndian ? word.byteSwapped : word)
    }
  }

  @_noLocks
  private func decodeFloat64(
    _ source: UnsafeRawPointer, _ stride: Int, _ samples: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for index in 0..<count {
      let word = (source + index * stride).loadUnaligned(as: UInt64.self)
      samples[index] = Float(Double(bitPattern: isBigEndian ? word.byteSwapped : word))
    }
  }

  @_noLocks
  private func decodeInt16(
    _ source: UnsafeRawPointer, _ stride: Int, _ samples: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for index in 0..<count {
      samples[index] = Float((source + index * stride).loadUnaligned(as: Int16.self)) * 0x1p-15
    }
  }

  @inline(__always) @_noLocks
  private func decodeInteger(
    _ bytes: Int, _ source: UnsafeRawPointer, _ stride: Int,
    _ samples: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    // The sample is shifted to the top of 64 bits, which drops padding above it, then down with
    // sign extension, which drops padding below it.
    let up = isAlignedHigh ? 0 : bytes * 8 - bits
    let down = 64 - bits
    let flip = isUnsigned ? Int64.min : 0
    let scale = 1 / scale
    if bits <= 32 {
      // Int32 to Double is one instruction; Int64 to Double takes many.
      for index in 0..<count {
        let word =
          SampleWord.load(
            source + index * stride, bytes: bytes, isBigEndian: isBigEndian) << Int64(up)
        let value = Int32(truncatingIfNeeded: (word ^ flip) >> Int64(down))
        samples[index] = Float(Double(value) * scale)
      }
    } else {
      for index in 0..<count {
        let word =
          SampleWord.load(
            source + index * stride, bytes: bytes, isBigEndian: isBigEndian) << Int64(up)
        samples[index] = Float(Double((word ^ flip) >> Int64(down)) * scale)
      }
    }
  }
}
