// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioUnitCore
internal import AudioSupport
internal import CAudioToolbox
import CRealTime
import SignalProcessing
import Synchronization

/// Everything that the render thread of a recording queue accesses. It reads its unit's input, and
/// writes it to a ring.
struct CaptureRenderer: ~Copyable {
  /// The most frames of one call.
  static var partFrames: Int { @_noLocks get { 1_156 } }

  let ring: Ring<Float>
  private let publishedPosition = PublishedValue<QueuePosition>()
  /// [any thread] The position after the last cycle.
  var position: QueuePosition { publishedPosition.load() ?? QueuePosition() }
  let levels: LevelMeters
  /// How often the ring was full, and how many frames were lost.
  let lossCount = Atomic(0)
  let lostFrames = Atomic(0)
  /// Whether it waits for room in the ring: true when there is no clock.
  let waits = Atomic(false)
  /// Whether the device is being stopped: then it waits for no room.
  let isStopping = Atomic(false)
  /// The host time at which the recording starts; 0: with the first cycle.
  let startHostTime = Atomic<UInt64>(0)
  private let sampleRate: Double
  private let memory = OwnedMemory()
  private let captured: PlanarBuffer
  private let list: UnsafeMutablePointer<AudioBufferList>
  private let flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
  private let isLosing: UnsafeMutablePointer<Bool>

  init(channelCount: Int, sampleRate: Double, capacity: Int) {
    self.sampleRate = sampleRate
    ring = Ring(channelCount: channelCount, capacity: capacity)
    levels = LevelMeters(channelCount: channelCount, sampleRate: sampleRate)
    captured = PlanarBuffer(
      channelCount: channelCount, capacity: 4 * Self.partFrames, in: memory)
    list = memory.list(bufferCount: channelCount)
    flags = memory.cell([])
    isLosing = memory.cell(false)
  }

  deinit { memory.deallocate() }

  /// [while no thread renders] Prepares for a new recording.
  borrowing func begin() {
    ring.release(upTo: ring.written)
    levels.reset()
    isLosing.pointee = false
    publishedPosition.store(.init(frame: ring.written))
    lostFrames.store(0, ordering: .relaxed)
  }

  /// [render thread] Captures `frames` frames from a unit during its cycle.
  @_noLocks
  borrowing func capture(
    _ frames: Int, from unit: Unmanaged<UnitInstance>, at stamp: UnsafePointer<AudioTimeStamp>
  ) -> OSStatus {
    guard frames <= captured.capacity else { return kAudioUnitErr_TooManyFramesToProcess }
    list.point(at: UnsafePointer(captured.channels), frames: frames)
    flags.pointee = AudioUnitRenderActionFlags(rawValue: 0)
    let call = RenderCall(flags, stamp, bus: 1, frameCount: UInt32(truncatingIfNeeded: frames))
    let status = renderUnit(unit, call, list)
    guard status == 0 else { return status }
    for channel in 0..<ring.channelCount {
      levels.measure(channel, captured.channels[channel], count: frames)
    }
    let first = framesBeforeStart(stamp.pointee.mHostTime, of: frames)
    let count = frames - first
    guard count > 0 else { return status }
    if waits.load(ordering: .relaxed) {
      waitForRoom(count)
      // A stop has ended the wait, and the recording: nothing is lost.
      guard ring.room >= count || !isStopping.load(ordering: .acquiring) else { return status }
    }
    let skipped = nearest(Double(first) / sampleRate * 1e9)
    let hostTime = stamp.pointee.mHostTime &+ UInt64(truncatingIfNeeded: skipped)
    publishedPosition.store(
      QueuePosition(
        frame: ring.written, frameCount: count, hostTime: hostTime,
        rateScalar: stamp.pointee.mRateScalar))
    let written = ring.write(UnsafePointer(captured.channels), from: first, count: count)
    if written < count {
      lostFrames.wrappingAdd(count - written, ordering: .relaxed)
      if !isLosing.pointee { lossCount.wrappingAdd(1, ordering: .relaxed) }
    }
    isLosing.pointee = written < count
    return status
  }

  /// The number of frames before the start, of `frames` frames that begin at `hostTime`.
  @_noLocks
  private borrowing func framesBeforeStart(_ hostTime: UInt64, of frames: Int) -> Int {
    let start = startHostTime.load(ordering: .relaxed)
    guard start > hostTime else { return 0 }
    return min(frames, nearest(Double(start - hostTime) / 1e9 * sampleRate))
  }

  /// Waits for room in the ring, at most two seconds; only without a clock. No device waits for such
  /// a thread; without the pauses it would overtake the encoding thread.
  @_semantics("no_performance_analysis") @inline(never)
  private borrowing func waitForRoom(_ frames: Int) {
    waitPolling(every: 100, until: rt_host_time() + 2_000_000_000) {
      ring.room < frames && !isStopping.load(ordering: .acquiring)
    }
  }
}
