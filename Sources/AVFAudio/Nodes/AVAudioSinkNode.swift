// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
import AudioValues

/// Passes what the input node captures to a block. It is the end of a chain that begins at the input
/// node, has the rate of the device, and works with a device only.
open class AVAudioSinkNode: AVAudioNode, @unchecked Sendable {
  private let sink: SinkFeed

  /// A sink that passes its input to a block.
  @preconcurrency
  public init(
    receiverBlock block:
      @escaping @Sendable (
        _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AVAudioFrameCount,
        _ inputData: UnsafePointer<AudioBufferList>
      ) -> OSStatus
  ) {
    let unit = NodeUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)
    sink = SinkFeed(unit, block)
    super.init(unit, inputs: 1, outputs: 0)
  }

  // MARK: For the engine

  override var role: NodeRole { .sink(sink) }
  override var formatRule: FormatRule { .consumes }
}
