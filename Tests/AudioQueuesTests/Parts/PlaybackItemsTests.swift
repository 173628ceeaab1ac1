// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Testing

@testable import AudioQueues

@Suite("Items of a playback queue")
struct PlaybackItemsTests {
  private func buffer(_ frames: Int, _ options: BufferOptions = .init()) -> EnqueuedBuffer {
    let format = StreamFormat(sampleRate: 44_100, channelCount: 1)
    return EnqueuedBuffer(
      QueueBuffer(byteCount: UInt32(frames * 4), descriptionCount: 0), byteCount: frames * 4,
      descriptions: [], options: options, format: format.description)
  }

  @Test("are decoded when the queue runs and no mark is in the way")
  func decoding() {
    var items = PlaybackItems()
    #expect(!items.canDecode)
    items.mayDecode = true
    #expect(items.canDecode)
    items.needsRendering = true
    #expect(!items.canDecode)
  }

  @Test("let frames be expected while there is an item, a decoder at work, or a callback")
  func expecting() {
    var items = PlaybackItems()
    items.append(.buffer(buffer(4)))
    #expect(!items.expectsFrames(isBusy: true), "nothing is decoded")
    items.mayDecode = true
    #expect(items.expectsFrames(isBusy: false))
    items.removeFirst()
    #expect(items.isEmpty && !items.expectsFrames(isBusy: false))
    #expect(items.expectsFrames(isBusy: true))
    items.pendingCallbacks = 1
    #expect(items.expectsFrames(isBusy: false))
  }

  @Test("end after the flush of all earlier buffers, also when these are removed")
  func ending() {
    var items = PlaybackItems()
    let first = buffer(4)
    items.append(.buffer(first))
    items.end()
    #expect(items.isEnding)
    let removed = items.removeBuffers()
    #expect(removed.count == 1 && removed.first === first)
    guard case .end? = items.first else {
      Issue.record("the requested end is lost")
      return
    }
    items.cancelEnd()
    #expect(items.removeBuffers().isEmpty && items.isEmpty)
  }

  @Test("end at the sum of the frames that are left, at the rate at which they are played")
  func frames() {
    var items = PlaybackItems()
    #expect(items.end(after: 100, rate: 1) == 100)
    let begun = buffer(40)
    begun.decoded = 30
    items.append(.buffer(begun))
    items.append(.flush)
    var trimmed = BufferOptions()
    trimmed.trimStart = 5
    trimmed.trimEnd = 15
    items.append(.buffer(buffer(60, trimmed)))
    #expect(items.end(after: 100, rate: 1) == 150)
    #expect(items.end(after: 100, rate: 2) == 125)
    var late = BufferOptions()
    late.startFrame = 1_000
    items.append(.buffer(buffer(8, late)))
    #expect(items.end(after: 100, rate: 1) == 1_008)
    late.startFrame = .max
    items.append(.buffer(buffer(8, late)))
    #expect(items.end(after: 100, rate: 1) == .max)
  }
}
