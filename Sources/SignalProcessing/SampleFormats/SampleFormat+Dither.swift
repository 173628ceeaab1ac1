// SPDX-License-Identifier: Apache-2.0

import CKernels

extension SampleFormat {
  /// Converts `count` Float32 samples to this format with a dither, `stride` bytes apart.
  /// [render thread]
  ///
  /// Formats that represent every Float32 (floats, and integers of more than 24 bits) are not
  /// dithered, unless the dither has fewer bits.
  @_noLocks
  public func encode(
    _ samples: UnsafePointer<Float>, count: Int, to destination: UnsafeMutableRawPointer,
    stride: Int, dither: UnsafeMutablePointer<DitherState>?
  ) {
    guard let dither, isRounded(by: dither.pointee) else {
      return encode(samples, count: count, to: destination, stride: stride)
    }
    if stride == containerBytes, let layout {
      var samples = samples
      return withUnsafePointer(to: &samples) {
        encode($0, channelCount: 1, frameCount: count, to: destination, layout, dither)
      }
    }
    encodeStrided(samples, count: count, to: destination, stride: stride, dither: dither)
  }

  /// Interleaves `channelCount` Float32 channels into memory of this format, with a dither for
  /// each. [render thread]
  @_noLocks
  public func encode(
    _ channels: UnsafePointer<UnsafePointer<Float>>, channelCount: Int, frameCount: Int,
    interleaved destination: UnsafeMutableRawPointer, dither: UnsafeMutablePointer<DitherState>?
  ) {
    guard let dither, channelCount > 0, isRounded(by: dither.pointee) else {
      return encode(
        channels, channelCount: channelCount, frameCount: frameCount, interleaved: destination)
    }
    if channelCount <= 256, let layout {
      return encode(
        channels, channelCount: channelCount, frameCount: frameCount, to: destination, layout,
        dither)
    }
    for channel in 0..<channelCount {
      encodeStrided(
        channels[channel], count: frameCount, to: destination + channel &* containerBytes,
        stride: channelCount &* containerBytes, dither: dither + channel)
    }
  }

  /// Whether this format loses precision of Float32 samples, so that the dither is used.
  @_noLocks
  private func isRounded(by state: DitherState) -> Bool {
    state.addsNoise && !isFloat && isSupported && bits - state.emptyBits(of: self) <= 24
  }

  @_noLocks
  private func encode(
    _ channels: UnsafePointer<UnsafePointer<Float>>, channelCount: Int, frameCount: Int,
    to destination: UnsafeMutableRawPointer, _ layout: SampleLayout,
    _ dither: UnsafeMutablePointer<DitherState>
  ) {
    var isShaped: Int32 = 0
    if case .shaped = dither.pointee.kind { isShaped = 1 }
    kernel_encode_dithered(
      destination, channels, channelCount, frameCount, layout,
      Int32(truncatingIfNeeded: dither.pointee.emptyBits(of: self)), isShaped, dither,
      MemoryLayout<DitherState>.stride)
  }

  /// As `encode`, in plain Swift: for samples that are not packed, and for formats of eight bytes
  /// and floats, which the C kernels do not know. The same bits. [render thread]
  @_noLocks
  func encodeStrided(
    _ samples: UnsafePointer<Float>, count: Int, to destination: UnsafeMutableRawPointer,
    stride: Int, dither: UnsafeMutablePointer<DitherState>
  ) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 128) { block in
      guard let doubles = block.baseAddress else { return }
      var done = 0
      while done < count {
        let run = min(128, count &- done)
        for index in 0..<run { doubles[index] = Double(samples[done &+ index]) }
        encode(
          doubles, count: run, to: destination + done &* stride, stride: stride, dither: dither)
        done &+= run
      }
    }
  }
}
