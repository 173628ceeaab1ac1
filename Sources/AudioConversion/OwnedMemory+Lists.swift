// SPDX-License-Identifier: Apache-2.0
import AudioSupport
package import CAudioToolbox
import SignalProcessing

extension OwnedMemory {
  /// [control thread] Allocates a list of this many buffers, which have no memory yet.
  package func list(bufferCount: Int) -> UnsafeMutablePointer<AudioBufferList> {
    let words = array(1 + 2 * max(bufferCount, 1), of: UInt64(0))
    let list = UnsafeMutableRawPointer(words).bindMemory(to: AudioBufferList.self, capacity: 1)
    list.pointee.mNumberBuffers = UInt32(bufferCount)
    return list
  }
}
