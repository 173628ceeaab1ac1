// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("A playback queue")
struct PlaybackTests {
  @Test("plays buffers one after another, bit-identically")
  func bits() throws {
    let tape = Tape()
    let sound = noise(30_000)
    try onDevice(tape) {
      let player = try TestPlayer(floatFormat())
      for start in stride(from: 0, to: sound.count, by: 7_000) {
        try player.enqueue(Array(sound[start..<min(start + 7_000, sound.count)]))
      }
      try player.playToEnd()
      #expect(waits { player.returnedCount == 5 })
    }
    let played = try tape.samples()
    #expect(Array(played[0].sounding.prefix(sound.count)) == sound)
    #expect(played[1] == played[0])
  }

  @Test("continues with the buffers of its callback, which no render thread calls")
  func refilling() throws {
    let tape = Tape()
    let sound = noise(96_000)
    try onDevice(tape) {
      let player = try TestPlayer(floatFormat())
      var next = 0
      player.refill = { queue, buffer in
        guard next < sound.count else { return _ = AudioQueueStop(queue, false) }
        sound[next..<next + 4_000].withUnsafeBytes {
          if let start = $0.baseAddress {
            buffer.pointee.mAudioData.copyMemory(from: start, byteCount: 16_000)
          }
        }
        next += 4_000
        AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
      }
      for _ in 0..<3 {
        try player.enqueue(Array(sound[next..<next + 4_000]))
        next += 4_000
      }
      #expect(AudioQueueStart(player.queue, nil) == noErr)
      try player.waitForEnd()
      #expect(!player.hasBeenCalledWhileRendering)
      #expect(player.callerNames == ["audio-callbacks"])
    }
    #expect(Array(try tape.samples()[0].sounding.prefix(sound.count)) == sound)
  }

  @Test("plays 16-bit stereo at another rate")
  func otherFormat() throws {
    let tape = Tape()
    try onDevice(tape) {
      let format = AudioStreamBasicDescription(
        mSampleRate: 22_050, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
        mBitsPerChannel: 16, mReserved: 0)
      let player = try TestPlayer(format)
      let tone = Signal.sine(441, amplitude: 0.5, sampleRate: 22_050, count: 22_050)
      let samples = tone.samples.flatMap { [Int16($0 * 32_767), Int16(0)] }
      let buffer = try samples.withUnsafeBytes { try player.buffer($0) }
      try #require(AudioQueueEnqueueBuffer(player.queue, buffer, 0, nil) == noErr)
      try player.playToEnd()
    }
    let tone = try tape.signal(0)[10_000..<40_000].tone(near: 441)
    #expect(abs(tone.frequency - 441) < 0.01)
    #expect(abs(tone.amplitude - 0.5) < 0.001)
    #expect(try tape.samples()[1].allSatisfy { $0 == 0 })
  }

  @Test("begins buffers at their start times, trims them, and applies their parameters")
  func parameters() throws {
    let tape = Tape()
    let sound = noise(8_000)
    var actual = AudioTimeStamp()
    try onDevice(tape) {
      let player = try TestPlayer(floatFormat())
      try player.enqueue(sound)
      var start = AudioTimeStamp()
      start.mSampleTime = 12_345
      start.mFlags = .sampleTimeValid
      var half = AudioQueueParameterEvent(mID: kAudioQueueParam_Volume, mValue: 0.5)
      let status = AudioQueueEnqueueBufferWithParameters(
        player.queue, try player.buffer(sound), 0, nil, 100, 1_000, 1, &half, &start, &actual)
      #expect(status == noErr)
      try player.playToEnd()
      var volume = Float(0)
      AudioQueueGetParameter(player.queue, kAudioQueueParam_Volume, &volume)
      #expect(volume == 0.5)
    }
    #expect(actual.mSampleTime == 12_345)
    let played = try tape.samples()[0]
    let begin = try #require(played.firstIndex { $0 != 0 })
    #expect(Array(played[begin..<begin + 8_000]) == sound)
    #expect(played[begin + 8_000..<begin + 12_345].allSatisfy { $0 == 0 })
    // The volume ramp takes 240 frames.
    let second = Array(played[begin + 12_345 + 240..<begin + 12_345 + 6_900])
    #expect(second == sound[340..<7_000].map { $0 * 0.5 })
    #expect(played[(begin + 12_345 + 6_900)...].allSatisfy { $0 == 0 })
  }

