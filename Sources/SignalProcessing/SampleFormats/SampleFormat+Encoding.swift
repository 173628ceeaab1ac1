// SPDX-License-Identifier: Apache-2.0

import CKernels

extension SampleFormat {
  /// Converts `count` Float32 samples to this format, `stride` bytes apart. [render thread]
  ///
  /// Floats stay unchanged. Integers are rounded to the nearest value and clipped to their range;
  /// NaN becomes zero. A format that is not supported writes nothing.
  @_noLocks
  public func encode(
    _ samples: UnsafePointer<Float>, count: Int, to destination: UnsafeMutableRawPointer,
    stride: Int
  ) {
    guard isSupported else { return }
    if stride == containerBytes, let layout {
      return kernel_encode_samples(destination, samples, count, layout)
    }
    encodeStrided(samples, count: count, to: destination, stride: stride)
  }

  /// As `encode`, in plain Swift: for samples that are not packed, and for formats of eight bytes
  /// and floats, which the C kernels do not know. The same bits. [render thread]
  @_noLocks
  func encodeStrided(
    _ samples: UnsafePointer<Float>, count: Int, to destination: UnsafeMutableRawPointer,
    stride: Int
  ) {
    switch (kind, containerBytes) {
    case (.float, 4): encodeFloat32(samples, count, destination, stride)
    case (.float, _): encodeFloat64(samples, count, destination, stride)
    case (_, 1): encodeInteger(1, samples, count, destination, stride)
    case (_, 2) where isPlainInteger: encodeInt16(samples, count, destination, stride)
    case (_, 2): encodeInteger(2, samples, count, destination, stride)
    case (_, 3): encodeInteger(3, samples, count, destination, stride)
    case (_, 4): encodeInteger(4, samples, count, destination, stride)
    default: encodeInteger(8, samples, count, destination, stride)
    }
  }

  /// Interleaves `channelCount` Float32 channels into memory of this format. [render thread]
  @_noLocks
  public func encode(
    _ channels: UnsafePointer<UnsafePointer<Float>>, channelCount: Int, frameCount: Int,
    interleaved destination: UnsafeMutableRawPointer
  ) {
    if (1...256).contains(channelCount) {
      if isNativeFloat32 {
        return kernel_interleave(
          destination.assumingMemoryBound(to: Float.self), channels, channelCount, frameCount)
      }
      if isSupported, let layout {
        return kernel_encode_frames(destination, channels, channelCount, frameCount, layout)
      }
    }
    for channel in 0..<channelCount {
      encode(
        channels[channel], count: frameCount, to: destination + channel * containerBytes,
        stride: channelCount * containerBytes)
    }
  }

  @_noLocks
  private func encodeFloat32(
    _ samples: UnsafePointer<Float>, _ count: Int, _ destination: UnsafeMutableRawPointer,
    _ stride: Int
  ) {
    if !isBigEndian && stride == 4 {
      return destination.copyMemory(from: samples, byteCount: count * 4)
    }
    for index in 0..<count {
      let word = samples[index].bitPattern
      (destination + index * stride)
        .storeBytes(of: isBigEndian ? word.byteSwapped : word, as: UInt32.self)
    }
  }

  @_noLocks
  private func encodeFloat64(
    _ samples: UnsafePointer<Float>, _ count: Int, _ destination: UnsafeMutableRawPointer,
    _ stride: Int
  ) {
    for index in 0..<count {
      let word = Double(samples[index]).bitPattern
      (destination + index * stride)
        .storeBytes(of: isBigEndian ? word.byteSwapped : word, as: UInt64.self)
    }
  }

  @_noLocks
  private func encodeInt16(
    _ samples: UnsafePointer<Float>, _ count: Int, _ destination: UnsafeMutableRawPointer,
    _ stride: Int
  ) {
    for index in 0..<count {
      let sample = samples[index]
      let scaled = (sample == sample ? sample : 0) * 0x1p15
      let clipped = scaled < -32_768 ? -32_768 : scaled > 32_767 ? 32_767 : scaled
      // Adding this number leaves the nearest integer in the lower bits of the sum.
      let word = (clipped + 0x1.8p23).bitPattern
      (destination + index * stride).storeBytes(of: Int16(truncatingIfNeeded: word), as: Int16.self)
    }
  }

  @inline(__always) @_noLocks
  private func encodeInteger(
    _ bytes: Int, _ samples: UnsafePointer<Float>, _ count: Int,
    _ destination: UnsafeMutableRawPointer, _ stride: Int
  ) {
    let up = Int64(isAlignedHigh ? 64 - bits : 64 - bytes * 8)
    let mask = isUnsigned && bits < 64 ? Int64(1) << Int64(bits) - 1 : -1
    let offset = isUnsigned ? Int64(1) << Int64(bits - 1) : 0
    let scale = scale
    let lowest = -Double(sign: .plus, exponent: bits - 1, significand: 1)
    let isBigEndian = isBigEndian
    if bits <= 48 {
      let highest = -lowest - 1
      for index in 0..<count {
        let sample = Double(samples[index])
        let scaled = (sample == sample ? sample : 0) * scale
        let clipped = scaled < lowest ? lowest : scaled > highest ? highest : scaled
        // Adding this number leaves the nearest integer in the lower bits of the sum.
        let sum = Int64(bitPattern: (clipped + 0x1.8p52).bitPattern)
        let value = sum &- Int64(bitPattern: (0x1.8p52 as Double).bitPattern)
        SampleWord.store(
          ((value &+ offset) & mask) << up, to: destination + index * stride, bytes: bytes,
          isBigEndian: isBigEndian)
      }
    } else {
      // A Float32 has 24 bits, so only values below 2^-24 would need rounding.
      for index in 0..<count {
        let sample = Double(samples[index])
        let scaled = (sample == sample ? sample : 0) * scale
        let value =
          scaled >= -lowest ? Int64.max >> Int64(64 - bits) : Int64(max(scaled, lowest))
        SampleWord.store(
          ((value &+ offset) & mask) << up, to: destination + index * stride, bytes: bytes,
          isBigEndian: isBigEndian)
      }
    }
  }
}
