// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
@testable import AudioUnitCore
import Testing

@Suite("The memory of a bus")
struct BusBufferTests {
  @Test("a stereo bus fits in one cache line, and its list follows")
  func line() {
    let buffer = BusBuffer(StreamFormat(sampleRate: 48_000, channelCount: 2), maximumFrames: 64)
    defer { buffer.deallocate() }
    let begin = UInt(bitPattern: buffer.address)
    #expect(begin.isMultiple(of: 64))
    #expect(UInt(bitPattern: buffer.channels + buffer.channelCount) <= begin + 64)
    #expect(UInt(bitPattern: buffer.list) == UInt(bitPattern: buffer.channels + 2))
  }

  @Test("the list points at the samples of every channel", arguments: [1, 2, 3, 64])
  func list(channels: Int) {
    let buffer = BusBuffer(
      StreamFormat(sampleRate: 48_000, channelCount: channels), maximumFrames: 100)
    defer { buffer.deallocate() }
    buffer.prepareList(100)
    #expect(buffer.list.pointee.mNumberBuffers == UInt32(channels))
    for (channel, shown) in UnsafeMutableAudioBufferListPointer(buffer.list).enumerated() {
      #expect(shown.mData == buffer.data(channel) && shown.mDataByteSize == 400)
    }
  }
}
