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
    #if arch(x86_64) && os(Linux)
      guard channelCount > 256 else {
        if channelCount > 0 { kernel_interleave(output, channels, channelCount, frameCount) }
        return
      }
    #endif
    for channel in 0..<channelCount {
      let source = channels[channel]
      var destination = output + channel
      for frame in 0..<frameCount {
        destination.pointee = source[frame]
        destination += channelCount
      }
    }
  }

  /// Deinterleaves frames into `channelCount` planar channels. [any thread]
  @_noLocks
  public static func deinterleave(
    _ input: UnsafePointer<Float>, channelCount: Int, frameCount: Int,
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    #if arch(x86_64) && os(Linux)
      guard channelCount > 256 else {
        if channelCount > 0 { kernel_deinterleave(channels, channelCount, input, frameCount) }
        return
      }
    #endif
    for channel in 0..<channelCount {
      let destination = channels[channel]
      var source = input + channel
      for frame in 0..<frameCount {
        destination[frame] = source.pointee
        source += channelCount
      }
    }
  }
}
