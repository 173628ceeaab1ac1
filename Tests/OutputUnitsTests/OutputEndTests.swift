// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// After the call that ends an output unit has returned, a program may free what its callbacks
/// used.
@Suite("The end of an output unit", .timeLimit(.minutes(60)))
struct OutputEndTests {
  /// Records the calls of a unit's callbacks and listeners; it outlives the unit.
  private final class Life: Sendable {
    let unit: UInt
    let cycles = Atomic(0)
    let began = Atomic(false)
    let ended = Atomic(false)

    init(_ unit: AudioUnit) { self.unit = UInt(bitPattern: unit) }

    static let listener: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
      let life = Unmanaged<Life>.fromOpaque(context).takeUnretainedValue()
      guard life.cycles.load(ordering: .sequentiallyConsistent) >= 3 else { return }
      life.began.store(true, ordering: .sequentiallyConsistent)
      usleep(100_000)
      life.ended.store(true, ordering: .sequentiallyConsistent)
    }

    /// Counts a cycle; returns whether it is the third.
    func isThird() -> Bool {
      cycles.add(1, ordering: .sequentiallyConsistent).newValue == 3
    }

    var cycleCount: Int { cycles.load(ordering: .sequentiallyConsistent) }
    var hasBegun: Bool { began.load(ordering: .sequentiallyConsistent) }
    var hasEnded: Bool { ended.load(ordering: .sequentiallyConsistent) }

    var handle: AudioUnit? { AudioUnit(bitPattern: unit) }
  }

  @Test("waits until a listener that the notifier calls has returned")
  func listenerOfAnotherThread() throws {
    try onDevice(clock: .paced) {
      let unit = try HostedUnit(kAudioUnitSubType_DefaultOutput)
      let life = Life(unit.handle)
      let context = Unmanaged.passUnretained(life).toOpaque()
      try unit.setCallback(
        HostCallback { moment in
          moment.fill { _, _ in 0 }
          if life.isThird(), let handle = life.handle { AudioOutputUnitStop(handle) }
          return noErr
        })
      try check(
        AudioUnitAddPropertyListener(
          unit.handle, kAudioOutputUnitProperty_IsRunning, Life.listener, context))
      try unit.initialize()
      try unit.start()
      for _ in 0..<30_000 where !life.hasBegun {
        usleep(1_000)
      }
      #expect(life.hasBegun)
      try unit.dispose()
      #expect(life.hasEnded)
    }
  }

  /// The number of times this thread has waited.
  private var waitCount: Int {
    let status = (try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    return line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? 0
  }

  @Test("needs a few waits for each unit, however many play", arguments: [10, 100])
  func many(count: Int) throws {
    // About a dozen if its thread ends immediately, which it does not on a busy machine. Waits that
    // grow with the number of units would be hundreds each time.
    #expect(try (0..<5).contains { _ in try waits(count) < 20 * count })
  }

  /// How often a thread waits that ends some units.
  private func waits(_ count: Int) throws -> Int {
    try onDevice(frames: 8_192, clock: .paced) {
      let units = try (0..<count).map { _ in
        let unit = try HostedUnit(kAudioUnitSubType_DefaultOutput)
        try unit.setCallback(
          HostCallback { moment in
            moment.fill { _, _ in 0 }
            return noErr
          })
        try unit.initialize()
        try unit.start()
        return unit
      }
      let before = waitCount
      #expect(before > 0)
      for unit in units { try unit.dispose() }
      return waitCount - before
    }
  }

  @Test("takes effect immediately in its own callback, also for the rest of the cycle")
  func ownCallback() throws {
    // Cycles of many slices.
    try onDevice(frames: 8_192, clock: .paced) {
      let unit = try HostedUnit(kAudioUnitSubType_DefaultOutput)
      try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(64))
      let life = Life(unit.handle)
      try unit.setCallback(
        HostCallback { moment in
          moment.fill { _, _ in 0 }
          if life.isThird(), let handle = life.handle { AudioComponentInstanceDispose(handle) }
          return noErr
        })
      try unit.initialize()
      try unit.start()
      for _ in 0..<10_000 where life.cycleCount < 3 {
        usleep(1_000)
      }
      usleep(400_000)
      #expect(life.cycleCount == 3)
      #expect(AudioUnitInitialize(unit.handle) == kAudio_ParamError)
    }
  }
}
