// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Synchronization

// A source that renders fewer frames at once than are needed is pulled several times.
extension InputSource {
  /// [render thread] The maximum number of frames per pull; unlimited for a callback.
  var frameLimit: UInt32 {
    @_noLocks
    get {
      if let native { return native.pointee.frameLimit.load(ordering: .relaxed) }
      return foreignFrameLimit?.pointee.load(ordering: .relaxed) ?? .max
    }
  }
}

extension SourceTable {
  /// [render thread] The maximum number of frames per pull of an input's source.
  @_noLocks
  package func frameLimit(_ input: Int) -> Int { Int(self[input].pointee.frameLimit) }
}

extension UnsafePointer<InputSource> {
  /// [render thread] Pulls a unit that renders at most `limit` frames at once until the own memory
  /// of `buffer` is filled, and points `buffer` at that memory.
  @_noLocks @inline(never)
  func pullPieces(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer, limit: UInt32
  ) -> PullResult {
    guard limit > 0, frames <= buffer.capacity else {
      return PullResult(kAudioUnitErr_TooManyFramesToProcess)
    }
    var stamp = time.pointee
    var isSilent = true
    var done: UInt32 = 0
    while done < frames {
      let piece = min(limit, frames - done)
      let pulled = pullUnit(input, flags, &stamp, piece, into: buffer, .empty)
      guard pulled.status == noErr else { return pulled }
      if pulled.isSilent {
        buffer.clearOwnMemory(Int(piece), at: Int(done))
      } else {
        buffer.copyToOwnMemory(Int(piece), at: Int(done))
        isSilent = false
      }
      stamp.mSampleTime += Double(piece)
      done += piece
    }
    buffer.prepare()
    return PullResult(noErr, isSilent: isSilent, canPassOn: true)
  }
}