  @Test("pans mono, and balances stereo")
  func pan() throws {
    let tape = Tape()
    try onDevice(tape) {
      let player = try TestPlayer(floatFormat())
      #expect(AudioQueueSetParameter(player.queue, kAudioQueueParam_Pan, -0.5) == noErr)
      try player.enqueue(Signal.sine(1_000, amplitude: 0.5, count: 24_000).floats)
      try player.playToEnd()
    }
    let (left, right) = (try tape.signal(0), try tape.signal(1))
    #expect(abs(left[4_000..<20_000].tone(at: 1_000).amplitude - 0.5) < 1e-5)
    #expect(abs(right[4_000..<20_000].tone(at: 1_000).amplitude - 0.25) < 1e-5)
  }

  @Test("ramps the volume linearly over the ramp time")
  func ramp() throws {
    let tape = Tape()
    try onDevice(tape) {
      let player = try TestPlayer(floatFormat())
      AudioQueueSetParameter(player.queue, kAudioQueueParam_Volume, 0)
      AudioQueueSetParameter(player.queue, kAudioQueueParam_VolumeRampTime, 0.25)
      var full = AudioQueueParameterEvent(mID: kAudioQueueParam_Volume, mValue: 1)
      let ones = [Float](repeating: 1, count: 20_000)
      let status = AudioQueueEnqueueBufferWithParameters(
        player.queue, try player.buffer(ones), 0, nil, 0, 0, 1, &full, nil, nil)
      #expect(status == noErr)
      try player.playToEnd()
    }
    let played = try tape.samples()[0].sounding
    for frame in [0, 3_000, 6_000, 11_000] {
      #expect(abs(played[frame] - Float(frame + 1) / 12_000) < 1e-3, "\(frame)")
    }
    #expect(played[13_000] == 1)
  }

  @Test("continues without a click when it runs dry, and reports the gap")
  func dry() throws {
    let tape = Tape()
    let tone = Signal.sine(300, amplitude: 0.5, phase: 0.1, count: 6_000).floats
    try onDevice(tape, clock: .paced) {
      let player = try TestPlayer(floatFormat())
      var timeline: AudioQueueTimelineRef?
      try #require(AudioQueueCreateTimeline(player.queue, &timeline) == noErr)
      try player.enqueue(tone)
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      var gap = DarwinBoolean(true)
      #expect(AudioQueueGetCurrentTime(player.queue, timeline, nil, &gap) == noErr)
      #expect(gap == false)
      func xruns() throws -> UInt32 {
        try player.property(
          AudioQueuePropertyID(kAUDiagnosticsProperty_Xruns), AUDiagnosticsXruns()
        ).mCount
      }
      #expect(try waits { try xruns() == 1 })
      #expect(player.isRunning)
      try player.enqueue(tone)
      #expect(AudioQueueStop(player.queue, false) == noErr)
      try player.waitForEnd()
      #expect(try xruns() == 1)
    }
    let played = try tape.samples()[0].sounding
    // The tone itself rises by 0.02 from sample to sample; a click would be a jump of up to 0.5.
    let jumps = zip(played.dropFirst(), played).map { abs($0 - $1) }
    let lastJump = jumps.lastIndex { $0 > 0.03 }
    // The second buffer is the end of the sound, which is not faded out.
    #expect(jumps.filter { $0 > 0.03 }.count <= 1, "\(String(describing: lastJump))")
    #expect(played.count > 12_000)
  }

