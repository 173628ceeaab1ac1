// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import AudioUnitCore
internal import CAudioToolbox

/// What feeds one input of a chain: the channels of the current call, and silence after their end.
struct ChainFeed {
  var channels: UnsafePointer<UnsafePointer<Float>>?
  var channelCount = 0
  var frameCount = 0
  /// The next frame that the unit gets.
  var position = 0

  /// The callback that feeds a unit from `feed`, which must exist as long as the unit has it.
  static func callback(_ feed: UnsafeMutablePointer<ChainFeed>) -> AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: { context, flags, _, _, frameCount, list in
        guard let list else { return kAudio_ParamError }
        let feed = context.assumingMemoryBound(to: ChainFeed.self)
        let hasSound = feed.pointee.fill(list, frames: Int(frameCount))
        if !hasSound { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
        return noErr
      }, inputProcRefCon: UnsafeMutableRawPointer(feed))
  }

  /// [render thread] Fills planar buffers with the next frames; false if all of them are silent.
  private mutating func fill(_ list: UnsafeMutablePointer<AudioBufferList>, frames: Int) -> Bool {
    let count = max(0, min(frames, frameCount - position))
    for (index, buffer) in list.allBuffers.enumerated() {
      guard let data = buffer.mData else { continue }
      if count > 0, let channels {
        // One channel goes to all.
        let channel = channels[channelCount == 1 ? 0 : min(index, channelCount - 1)]
        data.copyMemory(from: channel + position, byteCount: count * 4)
      }
      (data + count * 4).initializeMemory(as: UInt8.self, repeating: 0, count: (frames - count) * 4)
    }
    position += count
    return count > 0
  }
}
