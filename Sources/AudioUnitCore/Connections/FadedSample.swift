// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

/// How the samples of an input are mixed while its source changes.
struct FadedSample: BitwiseCopyable {
  private enum Kind: UInt8, BitwiseCopyable { case float32, float64, int16, int32 }

  private let kind: Kind
  private let channelsPerBuffer: Int

  /// Nil if samples of this format cannot be mixed: those of other sizes or of foreign byte order.
  init?(_ format: StreamFormat) {
    let isSigned = format.isSignedInteger && format.bitsPerChannel == 8 * format.bytesPerSample
    guard !format.isBigEndian else { return nil }
    switch (format.isFloat, format.bytesPerSample) {
    case (true, 4): kind = .float32
    case (true, 8): kind = .float64
    case (false, 2) where isSigned: kind = .int16
    case (false, 4) where isSigned: kind = .int32
    default: return nil
    }
    channelsPerBuffer = format.channelsPerBuffer
  }

  /// [render thread] Mixes the frames of one buffer into `old`: it begins at frame `position` of a
  /// fade of `length` frames. Before the fade only `old` remains, after it only `new`, which is zero
  /// if it is nil.
  @_noLocks
  func mix(
    _ new: UnsafeMutableRawPointer?, into old: UnsafeMutableRawPointer, _ frames: Int,
    from position: Int, _ length: Int
  ) {
    switch kind {
    case .float32:
      mix(new, into: old, frames, from: position, length, zero: Float(0)) { old, new, weight in
        old + (new - old) * weight
      }
    case .float64:
      mix(new, into: old, frames, from: position, length, zero: 0.0) { old, new, weight in
        old + (new - old) * Double(weight)
      }
    case .int16:
      mix(new, into: old, frames, from: position, length, zero: Int16(0)) {
        Int16(truncatingIfNeeded: Self.between(Int($0), Int($1), $2))
      }
    case .int32:
      mix(new, into: old, frames, from: position, length, zero: Int32(0)) {
        Int32(truncatingIfNeeded: Self.between(Int($0), Int($1), $2))
      }
    }
  }

  /// A value between two integers.
  @_noLocks @inline(__always)
  private static func between(_ old: Int, _ new: Int, _ weight: Float) -> Int {
    let difference = Double(new - old) * Double(weight)
    return old + Int(difference.rounded())
  }

  @_noLocks @inline(__always)
  private func mix<Sample: BitwiseCopyable>(
    _ new: UnsafeMutableRawPointer?, into old: UnsafeMutableRawPointer, _ frames: Int,
    from position: Int, _ length: Int, zero: Sample,
    _ mixed: (_ old: Sample, _ new: Sample, _ weight: Float) -> Sample
  ) {
    let old = old.assumingMemoryBound(to: Sample.self)
    let new = new?.assumingMemoryBound(to: Sample.self)
    // The last frame of the fade is the first that is only new.
    let first = min(max(-position, 0), frames)
    let last = min(max(length - 1 - position, first), frames)
    for frame in first..<last {
      let weight = Crossfade.weight(at: Float(position + frame + 1) / Float(length))
      for index in frame * channelsPerBuffer..<(frame + 1) * channelsPerBuffer {
        old[index] = mixed(old[index], new.map { $0[index] } ?? zero, weight)
      }
    }
    for index in last * channelsPerBuffer..<frames * channelsPerBuffer {
      old[index] = new.map { $0[index] } ?? zero
    }
  }
}
