// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The time of a device: frames of its nominal rate since the beginning of host time.
struct QueueClock {
  let sampleRate: Double

  /// Converts a host time to frames, and frames to a host time.
  func frames(at hostTime: UInt64) -> Double { Double(hostTime) / 1e9 * sampleRate }
  func hostTime(of frames: Double) -> UInt64 { UInt64(saturating: frames / sampleRate * 1e9) }

  /// The host time of a device's time stamp; nil when the stamp has no valid time.
  func hostTime(of stamp: AudioTimeStamp) -> UInt64? {
    if stamp.mFlags.contains(.hostTimeValid) { return stamp.mHostTime }
    if stamp.mFlags.contains(.sampleTimeValid), stamp.mSampleTime.isFinite {
      return hostTime(of: min(stamp.mSampleTime, 1e15))
    }
    return nil
  }
}
