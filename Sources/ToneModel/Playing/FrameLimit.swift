// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
import Synchronization

/// Stops an output unit after a number of frames.
///
/// With `AUDIOTOOLBOX_CLOCK=fast`, a device renders minutes of sound while another thread sleeps
/// for a moment, so the render thread itself has to count.
public final class FrameLimit {
  /// Whether devices run as fast as possible.
  public static var isNeeded: Bool {
    getenv("AUDIOTOOLBOX_CLOCK").map { String(cString: $0) } == "fast"
  }

  fileprivate struct Count: ~Copyable {
    let unit: AudioUnit
    let left: Atomic<Int>
  }

  private let count: UnsafeMutablePointer<Count>

  /// [control thread] Starts counting; the unit must outlive this object.
  public init(_ unit: AudioUnit, frames: Int) throws(ToneError) {
    count = .cell(Count(unit: unit, left: Atomic(frames)))
    try ToneError.check(
      AudioUnitAddRenderNotify(unit, countFrames, count), "Can't count the frames")
  }

  deinit {
    AudioUnitRemoveRenderNotify(count.pointee.unit, countFrames, count)
    count.endCell()
  }

  /// [any thread] Whether the limit has been reached and the unit stopped.
  public var isReached: Bool { count.pointee.left.load(ordering: .relaxed) <= 0 }
}

/// The render notify of the unit. [render thread]
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
