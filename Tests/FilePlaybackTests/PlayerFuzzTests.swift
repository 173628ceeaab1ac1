// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Random slices, regions, starts and jumps, with numbers that no correct program would pass.
///
/// Every call must return in time, and afterwards everything that was accepted is completed.
/// `make fuzz` runs more rounds; a failure names its round.
@Suite("Fuzz: schedules of players")
struct PlayerFuzzTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 150

  @Test("leave every player responsive, and complete what it accepted")
  func schedules() throws {
    let files = try [48_000.0, 44_100].map { try SoundFile(frames: 3_000, sampleRate: $0) }
    for round in 0..<max(20, Self.rounds / 3) {
      let caller = try RandomScheduler(round: UInt64(round), files)
      for _ in 0..<40 { caller.call() }
      caller.finish()
      #expect(caller.complaints.isEmpty, "round \(round): \(caller.complaints)")
      if !caller.complaints.isEmpty { return }
    }
  }
}

/// Schedules with random arguments; the same round makes the same calls.
private final class RandomScheduler {
  private(set) var complaints: [String] = []
  private var random: UInt64
  private let host: PlayerHost
  private let files: [SoundFile]
  private var slices: [SliceMemory] = []
  private var ends: [CallRecord] = []

  init(round: UInt64, _ files: [SoundFile]) throws {
    random = (round + 1) &* 0x9e37_79b9_7f4a_7c15
    self.files = files
    host = try PlayerHost()
    try host.use(files)
  }

  private func next() -> UInt64 {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return random &* 0x2545_f491_4f6c_dd1d >> 11
  }

  private func pick<Element>(_ all: [Element]) -> Element { all[Int(next() % UInt64(all.count))] }

  /// Usually a time near the present.
  private func time() -> Double {
    let extremes: [Double] = [
      .nan, .infinity, -.infinity, 0x1p62, -0x1p62, 0x1p63, 1e300, 0x1.fffffffffffffp60, -0x1p60,
      0x1p52, 1e10, -1, -1e9, .leastNonzeroMagnitude,
    ]
    return next() % 3 == 0 ? pick(extremes) : host.time + Double(next() % 4_000) - 500
  }

  private func count() -> UInt32 {
    pick([0, 1, 2, 100, 3_000, 65_536, .max - 1, .max, UInt32(next() % 5_000)])
  }

  private func stamp() -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mFlags = AudioTimeStampFlags(rawValue: UInt32(next() % 4))
    stamp.mSampleTime = time()
    stamp.mHostTime = pick([0, 1, .max, UInt64(Int64.max), AudioGetCurrentHostTime()])
    return stamp
  }

  /// Makes one random call, and complains if it takes long.
  func call() {
    let begin = ContinuousClock.now
    switch next() % 8 {
    case 0, 1: scheduleSlice()
    case 2, 3: scheduleRegion()
    case 4: _ = host.unit.setting(kAudioUnitProperty_ScheduleStartTimeStamp, to: stamp())
    case 5: host.jump(to: time())
    case 6: readAhead()
    default: render()
    }
    render()
    if ContinuousClock.now - begin > .seconds(120) { complaints.append("a call took too long") }
  }

  private func scheduleSlice() {
    let flags = AUScheduledAudioSliceFlags(rawValue: UInt32(next() % 256))
    let slice = SliceMemory([Float](repeating: 0.5, count: Int(next() % 600)), at: nil, flags)
    slice.slice.pointee.mTimeStamp = stamp()
    if next() % 8 == 0 { slice.slice.pointee.mNumberFrames = count() }
    if slice.schedule(on: host) == noErr { ends.append(slice.end) }
    slices.append(slice)
  }

  private func scheduleRegion() {
    let end = CallRecord()
    let region = ScheduledAudioFileRegion(
      mTimeStamp: stamp(), mCompletionProc: CallRecord.regionProc,
      mCompletionProcUserData: end.context, mAudioFile: pick(files).id, mLoopCount: count(),
      mStartFrame: pick([0, 1, 2_999, 3_000, 3_001, -1, .max, .min]), mFramesToPlay: count())
    ends.append(end)
    if host.unit.setting(kAudioUnitProperty_ScheduledFileRegion, to: region) != noErr {
      ends.removeLast()
    }
  }

  private func readAhead() {
    _ = host.unit.setting(kAudioUnitProperty_ScheduledFileBufferSizeFrames, to: count())
    _ = host.unit.setting(kAudioUnitProperty_ScheduledFileNumberBuffers, to: count())
  }

  private func render() {
    do {
      let output = try host.render(pick([1, 64, 512, 1_000]))
      if output.contains(where: { !$0.isFinite }) { complaints.append("not finite") }
    } catch { complaints.append("\(error)") }
  }

  /// Cancels everything, which completes it.
  func finish() {
    do { try host.reset() } catch { complaints.append("\(error)") }
    for end in ends where !end.wait() { complaints.append("not completed") }
  }
}
