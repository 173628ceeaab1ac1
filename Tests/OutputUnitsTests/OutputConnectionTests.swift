// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

@Suite("Output unit, with a unit connected")
struct OutputConnectionTests {
  /// Records a connected tone generator until `frames` frames were played.
  private func record(
    _ frames: Int, rate: Double = 48_000,
    prepare: (HostedUnit, HostedUnit) throws -> Void = { _, _ in },
    during: (HostedUnit, HostedUnit) throws -> Void = { _, _ in }
  ) throws -> Tape {
    let tape = Tape()
    try onDevice(tape, rate: rate) {
      let (tone, unit) = (try HostedUnit.tone(), try HostedUnit())
      try tone.setFormat(.linear(48_000, channels: 1), kAudioUnitScope_Output, 0)
      let notify = HostCallback { moment in
        if moment.position > 4 * frames { usleep(500) }
        return noErr
      }
      try prepare(tone, unit)
      try unit.addNotify(notify)
      try unit.connect(tone)
      try tone.initialize()
      try unit.initialize()
      try unit.start()
      try during(tone, unit)
      // A notify is called before and after each render.
      #expect(wait { notify.frames / 2 >= frames })
      try unit.stop()
      #expect(try unit.lastRenderError == noErr)
    }
    return tape
  }

  private func setParameter(_ unit: HostedUnit, _ id: AudioUnitParameterID, _ value: Float) throws {
    try check(AudioUnitSetParameter(unit.handle, id, kAudioUnitScope_Global, 0, value, 0))
  }

  private func schedule(
    _ unit: HostedUnit, _ id: AudioUnitParameterID, from: Float, to: Float, start: Int32 = 0,
    frames: UInt32
  ) throws {
    var event = AudioUnitParameterEvent()
    event.scope = kAudioUnitScope_Global
    event.parameter = id
    event.eventType = .parameterEvent_Ramped
    event.eventValues.ramp.startBufferOffset = start
    event.eventValues.ramp.durationInFrames = frames
    event.eventValues.ramp.startValue = from
    event.eventValues.ramp.endValue = to
    try check(AudioUnitScheduleParameters(unit.handle, &event, 1))
  }

