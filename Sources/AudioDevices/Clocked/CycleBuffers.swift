// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import Glibc

/// Memory for one cycle of one direction: a buffer for each channel.
final class CycleBuffers: @unchecked Sendable {  // its contents belong to the stream's thread
  let channelCount: Int
  let frameCount: Int
  /// One pointer for each channel.
  let channels: UnsafePointer<UnsafeMutablePointer<Float>>

  private let memory: UnsafeMutableRawPointer
  private let samples: UnsafeMutableRawPointer
  private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let byteCount: Int

  /// Buffers full of silence, each at the beginning of a cache line.
  init(channelCount: Int, frameCount: Int) throws(AudioError) {
    self.channelCount = channelCount
    self.frameCount = frameCount
    let stride = (frameCount + 15) / 16 * 16
    byteCount = channelCount * stride * MemoryLayout<Float>.stride
    // calloc: a ring's pages cost nothing until they are used.
    guard let memory = calloc(1, byteCount + 64) else {
      throw .outOfMemory.because("\(byteCount) bytes for \(frameCount) frames of samples")
    }
    self.memory = memory
    samples = memory.alignedUp(toMultipleOf: 64)
    let first = samples.bindMemory(to: Float.self, capacity: channelCount * stride)
    table = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      (table + channel).initialize(to: first + channel * stride)
    }
    channels = UnsafePointer(table)
  }

  deinit {
    table.deallocate()
    free(memory)
  }

  /// Fills every buffer with zeros.
  func silence() { samples.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }

  /// Fills `count` frames of every buffer with zeros.
  func silence(from frame: Int, count: Int) {
    for channel in 0..<channelCount {
      (channels[channel] + frame).update(repeating: 0, count: count)
    }
  }
}
