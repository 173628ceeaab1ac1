// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

extension UnsafeMutablePointer<AudioBufferList> {
  /// The buffers, of which there are `mNumberBuffers`.
  var buffers: UnsafeMutablePointer<AudioBuffer> {
    @_noLocks get {
      (UnsafeMutableRawPointer(self) + 8).assumingMemoryBound(to: AudioBuffer.self)
    }
  }

  /// [control thread] A list with room for so many buffers; `free` gives it back.
  static func allocate(bufferCount: Int) -> Self {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: 8 + 16 * Swift.max(1, bufferCount), alignment: 8)
    let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
    list.pointee.mNumberBuffers = UInt32(bufferCount)
    for index in 0..<bufferCount { list.buffers[index] = AudioBuffer() }
    return list
  }
}