  @Test("changes its rate if that is enabled, but not while it is bypassed")
  func playRate() throws {
    for (bypass, length) in [(UInt32(0), 24_000), (1, 48_000)] {
      let tape = Tape()
      try onDevice(tape) {
        let player = try TestPlayer(floatFormat())
        #expect(player.set(kAudioQueueProperty_EnableTimePitch, UInt32(1)) == noErr)
        #expect(
          player.set(
            kAudioQueueProperty_TimePitchAlgorithm,
            UInt32(kAudioQueueTimePitchAlgorithm_Varispeed)) == noErr)
        #expect(player.set(kAudioQueueProperty_TimePitchBypass, bypass) == noErr)
        AudioQueueSetParameter(player.queue, kAudioQueueParam_PlayRate, 2)
        try player.enqueue(Signal.sine(500, amplitude: 0.5, phase: 0.25, count: 48_000).floats)
        try player.playToEnd()
      }
      let played = try tape.samples()[0].sounding
      let end = try #require(played.lastIndex { abs($0) > 1e-3 })
      #expect(abs(end - length) < 100)
      let frequency = bypass == 0 ? 1_000.0 : 500
      let tone = Signal(Array(played[4_000..<20_000])).tone(near: frequency)
      #expect(abs(tone.frequency - frequency) < 0.01)
    }
  }

  @Test("measures its levels")
  func levels() throws {
    try onDevice {
      let player = try TestPlayer(floatFormat(2))
      #expect(player.set(kAudioQueueProperty_EnableLevelMetering, UInt32(1)) == noErr)
      let tone = Signal.sine(1_000, amplitude: 0.5, count: 96_000).floats
      try player.enqueue(tone.flatMap { [$0, 0] })
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      var states = [AudioQueueLevelMeterState](repeating: .init(), count: 2)
      let hasLevel = waits {
        var size = UInt32(16)
        AudioQueueGetProperty(
          player.queue, kAudioQueueProperty_CurrentLevelMeterDB, &states, &size)
        return abs(states[0].mPeakPower + 6.02) < 0.1 && abs(states[0].mAveragePower + 9.03) < 0.3
      }
      #expect(hasLevel, "\(states)")
      #expect(states[1].mPeakPower == -120)
    }
  }

  @Test("calls the callback on its run loop")
  func runLoop() throws {
    try onDevice {
      let player = try TestPlayer(floatFormat(), loop: CFRunLoopGetCurrent())
      try player.enqueue(noise(4_000))
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      usleep(100_000)
      // No thread runs the loop.
      #expect(player.returnedCount == 0)
      let deadline = Date(timeIntervalSinceNow: 10)
      while player.returnedCount == 0, Date() < deadline {
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.1, true)
      }
      #expect(player.returnedCount == 1)
      #expect(!player.callerNames.contains("audio-callbacks"))
    }
  }

  @Test("returns all buffers when it is stopped or reset")
  func returningBuffers() throws {
    try onDevice(clock: .paced) {
      let player = try TestPlayer(floatFormat())
      for _ in 0..<4 { try player.enqueue(noise(48_000)) }
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      #expect(AudioQueueReset(player.queue) == noErr)
      #expect(waits { player.returnedCount == 4 })
      #expect(player.isRunning)
      for buffer in player.returnedBuffers {
        #expect(AudioQueueEnqueueBuffer(player.queue, buffer, 0, nil) == noErr)
      }
      #expect(AudioQueueStop(player.queue, true) == noErr)
      #expect(!player.isRunning)
      #expect(waits { player.returnedCount == 8 })
    }
  }

  @Test("keeps its buffers and its time while it is paused")
  func pausing() throws {
    try onDevice(clock: .paced) {
      let player = try TestPlayer(floatFormat())
      try player.enqueue(noise(96_000))
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      var (first, second) = (AudioTimeStamp(), AudioTimeStamp())
      let begins = waits {
        AudioQueueGetCurrentTime(player.queue, nil, &first, nil)
        return first.mSampleTime > 0
      }
      #expect(begins)
      #expect(AudioQueuePause(player.queue) == noErr)
      #expect(AudioQueueGetCurrentTime(player.queue, nil, &first, nil) == noErr)
      usleep(50_000)
      #expect(AudioQueueGetCurrentTime(player.queue, nil, &second, nil) == noErr)
      #expect(first.mSampleTime == second.mSampleTime)
      #expect(first.mSampleTime > 0)
      #expect(player.returnedCount == 0)
      #expect(AudioQueueStart(player.queue, nil) == noErr)
      let continues = waits {
        AudioQueueGetCurrentTime(player.queue, nil, &second, nil)
        return second.mSampleTime > first.mSampleTime
      }
      #expect(continues)
    }
  }

  @Test("starts at a time; its own time is negative until then")
  func startTime() throws {
    let tape = Tape()
    try onDevice(tape, clock: .paced) {
      let player = try TestPlayer(floatFormat())
      try player.enqueue([Float](repeating: 0.5, count: 4_800))
      var now = AudioTimeStamp()
      #expect(AudioQueueDeviceGetCurrentTime(player.queue, &now) == noErr)
      #expect(now.mFlags == .hostTimeValid)
      var start = AudioTimeStamp()
      start.mHostTime = now.mHostTime + 2_000_000_000
      start.mFlags = .hostTimeValid
      try #require(AudioQueueStart(player.queue, &start) == noErr)
      usleep(100_000)
      var time = AudioTimeStamp()
      #expect(AudioQueueGetCurrentTime(player.queue, nil, &time, nil) == noErr)
      #expect(time.mSampleTime < 0)
      #expect(AudioQueueStop(player.queue, false) == noErr)
      try player.waitForEnd()
    }
    // This is well after the start of the device.
    let begin = try #require(try tape.samples()[0].firstIndex { $0 != 0 })
    #expect(begin > 5_000)
  }
}
