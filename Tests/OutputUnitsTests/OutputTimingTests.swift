// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

@Suite("Output unit, in time")
struct OutputTimingTests {
  struct Case: Sendable {
    var program: Double
    var device: Double
    var cycle: Int
    var maximum: UInt32
  }

  @Test(
    "splits a cycle into slices that are no longer than the maximum and have no gaps",
    arguments: [
      Case(program: 44_100, device: 44_100, cycle: 8_192, maximum: 1_156),
      Case(program: 44_100, device: 44_100, cycle: 8_192, maximum: 512),
      Case(program: 44_100, device: 44_100, cycle: 8_192, maximum: 1_000),
      Case(program: 44_100, device: 44_100, cycle: 64, maximum: 1),
      Case(program: 44_100, device: 48_000, cycle: 8_192, maximum: 1_156),
      Case(program: 192_000, device: 48_000, cycle: 8_192, maximum: 512),
      Case(program: 192_000, device: 8_000, cycle: 1_024, maximum: 3),
      Case(program: 8_000, device: 192_000, cycle: 16, maximum: 512),
      Case(program: 8_000, device: 192_000, cycle: 65_536, maximum: 1),
    ])
  func slices(_ setup: Case) throws {
    let tape = Tape()
    let tone = Signal.sine(500, amplitude: 0.5, sampleRate: setup.program, count: 1).sampleRate
    let callback = HostCallback { moment in
      if moment.position > 60_000 { usleep(500) }
      moment.fill { _, frame in Float(0.5 * sin(2 * .pi * 500 * Double(frame) / tone)) }
      return noErr
    }
    try onDevice(tape, rate: setup.device, frames: setup.cycle) {
      let unit = try HostedUnit()
      try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: setup.maximum)
      try unit.setFormat(.linear(setup.program))
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames > 20_000 })
      try unit.stop()
      #expect(try unit.lastRenderError == noErr)
    }
    let calls = callback.calls
    var time = 0.0
    for call in calls {
      #expect(call.frames >= 1 && call.frames <= Int(setup.maximum))
      #expect(call.time.mSampleTime == time)
      #expect(call.time.mFlags.contains([.sampleHostTimeValid, .rateScalarValid]))
      #expect(call.time.mRateScalar == 1)
      // A mono callback may derive its capacity from the size.
      #expect(call.byteSizes == [UInt32(call.frames * 4), UInt32(call.frames * 4)])
      time += Double(call.frames)
    }
    for (call, next) in zip(calls, calls.dropFirst()) {
      let elapsed = Double(next.time.mHostTime) - Double(call.time.mHostTime)
      // Because of the filters a slice's frames vary by one or two.
      let expected = Double(call.frames) / setup.program * 1e9
      #expect(abs(elapsed - expected) < 3e9 / min(setup.program, setup.device) + 10)
    }
    let recorded = try tape.signal()
    let settled = recorded[min(recorded.count / 2, 8_000)..<recorded.count]
    #expect(settled.tone(near: 500).distortionAndNoise < -90)
  }

  @Test("calls its callback 86 times a second with cycles of 512 frames at 44,100 Hz")
  func rate() throws {
    let callback = HostCallback()
    try onDevice(rate: 44_100, frames: 512, clock: .paced) {
      let unit = try HostedUnit()
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.count > 220 })
      try unit.stop()
    }
    let calls = callback.calls
    let (first, last) = (try #require(calls.first), try #require(calls.last))
    #expect(calls.allSatisfy { $0.frames == 512 })
    let seconds = Double(last.now - first.now) / AudioGetHostClockFrequency()
    #expect(abs(Double(calls.count - 1) / seconds - 86.13) < 0.5)
    let nominal = Double(last.time.mHostTime - first.time.mHostTime) / 1e9
    #expect(abs(Double(calls.count - 1) / nominal - 44_100.0 / 512) < 1e-4)
  }

  @Test("runs on its own thread, with real-time priority if permitted")
  func thread() throws {
    let policy = Atomic<CInt>(-1)
    let callback = HostCallback { _ in
      policy.store(Self.policy, ordering: .relaxed)
      return noErr
    }
    try onDevice(clock: .paced) {
      let unit = try HostedUnit()
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.count > 2 })
      try unit.stop()
    }
    #expect(callback.calls.allSatisfy { $0.thread != UInt(pthread_self()) })
    #expect(Set(callback.calls.map(\.thread)).count == 1)
    #expect(policy.load(ordering: .relaxed) == Self.allowedPolicy)
  }

  @Test("applies a start time only to the next start")
  func startTime() throws {
    try onDevice(clock: .paced) {
      let unit = try HostedUnit()
      let callback = HostCallback()
      try unit.setCallback(callback)
      try unit.initialize()
      var parameters = AudioOutputUnitStartAtTimeParams()
      parameters.mTimestamp.mHostTime = AudioGetCurrentHostTime() + 200_000_000
      parameters.mTimestamp.mFlags = .hostTimeValid
      try unit.set(kAudioOutputUnitProperty_StartTime, to: parameters)
      try unit.start()
      #expect(wait { callback.count > 1 })
      try unit.stop()
      let first = try #require(callback.calls.first)
      #expect(first.time.mHostTime == parameters.mTimestamp.mHostTime)
      #expect(first.now >= parameters.mTimestamp.mHostTime)
      let count = callback.count
      let before = AudioGetCurrentHostTime()
      try unit.start()
      #expect(wait { callback.count > count })
      try unit.stop()
      #expect(callback.calls[count].time.mHostTime < before + 200_000_000)
      parameters.mTimestamp.mFlags = .sampleTimeValid
      #expect(
        unit.setting(kAudioOutputUnitProperty_StartTime, to: parameters)
          == kAudioUnitErr_InvalidPropertyValue)
    }
  }

  @Test("uses the device's time if time stamps do not start at zero")
  func deviceClock() throws {
    try onDevice(clock: .paced) {
      let unit = try HostedUnit()
      try unit.set(kAudioOutputUnitProperty_StartTimestampsAtZero, to: UInt32(0))
      #expect(try unit.get(kAudioOutputUnitProperty_StartTimestampsAtZero, as: UInt32(7)) == 0)
      let callback = HostCallback()
      try unit.setCallback(callback)
      try unit.setFormat(.linear(48_000))
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.count > 3 })
      try unit.stop()
      for call in callback.calls {
        let frames = Double(call.time.mHostTime) * 48_000 / 1e9
        #expect(abs(call.time.mSampleTime - frames) < 2)
      }
      let count = callback.count
      try unit.start()
      #expect(wait { callback.count > count })
      try unit.stop()
      let times = callback.calls.map(\.time.mSampleTime)
      #expect(times[count] > times[count - 1])
    }
  }

  @Test(
    "a parameter that is set between two cycles applies in the next one",
    arguments: [64, 256, 1_024])
  func parameterToSound(cycle: Int) throws {
    let tape = Tape()
    let change = 8 * cycle
    try onDevice(tape, rate: 48_000, frames: cycle) {
      let tone = try HostedUnit.tone()
      let format = AudioStreamBasicDescription.linear(48_000)
      try tone.setFormat(format, kAudioUnitScope_Output)
      try tone.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(cycle))
      #expect(
        AudioUnitSetParameter(
          tone.handle, kToneGeneratorParam_Amplitude, kAudioUnitScope_Global, 0, 0, 0) == noErr)
      try tone.initialize()
      let box = UnitBox()
      box.set(tone.handle)
      let callback = HostCallback { moment in
        if moment.position == change {
          AudioUnitSetParameter(
            box.handle, kToneGeneratorParam_Amplitude, kAudioUnitScope_Global, 0, 0.5, 0)
        }
        if moment.position > 60_000 { usleep(500) }
        guard let list = moment.list else { return -1 }
        return AudioUnitRender(
          box.handle, moment.flags, moment.time, 0, UInt32(moment.frames), list)
      }
      let unit = try HostedUnit()
      try unit.setFormat(format)
      try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(cycle))
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames > 20_000 })
      try unit.stop()
    }
    let samples = try tape.samples()[0]
    #expect(samples[..<change].allSatisfy { $0 == 0 })
    #expect(samples[change..<change + cycle].contains { abs($0) > 0.01 })
  }

  private static var policy: CInt {
    var policy: CInt = 0
    var parameters = sched_param()
    pthread_getschedparam(pthread_self(), &policy, &parameters)
    return policy
  }

  /// The policy that a thread gets when it requests real-time scheduling.
  private static var allowedPolicy: CInt {
    let found = Atomic<CInt>(-1)
    let thread = Thread {
      var parameters = sched_param()
      parameters.sched_priority = 1
      pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
      found.store(policy, ordering: .releasing)
    }
    thread.start()
    wait { found.load(ordering: .acquiring) >= 0 }
    return found.load(ordering: .acquiring)
  }
}
