// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
public import AudioValues

/// Gets buffers of a tap, and the time of the first frame of each. [a thread of the tap]
public typealias AVAudioNodeTapBlock = (_ buffer: AVAudioPCMBuffer, _ when: AVAudioTime) -> Void

/// A tap.
final class Tap {
  struct Request: Sendable {
    let bus: Int
    let bufferSize: AVAudioFrameCount
    let format: AVAudioFormat?
    let block: @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void

    init(
      _ bus: Int, _ bufferSize: AVAudioFrameCount, _ format: AVAudioFormat?,
      _ block: @escaping @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void
    ) {
      (self.bus, self.bufferSize, self.format, self.block) = (bus, bufferSize, format, block)
    }
  }
}

/// The taps of a node.
final class NodeTaps: @unchecked Sendable {
  func install(_ request: Tap.Request, on node: AVAudioNode, _ call: String) throws {
    fatalError()
  }
  func remove(_ bus: Int) {}
  func removeAll() {}
  func follow(_ node: AVAudioNode) {}
}
