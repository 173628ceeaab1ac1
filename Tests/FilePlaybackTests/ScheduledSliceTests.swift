// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Scheduled sound player")
struct ScheduledSliceTests {
  private func host() throws -> PlayerHost {
    try PlayerHost(kAudioUnitSubType_ScheduledSoundPlayer)
  }

  private func ramp(_ count: Int, from first: Int = 1) -> [Float] {
    (0..<count).map { Float(first + $0) }
  }

  private func zeros(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  @Test("is silent until its start is set, and plays each slice at its frame", arguments: [512, 7])
  func places(slice: Int) throws {
    let host = try host()
    let late = SliceMemory(ramp(20, from: 100), at: 60)
    let first = SliceMemory(ramp(30), at: 10)
    for memory in [late, first] { try check(memory.schedule(on: host)) }
    #expect(try host.playTime == -1)
    #expect(try host.render(50, slice: slice) == zeros(50))
    #expect(host.wasSilent && first.flags == [])
    try host.start()
    let expected = zeros(10) + ramp(30) + zeros(20) + ramp(20, from: 100) + zeros(20)
    #expect(try host.render(100, slice: slice) == expected)
    #expect(try host.playTime == 100)
    for memory in [first, late] {
      #expect(
        memory.flags == [.scheduledAudioSliceFlag_Complete, .scheduledAudioSliceFlag_BeganToRender])
      #expect(memory.end.wait() && memory.end.calls == 1)
      #expect(memory.end.thread.load(ordering: .relaxed) != UInt(pthread_self()))
      #expect(memory.end.locks.load(ordering: .relaxed) == 0)
    }
  }

  @Test("plays a slice without a time after the previous one, or immediately if there is none")
  func following() throws {
    let host = try host()
    let slices = [SliceMemory(ramp(5), at: 3), SliceMemory(ramp(5, from: 6))]
    for memory in slices { try check(memory.schedule(on: host)) }
    try host.start()
    #expect(try host.render(20) == zeros(3) + ramp(10) + zeros(7))
    let other = SliceMemory(ramp(4))
    try check(other.schedule(on: host))
    #expect(try host.render(6) == ramp(4) + zeros(2))
    withExtendedLifetime(slices) {}
  }

  @Test("skips the beginning of a late slice, and flags it")
  func lateness() throws {
    let host = try host()
    try host.start()
    _ = try host.render(10)
    let late = SliceMemory(ramp(10), at: 6)
    let missed = SliceMemory(ramp(3), at: 2)
    for memory in [late, missed] { try check(memory.schedule(on: host)) }
    #expect(try host.render(10) == ramp(6, from: 5) + zeros(4))
    #expect(late.flags.contains(.scheduledAudioSliceFlag_BeganToRenderLate))
    #expect(missed.flags == .scheduledAudioSliceFlag_Complete)
    #expect(missed.end.wait() && late.end.wait())
  }

  @Test("plays a slice that overlaps another after the other's end, in time")
  func overlap() throws {
    let host = try host()
    let slices = [SliceMemory(ramp(10), at: 0), SliceMemory(ramp(10, from: 100), at: 6)]
    for memory in slices { try check(memory.schedule(on: host)) }
    try host.start()
    #expect(try host.render(20) == ramp(10) + ramp(6, from: 104) + zeros(4))
    #expect(slices[1].flags.contains(.scheduledAudioSliceFlag_BeganToRenderLate))
    withExtendedLifetime(slices) {}
  }

  @Test(
    "repeats a slice until another interrupts it, at its time or at the loop's end",
    arguments: [5, 3])
  func loops(slice: Int) throws {
    let host = try host()
    let loop = SliceMemory(ramp(4), at: 0, .scheduledAudioSliceFlag_Loop)
    let interrupting = SliceMemory(ramp(2, from: 50), at: 6, .scheduledAudioSliceFlag_Interrupt)
    for memory in [loop, interrupting] { try check(memory.schedule(on: host)) }
    try host.start()
    #expect(
      try host.render(10, slice: slice) == [1, 2, 3, 4, 1, 2, 50, 51, 0, 0])
    #expect(loop.isComplete && loop.end.wait() && interrupting.end.wait())

