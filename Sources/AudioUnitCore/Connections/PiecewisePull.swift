// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// A source may give fewer frames at once than are needed: then it is pulled several times.
extension InputSource {
  /// [render thread] The most frames that it gives at once; a callback gives any number.
  var frameLimit: UInt32 {
    @_noLocks get { native?.pointee.frameLimit.load(ordering: .relaxed) ?? foreignFrameLimit }
  }
}

extension RenderPlan {
  /// [render thread] The most frames that the source of an input gives at once.
  @_noLocks
  package func frameLimit(_ input: Int) -> Int { Int(sources[input].pointee.frameLimit) }
}

extension UnsafePointer<InputSource> {
  /// [render thread] Fills the own memory of `buffer` with frames of a unit that gives at most
  /// `limit` at once, and points `buffer` at it.
  @_noLocks @inline(never)
  func pullPieces(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer, limit: UInt32
  ) -> Pulled {
    guard limit > 0, frames <= buffer.capacity else {
      return Pulled(kAudioUnitErr_TooManyFramesToProcess)
    }
    var stamp = time.pointee
    var isSilent = true
    var done: UInt32 = 0
    while done < frames {
      let piece = min(limit, frames - done)
      let pulled = pullUnit(input, flags, &stamp, piece, into: buffer, .empty)
      guard pulled.status == noErr else { return pulled }
      if pulled.isSilent {
        buffer.clearHome(Int(piece), at: Int(done))
      } else {
        buffer.bringHome(Int(piece), at: Int(done))
        isSilent = false
      }
      stamp.mSampleTime += Double(piece)
      done += piece
    }
    buffer.prepare()
    return Pulled(noErr, isSilent: isSilent, isLendable: true)
  }
}
