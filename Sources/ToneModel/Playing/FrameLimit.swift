// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
import Synchronization

/// Stops an output unit when it has rendered so many frames.
///
/// A device without its own pace (`AUDIOTOOLBOX_CLOCK=fast`) renders minutes while another thread
/// sleeps for a moment: there the render thread itself has to count.
public final class FrameLimit {
  /// Whether devices run as fast as they can.
  public static var isNeeded: Bool {
    getenv("AUDIOTOOLBOX_CLOCK").map { String(cString: $0) } == "fast"
  }

  fileprivate struct Count: ~Copyable {
    let unit: AudioUnit
    let left: Atomic<Int>
  }

  private let count: UnsafeMutablePointer<Count>

  /// [control thread] Counts from now on; the unit must outlive this.
  public init(_ unit: AudioUnit, frames: Int) throws(ToneError) {
    count = .cell(Count(unit: unit, left: Atomic(frames)))
    try ToneError.check(
      AudioUnitAddRenderNotify(unit, countFrames, count), "Can't count the frames")
  }

  deinit {
    AudioUnitRemoveRenderNotify(count.pointee.unit, countFrames, count)
    count.endCell()
  }

  /// [any thread] Whether the unit has been stopped.
  public var isReached: Bool { count.pointee.left.load(ordering: .relaxed) <= 0 }
}

/// Called before and after each cycle. [render thread]
private func countFrames(
  count: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let count = count.assumingMemoryBound(to: FrameLimit.Count.self)
  guard flags.pointee.contains(.unitRenderAction_PostRender), bus == 0 else { return noErr }
  let left = count.pointee.left.load(ordering: .relaxed)
  guard left > 0 else { return noErr }
  count.pointee.left.store(left - Int(frameCount), ordering: .relaxed)
  if left <= Int(frameCount) { AudioOutputUnitStop(count.pointee.unit) }
  return noErr
}
