// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

/// How the samples of an input are mixed while its source changes.
struct FadedSample: BitwiseCopyable {
  private enum Kind: UInt8, BitwiseCopyable { case float32, float64, int16, int32 }

  private let kind: Kind
  private let channelsPerBuffer: Int
  private let bytesPerSample: Int

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
    bytesPerSample = format.bytesPerSample
  }

  /// [render thread] Mixes the frames of one buffer into `old`: it begins at frame `position` of a
  /// fade of `length` frames. Before the fade only `old` remains, after it only `new`, which is zero
  /// if it is nil.
  @_noLocks
  func mix(
    _ new: UnsafeMutableRawPointer?, into old: UnsafeMutableRawPointer, _ frames: Int,
    from position: Int, _ length: Int
  ) {
    // The last frame of the fade is the first that is only new.
    let first = min(max(-position, 0), frames)
    let last = min(max(length - 1 - position, first), frames)
    for frame in first..<last {
      let weight = Double(Crossfade.weight(at: Float(position + frame + 1) / Float(length)))
      for index in frame * channelsPerBuffer..<(frame + 1) * channelsPerBuffer {
        let from = value(old, index)
        var to = 0.0
        if let new { to = value(new, index) }
        set(old, index, to: from + (to - from) * weight)
      }
    }
    let size = bytesPerSample * channelsPerBuffer
    if let new {
      (old + last * size).copyMemory(from: new + last * size, byteCount: (frames - last) * size)
    } else {
      (old + last * size).initializeMemory(
        as: UInt8.self, repeating: 0, count: (frames - last) * size)
    }
  }

  @_noLocks @inline(__always)
  private func value(_ memory: UnsafeMutableRawPointer, _ index: Int) -> Double {
    switch kind {
    case .float32: Double(memory.assumingMemoryBound(to: Float.self)[index])
    case .float64: memory.assumingMemoryBound(to: Double.self)[index]
    case .int16: Double(memory.assumingMemoryBound(to: Int16.self)[index])
    case .int32: Double(memory.assumingMemoryBound(to: Int32.self)[index])
    }
  }

  @_noLocks @inline(__always)
  private func set(_ memory: UnsafeMutableRawPointer, _ index: Int, to value: Double) {
    switch kind {
    case .float32: memory.assumingMemoryBound(to: Float.self)[index] = Float(value)
    case .float64: memory.assumingMemoryBound(to: Double.self)[index] = value
    case .int16:
      memory.assumingMemoryBound(to: Int16.self)[index] = Int16(
        truncatingIfNeeded: Self.whole(value))
    case .int32:
      memory.assumingMemoryBound(to: Int32.self)[index] = Int32(
        truncatingIfNeeded: Self.whole(value))
    }
  }

  /// The nearest integer to a value between two samples, which is in their range.
  @_noLocks @inline(__always)
  private static func whole(_ value: Double) -> Int { Int(value + (value < 0 ? -0.5 : 0.5)) }
}
