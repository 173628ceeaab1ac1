// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioValues

/// Pulls the unit of a sink node in each cycle, and calls the block.
final class SinkFeed: @unchecked Sendable {  // the cycle's, once `prepare` has returned
  private let unit: NodeUnit
  private let owned: SinkBlock
  private let block: Unmanaged<SinkBlock>
  private let handle: AudioUnit
  /// The channels for which it is prepared.
  private(set) var channels = 0
  private var list = UnsafeMutablePointer<AudioBufferList>.allocate(bufferCount: 0)

  init(_ unit: NodeUnit, _ block: @escaping AVAudioSinkNodeReceiverBlock) {
    self.unit = unit
    handle = unit.handle
    owned = SinkBlock(block)
    self.block = .passUnretained(owned)
  }

  deinit { list.deallocate() }

  /// [control thread, while nothing pulls it] Prepares for a number of channels.
  func prepare(channels: Int) {
    self.channels = channels
    list.deallocate()
    list = .allocate(bufferCount: channels)
    for index in 0..<channels { list.buffers[index].mNumberChannels = 1 }
  }

  /// [render thread] Passes the frames of one cycle to the block.
  @_noLocks
  func pull(_ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32) {
    list.emptyBuffers(frames)
    guard renderUnit(handle, time, bus: 0, frames, list) == noErr else { return }
    callBlock(block, time, frames, list)
  }
}
