// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

extension UnsafeMutablePointer<AudioBufferList> {
  /// [any thread] The buffers, of which there are `mNumberBuffers`: they follow the header in memory.
  @inlinable
  package var buffers: UnsafeMutablePointer<AudioBuffer> {
    @_noLocks @inline(__always) get {
      (UnsafeMutableRawPointer(self) + 8).assumingMemoryBound(to: AudioBuffer.self)
    }
  }

  /// [any thread] The buffers as a collection.
  package var allBuffers: UnsafeMutableBufferPointer<AudioBuffer> {
    UnsafeMutableBufferPointer(start: buffers, count: Int(pointee.mNumberBuffers))
  }

  /// [control thread] A list with room for `bufferCount` buffers; `deallocate` frees it.
  package static func allocate(bufferCount: Int) -> Self {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: 8 + 16 * Swift.max(1, bufferCount), alignment: 8)
    let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
    list.pointee.mNumberBuffers = UInt32(bufferCount)
    for index in 0..<bufferCount { list.buffers[index] = AudioBuffer() }
    return list
  }

  /// [any thread] Points the buffers at planar channels of `frames` frames.
  @_noLocks
  package func point(at channels: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
    for index in 0..<Int(pointee.mNumberBuffers) {
      buffers[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frames * 4), mData: channels[index])
    }
  }
}
