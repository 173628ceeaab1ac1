// SPDX-License-Identifier: Apache-2.0

import AudioToolbox

/// A buffer list with memory for planar Float32, filled with a value that no test expects.
final class Buffers {
  static let untouched: Float = -99

  let list: UnsafeMutableAudioBufferListPointer
  private let memory: [UnsafeMutableBufferPointer<Float>]

  /// With `isEmpty` the list has no memory: the unit provides its own.
  init(channels: Int = 2, frames: Int, isEmpty: Bool = false) {
    list = AudioBufferList.allocate(maximumBuffers: channels)
    memory = (0..<channels).map { _ in .allocate(capacity: max(frames, 1)) }
    for (index, samples) in memory.enumerated() {
      samples.initialize(repeating: Self.untouched)
      list[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frames),
        mData: isEmpty ? nil : UnsafeMutableRawPointer(samples.baseAddress))
    }
  }

  deinit {
    for samples in memory { samples.deallocate() }
    free(list.unsafeMutablePointer)
  }

  /// The samples of a channel, at their current location.
  subscript(channel: Int) -> [Float] {
    get { Array(UnsafeBufferPointer<Float>(list[channel])) }
    set { for (index, value) in newValue.enumerated() { memory[channel][index] = value } }
  }

  /// Whether a channel is still in the list's original memory.
  func isOwn(_ channel: Int) -> Bool {
    list[channel].mData == UnsafeMutableRawPointer(memory[channel].baseAddress)
  }
}
