// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Rearranges Float32 channels between planar and interleaved memory.
public enum Interleaving {
  /// Interleaves `channelCount` planar channels. [any thread]
  @_noLocks
  public static func interleave(
    _ channels: UnsafePointer<UnsafePointer<Float>>, channelCount: Int, frameCount: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    if channelCount > 0 { kernel_interleave(output, channels, channelCount, frameCount) }
  }

  /// Deinterleaves frames into `channelCount` planar channels. [any thread]
  @_noLocks
  public static func deinterleave(
    _ input: UnsafePointer<Float>, channelCount: Int, frameCount: Int,
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    if channelCount > 0 { kernel_deinterleave(channels, channelCount, input, frameCount) }
  }
}
