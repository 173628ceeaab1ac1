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

/// Passes what the input node captures to a block. It is the end of a chain that begins at the input
/// node, has the rate of the device, and works with a device only.
open class AVAudioSinkNode: AVAudioNode, @unchecked Sendable {
  let sink: SinkFeed

  /// A sink that passes its input to a block.
  @preconcurrency
  public init(
    receiverBlock block: @escaping @Sendable (
      _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AVAudioFrameCount,
      _ inputData: UnsafePointer<AudioBufferList>
    ) -> OSStatus
  ) {
    let unit = NodeUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)
    sink = SinkFeed(unit, block)
    super.init(unit, inputs: 1, outputs: 0)
  }

  // MARK: For the engine

  override var formatRule: FormatRule { .consumes }
  override func ownFormat(_ bus: AVAudioNodeBus) -> AVAudioFormat? { nil }
}

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