    let second = SliceMemory(ramp(4), at: nil, .scheduledAudioSliceFlag_Loop)
    let next = SliceMemory(ramp(3, from: 70), at: nil, .scheduledAudioSliceFlag_InterruptAtLoop)
    try check(second.schedule(on: host))
    #expect(try host.render(6, slice: slice) == [1, 2, 3, 4, 1, 2])
    try check(next.schedule(on: host))
    #expect(try host.render(6, slice: slice) == [3, 4, 70, 71, 72, 0])
    #expect(second.end.wait() && next.end.wait())
  }

  @Test("interrupts immediately if the interrupting slice has no time")
  func interruptNow() throws {
    let host = try host()
    let slices = [
      SliceMemory(ramp(100), at: 0), SliceMemory(ramp(10, from: 200), at: 300),
      SliceMemory(ramp(3, from: 50), at: nil, .scheduledAudioSliceFlag_Interrupt),
    ]
    try check(slices[0].schedule(on: host))
    try check(slices[1].schedule(on: host))
    try host.start()
    #expect(try host.render(4) == ramp(4))
    try check(slices[2].schedule(on: host))
    #expect(try host.render(5) == [50, 51, 52, 0, 0])
    // The slice that was scheduled before it has ended without being played.
    #expect(slices[1].flags == .scheduledAudioSliceFlag_Complete)
    for memory in slices { #expect(memory.end.wait() && memory.end.calls == 1) }
  }

  @Test("starts at a sample time within a slice, or at a host time")
  func startTimes() throws {
    let host = try host()
    let first = SliceMemory(ramp(4), at: 0)
    try check(first.schedule(on: host))
    try host.start(at: 5)
    #expect(try host.render(12) == zeros(5) + ramp(4) + zeros(3))
    try host.reset()

    let second = SliceMemory(ramp(4), at: 0)
    try check(second.schedule(on: host))
    var stamp = AudioTimeStamp()
    stamp.mFlags = .hostTimeValid
    stamp.mHostTime = 1_000_000_000 + 62_500  // three frames
    try host.unit.set(kAudioUnitProperty_ScheduleStartTimeStamp, to: stamp)
    #expect(try host.render(10, hostTime: 1_000_000_000) == zeros(3) + ramp(4) + zeros(3))
    #expect(first.end.wait() && second.end.wait())
  }

  @Test("plays a slice at its host time")
  func hostTimes() throws {
    let host = try host()
    let slice = SliceMemory(ramp(4))
    slice.slice.pointee.mTimeStamp.mFlags = .hostTimeValid
    slice.slice.pointee.mTimeStamp.mHostTime = 2_000_000_000 + 125_000  // six frames
    try check(slice.schedule(on: host))
    try host.start()
    #expect(try host.render(12, hostTime: 2_000_000_000) == zeros(6) + ramp(4) + zeros(2))
    #expect(slice.end.wait())
  }

  @Test("follows time that jumps ahead, and continues when time jumps back")
  func jumps() throws {
    let host = try host()
    let slice = SliceMemory(ramp(100), at: 0)
    try check(slice.schedule(on: host))
    try host.start()
    #expect(try host.render(10) == ramp(10))
    host.jump(to: 30)
    #expect(try host.render(10) == ramp(10, from: 31))
    host.jump(to: 0)
    #expect(try host.render(10) == ramp(10, from: 41))
    try host.reset()
    #expect(slice.end.wait())
  }

  @Test("completes every slice once, on a reset and when it is uninitialized")
  func cancellation() throws {
    let host = try host()
    let slices = (0..<3).map { SliceMemory(ramp(10), at: Double(20 * $0)) }
    for memory in slices { try check(memory.schedule(on: host)) }
    try host.start()
    _ = try host.render(5)
    try host.reset()
    #expect(slices.allSatisfy { $0.isComplete })
    #expect(slices[0].flags.contains(.scheduledAudioSliceFlag_BeganToRender))
    #expect(slices[1].flags == .scheduledAudioSliceFlag_Complete)
    #expect(slices.allSatisfy { $0.end.calls == 1 })
    #expect(try host.playTime == -1)
    #expect(try host.render(10) == zeros(10))

    let other = SliceMemory(ramp(10), at: 0)
    try check(other.schedule(on: host))
    try host.start()
    #expect(try host.render(2) == ramp(2))
    try host.unit.uninitialize()
    #expect(other.isComplete && other.end.calls == 1)
    try host.unit.initialize()
    #expect(try host.render(10) == zeros(10))
    try host.unit.dispose()
    #expect(slices.allSatisfy { $0.end.calls == 1 } && other.end.calls == 1)
  }

  @Test("lets a completion function schedule the next slice")
  func chain() throws {
    final class Chain: @unchecked Sendable {
      let host: PlayerHost
      var slices: [SliceMemory] = []
      init(_ host: PlayerHost) { self.host = host }
    }
    let chain = Chain(try host())
    chain.slices = (0..<50).map { index in SliceMemory(ramp(4, from: 4 * index + 1)) }
    let proc: ScheduledAudioSliceCompletionProc = { context, slice in
      guard let context else { return }
      let chain = Unmanaged<Chain>.fromOpaque(context).takeUnretainedValue()
      guard let index = chain.slices.firstIndex(where: { $0.slice == slice }) else { return }
      chain.slices[index].end.note(noErr)
      if index + 1 < chain.slices.count { _ = chain.slices[index + 1].schedule(on: chain.host) }
    }
    for memory in chain.slices {
      memory.slice.pointee.mCompletionProc = proc
      memory.slice.pointee.mCompletionProcUserData = Unmanaged.passUnretained(chain).toOpaque()
    }
    try check(chain.slices[0].schedule(on: chain.host))
    try chain.host.start()
    var output: [Float] = []
    for _ in 0..<20_000 where chain.slices[49].end.calls == 0 {
      output += try chain.host.render(16)
      usleep(200)
    }
    #expect(output.filter { $0 != 0 } == ramp(200))
    #expect(chain.slices.allSatisfy { $0.end.calls == 1 })
  }

  @Test("refuses invalid slices and start times with a reason")
  func refusals() throws {
    let host = try host()
    let wrong = SliceMemory(ramp(4))
    wrong.slice.pointee.mNumberFrames = 5
    #expect(wrong.schedule(on: host) == kAudioUnitErr_InvalidPropertyValue)
    #expect(lastReason().contains("5 frames take"))
    var stamp = AudioTimeStamp()
    #expect(
      host.unit.setting(kAudioUnitProperty_ScheduleStartTimeStamp, to: stamp)
        == kAudioUnitErr_InvalidPropertyValue)
    stamp.mFlags = .sampleTimeValid
    stamp.mSampleTime = .nan
    #expect(
      host.unit.setting(kAudioUnitProperty_ScheduleStartTimeStamp, to: stamp)
        == kAudioUnitErr_InvalidPropertyValue)
    try host.unit.uninitialize()
    #expect(SliceMemory(ramp(4)).schedule(on: host) == kAudioUnitErr_Uninitialized)
    var size: UInt32 = 112
    #expect(
      AudioUnitGetProperty(
        host.unit.handle, kAudioUnitProperty_ScheduleAudioSlice, kAudioUnitScope_Global, 0,
        wrong.slice, &size) == kAudioUnitErr_InvalidProperty)
  }
}
