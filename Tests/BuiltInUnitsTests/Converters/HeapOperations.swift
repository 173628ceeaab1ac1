// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import Foundation
import Testing

/// The number of heap operations of stereo renders, on the rendering thread.
func heapOperations(rendering unit: HostedUnit, slices: Int, of frames: UInt32) throws -> Int64 {
  let list = AudioBufferList.allocate(maximumBuffers: 2)
  defer { free(list.unsafeMutablePointer) }
  var stamp = AudioTimeStamp()
  stamp.mFlags = .sampleTimeValid
  var operations: Int64 = 0
  for _ in 0..<slices {
    for channel in 0..<2 {
      list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
    }
    let before = heap_operations()
    let status = AudioUnitRender(unit.handle, nil, &stamp, 0, frames, list.unsafeMutablePointer)
    operations += heap_operations() - before
    try #require(status == noErr)
    stamp.mSampleTime += Double(frames)
  }
  return operations
}
