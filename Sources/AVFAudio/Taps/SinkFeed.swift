// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
import AudioValues

/// Gets the frames of each cycle; they may be read during the call. Returns 0, or an error, which
/// changes nothing. [render thread: no locks, no allocation]
public typealias AVAudioSinkNodeReceiverBlock = (
  _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AVAudioFrameCount,
  _ inputData: UnsafePointer<AudioBufferList>
) -> OSStatus

/// Pulls the unit of a sink node in each cycle, and calls the block.
final class SinkFeed: @unchecked Sendable {  // the cycle's, once `prepare` has returned
  private let unit: NodeUnit
  private let block: AVAudioSinkNodeReceiverBlock
  /// The channels for which it is prepared.
  private(set) var channels = 0
  private var list = UnsafeMutablePointer<AudioBufferList>.allocate(bufferCount: 0)

  init(_ unit: NodeUnit, _ block: @escaping AVAudioSinkNodeReceiverBlock) {
    self.unit = unit
    self.block = block
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
  func pull(_ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32) {
    for index in list.allBuffers.indices {
      list.buffers[index].mData = nil
      list.buffers[index].mDataByteSize = 4 * frames
    }
    var flags: AudioUnitRenderActionFlags = []
    guard AudioUnitRender(unit.handle, &flags, time, 0, frames, list) == noErr else { return }
    _ = block(time, frames, list)
  }
}