  @Test("adopts the format of the unit that is connected to it, and plays it")
  func connection() throws {
    let tape = try record(480_000) { tone, unit in
      try unit.connect(tone)
      let format = try unit.format()
      #expect(format.mSampleRate == 48_000)
      #expect(format.mChannelsPerFrame == 1)
      #expect(
        unit.setting(
          kAudioUnitProperty_StreamFormat, to: AudioStreamBasicDescription.linear(44_100),
          kAudioUnitScope_Input, 0) == kAudioUnitErr_PropertyNotWritable)
      try self.setParameter(tone, 0, 440)
      try self.setParameter(tone, 2, 0.5)
    }
    let recorded = try tape.samples()
    #expect(recorded[0] == recorded[1])
    let fit = try tape.signal()[0..<480_000].tone(near: 440)
    #expect(abs(fit.frequency - 440) < 1e-6)
    #expect(abs(fit.amplitude - 0.5) < 1e-6)
    #expect(fit.distortionAndNoise < -140)
  }

  @Test("converts the rate of the unit that is connected to it")
  func connectionRate() throws {
    let tape = try record(200_000, rate: 44_100)
    let fit = try tape.signal()[2_000..<180_000].tone(near: 440)
    #expect(abs(fit.frequency - 440) < 1e-6)
    #expect(fit.distortionAndNoise < -115)
  }

  @Test("follows a frequency that moves while it plays, without a step in the wave")
  func sweep() throws {
    let tape = try record(400_000) { tone, _ in
      try self.setParameter(tone, 2, 1)
    } during: { tone, _ in
      for step in 0..<180 {
        try self.setParameter(tone, 0, 200 + Float(step) * 10)
        usleep(200)
      }
    }
    // The phase is continuous, however many of the steps were in one cycle.
    let samples = try tape.samples()[0]
    let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }
    #expect(try #require(steps.max()) <= Float(2 * sin(Double.pi * 1_990 / 48_000)) + 1e-6)
  }

  @Test("passes samples unchanged at volume one, and scales them exactly below")
  func volume() throws {
    let samples = [noise(3_000), noise(3_000, seed: 2)]
    for gain in [1, 0.5, 0.25, 0] as [Float] {
      let tape = Tape()
      try onDevice(tape, rate: 44_100) {
        let unit = try HostedUnit()
        try setParameter(unit, kHALOutputParam_Volume, gain)
        try play(samples, on: unit)
      }
      let recorded = try tape.samples()
      #expect(Array(recorded[1].prefix(3_000)) == samples[1].map { $0 * gain })
    }
  }

  @Test("follows a volume ramp that was scheduled before the start, frame by frame")
  func volumeRamp() throws {
    let tape = Tape()
    let callback = HostCallback { moment in
      moment.fill { _, _ in 1 }
      return noErr
    }
    try onDevice(tape, rate: 44_100) {
      let unit = try HostedUnit()
      try unit.setCallback(callback)
      try unit.initialize()
      try schedule(unit, kHALOutputParam_Volume, from: 0, to: 1, start: 100, frames: 4_000)
      try schedule(unit, kHALOutputParam_Volume, from: 1, to: 0.5, start: 6_000, frames: 1_000)
      try unit.start()
      #expect(wait { callback.frames > 8_000 })
      try unit.stop()
      var value: Float = 0
      try check(
        AudioUnitGetParameter(
          unit.handle, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, &value))
      #expect(value == 0.5)
    }
    let recorded = try tape.samples()[0]
    for frame in 0..<8_000 {
      let expected: Double =
        switch frame {
        case ..<100: 1
        case ..<4_100: Double(frame - 100) / 4_000
        case ..<6_000: 1
        case ..<7_000: 1 - Double(frame - 6_000) / 2_000
        default: 0.5
        }
      #expect(abs(Double(recorded[frame]) - expected) < 1e-5, "frame \(frame)")
    }
  }

  @Test("never amplifies, whatever volume is set or ramped to")
  func volumeBeyondRange() throws {
    let tape = Tape()
    let callback = HostCallback { moment in
      moment.fill { _, _ in 0.5 }
      return noErr
    }
    try onDevice(tape, rate: 44_100) {
      let unit = try HostedUnit()
      try unit.setCallback(callback)
      try unit.initialize()
      try setParameter(unit, kHALOutputParam_Volume, 1e6)
      try schedule(unit, kHALOutputParam_Volume, from: 3e38, to: -3e38, start: 2_000, frames: 1_000)
      try unit.start()
      #expect(wait { callback.frames > 5_000 })
      try unit.stop()
    }
    let recorded = try tape.samples()[0].prefix(5_000)
    #expect(recorded.prefix(2_000).allSatisfy { $0 == 0.5 })
    for frame in 2_000..<5_000 {
      let expected = 0.5 * max(0, 1 - Double(frame - 2_000) / 1_000)
      #expect(abs(Double(recorded[frame]) - expected) < 1e-5, "frame \(frame)")
    }
  }

  @Test("calls its notifies before and after each slice, with the device's samples")
  func notifies() throws {
    let tape = Tape()
    let order = Order()
    let callback = HostCallback { moment in
      order.note("callback")
      moment.fill { _, _ in 0.25 }
      return moment.position == 512 ? -5 : noErr
    }
    let notify = HostCallback { moment in
      let flags = moment.flags.pointee
      if flags.contains(.unitRenderAction_PreRender) { order.note("before") }
      guard flags.contains(.unitRenderAction_PostRender) else { return noErr }
      order.note(flags.contains(.unitRenderAction_PostRenderError) ? "failed" : "after")
      // A notify may still change the samples for the device.
      for buffer in moment.buffers ?? .init(moment.list.unsafelyUnwrapped) {
        let data = buffer.mData?.assumingMemoryBound(to: Float.self)
        if data?[0] == 0.25 { data?[0] = 0.75 }
      }
      return noErr
    }
    try onDevice(tape, rate: 44_100, frames: 512) {
      let unit = try HostedUnit()
      try unit.setCallback(callback)
      try unit.addNotify(notify)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames > 4_096 })
      try unit.stop()
      try check(
        AudioUnitRemoveRenderNotify(unit.handle, HostCallback.function, notify.context))
    }
    #expect(
      Array(order.notes.prefix(9)) == [
        "before", "callback", "after", "before", "callback", "failed", "before", "callback",
        "after",
      ])
    let calls = notify.calls
    for (before, after) in zip(calls, calls.dropFirst()).enumerated().filter({ $0.offset % 2 == 0 })
      .map(\.element)
    {
      #expect(before.time.mSampleTime == after.time.mSampleTime)
      #expect(before.frames == 512 && after.frames == 512 && after.bus == 0)
    }
    let recorded = try tape.samples()[0]
    #expect(recorded[0] == 0.75 && recorded[1] == 0.25)
    #expect(recorded[512..<1_024].allSatisfy { $0 == 0 })
  }

  @Test(
    "lets its callback fill the device's own memory unless a conversion is needed",
    arguments: [2, 1])
  func direct(channels: UInt32) throws {
    let filled = Atomic<UInt>(0)
    let passed = Atomic<UInt>(0)
    @Sendable func place(_ moment: CallbackArguments) -> UInt {
      UInt(bitPattern: moment.buffers?[0].mData)
    }
    let callback = HostCallback { moment in
      filled.store(place(moment), ordering: .relaxed)
      return noErr
    }
    let notify = HostCallback { moment in
      passed.store(place(moment), ordering: .relaxed)
      return noErr
    }
    try onDevice {
      let unit = try HostedUnit()
      try unit.setFormat(.linear(48_000, channels: channels))
      try unit.setCallback(callback)
      try unit.addNotify(notify)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.count > 4 })
      try unit.stop()
    }
    let isSame = filled.load(ordering: .relaxed) == passed.load(ordering: .relaxed)
    #expect(filled.load(ordering: .relaxed) != 0 && isSame == (channels == 2))
  }

  @Test("is connected and disconnected while it runs, and outlives the connected unit")
  func whileRunning() throws {
    try onDevice {
      let unit = try HostedUnit()
      let notify = HostCallback()
      try unit.addNotify(notify)
      try unit.setFormat(.linear(48_000, channels: 1))
      try unit.initialize()
      try unit.start()
      for round in 0..<20 {
        let tone = try HostedUnit.tone()
        try tone.setFormat(.linear(48_000, channels: 1), kAudioUnitScope_Output, 0)
        try tone.initialize()
        try unit.connect(tone)
        let count = notify.count
        #expect(wait { notify.count > count + 4 })
        if round % 2 == 0 {
          try unit.set(
            kAudioUnitProperty_MakeConnection,
            to: AudioUnitConnection(
              sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 0),
            kAudioUnitScope_Input, 0)
        }
        try tone.dispose()
      }
      let other = try HostedUnit.tone()
      try other.setFormat(.linear(44_100, channels: 1), kAudioUnitScope_Output, 0)
      let connection = AudioUnitConnection(
        sourceAudioUnit: other.handle, sourceOutputNumber: 0, destInputNumber: 0)
      #expect(
        unit.setting(
          kAudioUnitProperty_MakeConnection, to: connection, kAudioUnitScope_Input, 0)
          == kAudioUnitErr_FormatNotSupported)
      try unit.stop()
    }
  }

  @Test("is reset without losing a cycle")
  func reset() throws {
    let tape = Tape()
    let callback = HostCallback { moment in
      moment.fill { _, _ in 0.5 }
      if moment.position > 100_000 { usleep(500) }
      return noErr
    }
    try onDevice(tape, rate: 44_100) {
      let unit = try HostedUnit()
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      for _ in 0..<200 {
        try check(AudioUnitReset(unit.handle, kAudioUnitScope_Global, 0))
        usleep(50)
      }
      #expect(wait { callback.frames > 100_000 })
      try unit.stop()
    }
    #expect(try tape.samples()[0].allSatisfy { $0 == 0.5 })
  }
}

/// A thread-safe list of words in the order in which they were added.
final class Order: @unchecked Sendable {
  private let lock = NSLock()
  private var words: [String] = []

  /// Adds a word.
  func note(_ word: String) { lock.withLock { words.append(word) } }

  /// All words.
  var notes: [String] { lock.withLock { words } }
}
