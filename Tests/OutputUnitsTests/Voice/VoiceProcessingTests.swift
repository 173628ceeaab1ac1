// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

@Suite("Voice processing unit")
struct VoiceProcessingTests {
  private static let rate = 16_000.0

  /// The signal of the far talker, and the microphone signal with its echo.
  private struct Call {
    let far: Signal
    let microphone: Signal

    init(seconds: Double) {
      far = .speech(seed: 3, seconds: seconds, sampleRate: rate)
      microphone = far.passed(
        through: Signal.room(seed: 1, decay: 0.3, sampleRate: rate), delay: Int(0.06 * rate))
    }
  }

  /// Collects the samples that a callback has read.
  private final class CapturedSamples: Sendable {
    private let samples = Mutex<[Float]>([])

    func add(_ new: UnsafeBufferPointer<Float>) { samples.withLock { $0 += new } }
    var all: [Float] { samples.withLock { $0 } }
  }

  /// Plays the far talker through a unit; returns the samples that it captures.
  private func captured(
    _ call: Call, subType: OSType = kAudioUnitSubType_VoiceProcessingIO,
    _ setUp: (HostedUnit) throws -> Void = { _ in }
  ) throws -> Signal {
    let samples = CapturedSamples()
    let input = try Tape([call.microphone.floats, call.microphone.floats], sampleRate: Self.rate)
    try onDevice(Tape(), input: input, rate: Self.rate, frames: 256) {
      let unit = try HostedUnit(subType)
      try unit.enable(input: true)
      let format = AudioStreamBasicDescription.linear(Self.rate)
      try unit.setFormat(format)
      try unit.setFormat(format, kAudioUnitScope_Output, 1)
      let (far, box) = (call.far.floats, UnitBox())
      box.set(unit.handle)
      let callback = HostCallback { moment in
        guard let list = moment.list else { return -1 }
        let status = AudioUnitRender(
          box.handle, moment.flags, moment.time, 1, UInt32(moment.frames), list)
        if let data = moment.buffers?[0].mData?.assumingMemoryBound(to: Float.self) {
          samples.add(UnsafeBufferPointer(start: data, count: moment.frames))
        }
        moment.fill { _, frame in frame < far.count ? 0.5 * far[frame] : 0 }
        return status
      }
      try unit.setCallback(callback)
      try setUp(unit)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames >= far.count })
      try unit.stop()
      #expect(try unit.lastRenderError == noErr)
    }
    return Signal(Array(samples.all.prefix(call.far.count)), sampleRate: Self.rate)
  }

  @Test("removes the echo of its output from the microphone signal; RemoteIO does not")
  func echo() throws {
    let call = Call(seconds: 6)
    let processed = try captured(call) {
      try $0.set(kAUVoiceIOProperty_VoiceProcessingEnableAGC, to: UInt32(0))
    }
    let loss = call.microphone.between(3, 6).energy / processed.between(3, 6).energy
    #expect(10 * log10(loss) > 40)
    let plain = try captured(call, subType: kAudioUnitSubType_RemoteIO)
    #expect(plain.floats == call.microphone.floats)
  }

  @Test("passes the microphone signal unchanged while bypassed, delayed by its reported latency")
  func bypass() throws {
    let call = Call(seconds: 2)
    let latency = Mutex(0.0)
    let processed = try captured(call) { unit in
      try unit.set(kAUVoiceIOProperty_BypassVoiceProcessing, to: UInt32(1))
    }
    try onDevice(rate: Self.rate, frames: 256) {
      let unit = try HostedUnit(kAudioUnitSubType_VoiceProcessingIO)
      try unit.enable(input: true)
      try unit.initialize()
      try unit.start()
      latency.withLock {
        $0 =
          (try? unit.get(
            kAudioUnitProperty_PresentationLatency, as: 0.0, kAudioUnitScope_Input, 1)) ?? 0
      }
    }
    let frames = Int((latency.withLock { $0 } * Self.rate).rounded())
    #expect(frames > 100)
    let expected = call.microphone.floats[(2_000 - frames)..<(30_000 - frames)]
    #expect(processed.floats[2_000..<30_000] == expected)
  }

  @Test("captures silence while muted")
  func mute() throws {
    let processed = try captured(Call(seconds: 1)) {
      try $0.set(kAUVoiceIOProperty_MuteOutput, to: UInt32(1))
    }
    #expect(processed.samples.dropFirst(1_000).allSatisfy { $0 == 0 })
  }

  @Test("reports a talker who is muted")
  func mutedTalker() throws {
    let talker = Signal.speech(seed: 8, pitch: 190, seconds: 20, sampleRate: Self.rate)
    let input = try Tape([talker.floats, talker.floats], sampleRate: Self.rate)
    let events = Mutex<[UInt32]>([])
    try onDevice(Tape(), input: input, rate: Self.rate, frames: 256, clock: .paced) {
      let unit = try HostedUnit(kAudioUnitSubType_VoiceProcessingIO)
      try unit.enable(input: true)
      try unit.set(kAUVoiceIOProperty_MuteOutput, to: UInt32(1))
      let listener: @convention(block) (UInt32) -> Void = { event in
        events.withLock { $0.append(event) }
      }
      // Generic code cannot handle a block on Linux.
      try unit.set(
        kAUVoiceIOProperty_MutedSpeechActivityEventListener,
        to: unsafeBitCast(listener, to: UnsafeRawPointer.self))
      defer { withExtendedLifetime(listener) {} }
      try unit.initialize()
      try unit.start()
      #expect(wait { !events.withLock { $0.isEmpty } })
      // After it is unmuted, the activity ends.
      try unit.set(kAUVoiceIOProperty_MuteOutput, to: UInt32(0))
      #expect(wait { events.withLock { $0.count } == 2 })
      try unit.set(
        kAUVoiceIOProperty_MutedSpeechActivityEventListener, to: UnsafeRawPointer?.none)
    }
    #expect(events.withLock { $0 } == [0, 1])
  }

  @Test(
    "ducks other units on its device while it runs",
    arguments: [(0, 12.0), (10, 6), (20, 12), (30, 24)] as [(UInt32, Double)])
  func ducking(level: UInt32, decibels: Double) throws {
    let output = Tape()
    let silence = [Float](repeating: 0, count: 160_000)
    let input = try Tape([silence, silence], sampleRate: Self.rate)
    try onDevice(output, input: input, rate: Self.rate, frames: 256, clock: .paced) {
      let voice = try HostedUnit(kAudioUnitSubType_VoiceProcessingIO)
      try voice.enable(input: true)
      // Only the other unit is recorded.
      try voice.set(kAudioOutputUnitProperty_EnableIO, to: UInt32(0), kAudioUnitScope_Output)
      try voice.set(
        kAUVoiceIOProperty_OtherAudioDuckingConfiguration,
        to: AUVoiceIOOtherAudioDuckingConfiguration(
          mEnableAdvancedDucking: false, mDuckingLevel: .init(rawValue: level)!))
      try voice.initialize()
      try voice.start()
      let other = try HostedUnit()
      let callback = HostCallback { moment in
        moment.fill { _, _ in 0.5 }
        return noErr
      }
      try other.setCallback(callback)
      try other.initialize()
      try other.start()
      #expect(wait { callback.frames >= 8_000 })
      try voice.stop()
      let before = callback.frames
      #expect(wait { callback.frames >= before + 8_000 })
      try other.stop()
    }
    let samples = try output.samples()[0]
    let ducked = Float(0.5 * pow(10, -decibels / 20))
    #expect(samples.contains { abs($0 - ducked) < 1e-5 })
    #expect(abs((samples.last ?? 0) - 0.5) < 1e-6)
  }

  @Test("has the documented defaults, and refuses values that are out of range")
  func properties() throws {
    let unit = try HostedUnit(kAudioUnitSubType_VoiceProcessingIO)
    let zero: UInt32 = 9
    #expect(try unit.get(kAUVoiceIOProperty_BypassVoiceProcessing, as: zero) == 0)
    #expect(try unit.get(kAUVoiceIOProperty_VoiceProcessingEnableAGC, as: zero) == 1)
    #expect(try unit.get(kAUVoiceIOProperty_DuckNonVoiceAudio, as: zero) == 1)
    #expect(try unit.get(kAUVoiceIOProperty_VoiceProcessingQuality, as: zero) == 127)
    #expect(try unit.get(kAUVoiceIOProperty_MuteOutput, as: zero) == 0)
    #expect(
      unit.setting(kAUVoiceIOProperty_VoiceProcessingQuality, to: UInt32(128))
        == kAudioUnitErr_InvalidPropertyValue)
    #expect(
      unit.setting(kAUVoiceIOProperty_OtherAudioDuckingConfiguration, to: (UInt32(0), UInt32(15)))
        == kAudioUnitErr_InvalidPropertyValue)
    try unit.initialize()
    #expect(
      unit.setting(kAUVoiceIOProperty_VoiceProcessingQuality, to: UInt32(10))
        == kAudioUnitErr_Initialized)
    let remote = try HostedUnit()
    #expect(
      remote.setting(kAUVoiceIOProperty_MuteOutput, to: UInt32(1)) == kAudioUnitErr_InvalidProperty)
  }
}
