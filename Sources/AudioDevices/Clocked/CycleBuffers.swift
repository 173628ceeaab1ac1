// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Glibc
import SignalProcessing

/// The sample memory of one cycle in one direction: a buffer for each channel.
final class CycleBuffers: @unchecked Sendable {  // its contents belong to the stream's thread
  /// The addresses of the samples, valid as long as the buffers live. A plain value, so that render
  /// code counts no references.
  struct Planes: BitwiseCopyable {
    let channelCount: Int
    let frameCount: Int
    /// One pointer for each channel.
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
  }

  let planes: Planes
  private let memory: UnsafeMutableRawPointer
  private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// Silent buffers that start at cache lines.
  init(channelCount: Int, frameCount: Int) throws(AudioError) {
    let stride = (frameCount + 15) / 16 * 16
    let byteCount = channelCount * stride * MemoryLayout<Float>.stride
    // `calloc`, because the pages of a ring then cost nothing until they are used.
    guard let memory = calloc(1, byteCount + 64) else {
      throw .outOfMemory.because("\(byteCount) bytes for \(frameCount) frames of samples")
    }
    self.memory = memory
    let first = memory.alignedUp(toMultipleOf: 64)
      .bindMemory(to: Float.self, capacity: channelCount * stride)
    table = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      (table + channel).initialize(to: first + channel * stride)
    }
    planes = Planes(
      channelCount: channelCount, frameCount: frameCount, channels: UnsafePointer(table))
  }

  deinit {
    table.deallocate()
    free(memory)
  }

  var channelCount: Int { planes.channelCount }
  var frameCount: Int { planes.frameCount }
  var channels: UnsafePointer<UnsafeMutablePointer<Float>> { planes.channels }
}

extension CycleBuffers.Planes {
  /// [render thread] Fills every buffer with zeros.
  @_noLocks
  func silence() { silence(from: 0, count: frameCount) }

  /// [render thread] Fills `count` frames of every buffer with zeros.
  @_noLocks
  func silence(from frame: Int, count: Int) {
    for channel in 0..<channelCount { Samples.clear(channels[channel] + frame, count: count) }
  }
}
