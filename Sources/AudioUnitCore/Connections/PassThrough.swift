// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// Passes on the frames of a unit's input: the render half of a unit without a kernel while its
/// output has the format of its input, planar Float32.
///
/// It exists while the unit is initialised, and is used only inside the unit's gate.
package struct PassThrough: ~Copyable {
  private let pending: PendingWork
  private let buffer: BusBuffer
  private let maximumFrames: UInt32
  private let preparation: ListPreparation
  private let startsAtZero: Bool
  /// The time and number of the frames in `buffer`, and how they were pulled; NaN if there are none.
  private var sampleTime = Double.nan
  private var frameCount: UInt32 = 0
  private var result = PullResult.notTried
  /// The time of the next frames, of the output and of the input.
  private var nextTime = Double.nan
  private var inputTime = 0.0

  /// [control thread] Allocates memory for `maximumFrames` frames of `format`, for the unit with this
  /// pending work. With `startsAtZero`, the times of the input count from its first frame.
  package init(
    _ pending: PendingWork, _ format: StreamFormat, maximumFrames: Int, allocates: Bool,
    startsAtZero: Bool
  ) {
    self.pending = pending
    buffer = BusBuffer(format, maximumFrames: maximumFrames)
    self.maximumFrames = UInt32(clamping: maximumFrames)
    preparation = allocates ? .memory : .empty
    self.startsAtZero = startsAtZero
    pending.lower(.repeated)
  }

  deinit { buffer.deallocate() }

  /// [render thread] Forgets the time.
  @_noLocks
  mutating func reset() {
    (sampleTime, nextTime, inputTime, frameCount) = (.nan, .nan, 0, 0)
  }

  /// [render thread] Renders into a caller's list, whose arguments are checked.
  @_noLocks
  mutating func render(
    _ call: RenderCall, _ sources: SourceTable, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let pulled = pull(sources, call.time, call.frameCount)
    guard pulled.status == noErr else { return pulled.status }
    call.flags.pointee.outputIsSilence = pulled.isSilent
    buffer.deliver(Int(call.frameCount), to: data)
    return noErr
  }

  /// [render thread] Renders for another unit, which reads the samples where they are. Returns
  /// `notTried` if the other unit's buffer is laid out differently.
  @_noLocks @inline(__always)
  mutating func render(
    _ sources: SourceTable, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
    into other: BusBuffer
  ) -> PullResult {
    guard frames <= maximumFrames, other.isLike(buffer) else { return .notTried }
    let pulled = pull(sources, time, frames)
    if pulled.status == noErr { other.borrow(buffer) }
    return pulled
  }

  /// Points `buffer` at the frames for a time stamp; pulls them only once.
  @_noLocks @inline(__always)
  private mutating func pull(
    _ sources: SourceTable, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32
  ) -> PullResult {
    let valid = AudioTimeStampFlags.sampleTimeValid.rawValue
    let isTimed = time.pointee.mFlags.rawValue & valid != 0
    let now = isTimed ? time.pointee.mSampleTime : nextTime.isNaN ? 0 : nextTime
    let isStale = pending.consume(.stale)
    if isTimed, now == sampleTime, frames == frameCount, !isStale || buffer.usesOwnMemory {
      // The second reader, if it is not connected.
      if !pending.has(.repeated) { pending.raise(.repeated) }
      return result
    }
    sampleTime = .nan
    // The time of the input counts its own frames.
    if now != nextTime { inputTime = startsAtZero ? nextTime.isNaN ? 0 : inputTime : now }
    if inputTime == time.pointee.mSampleTime {
      result = sources[0].pull(0, nil, time, frames, into: buffer, preparation)
    } else {
      var stamp = time.pointee
      stamp.mSampleTime = inputTime
      result = sources[0].pull(0, nil, &stamp, frames, into: buffer, preparation)
    }
    guard result.status == noErr else {
      nextTime = .nan
      return result
    }
    nextTime = now + Double(frames)
    inputTime += Double(frames)
    if result.isSilent { silence(frames) } else if result.isShared { keep(frames) }
    if isTimed { (sampleTime, frameCount) = (now, frames) }
    return result
  }

  /// Writes the promised zeros, in case the source did not.
  @_noLocks @inline(never)
  private mutating func silence(_ frames: UInt32) {
    buffer.prepare()
    buffer.clear(Int(frames))
    (result.isShared, result.canPassOn) = (false, true)
  }

  /// Copies frames that others read too, because the reader of this unit may process in place.
  @_noLocks @inline(never)
  private mutating func keep(_ frames: UInt32) {
    buffer.copyToOwnMemory(Int(frames))
    (result.isShared, result.canPassOn) = (false, true)
  }
}

extension RenderSide {
  /// What a unit without a kernel renders with; nil while it is not initialised, or converts.
  package var passThrough: UnsafeMutablePointer<PassThrough>? {
    @_noLocks @inline(__always)
    get { passing?.assumingMemoryBound(to: PassThrough.self) }
    set { passing = newValue.map { UnsafeMutableRawPointer($0) } }
  }
}
