// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// A unit that plays a talker, again and again, and compares what it captures with that.
// Samples are written before the start.
private final class Talking: TestedUnit, @unchecked Sendable {
  static let rate = 16_000.0
  private let far: [Float]
  private let captures: Bool
  private var frame = 0
  private var played = 0.0
  private var captured = 0.0
  /// Decibels from what was played to what was captured, in the last second; counted in `windows`.
  private let level = Atomic(0)
  private let windows = Atomic(0)

  init(_ subType: OSType, seed: UInt64, pitch: Double, captures: Bool) throws {
    far = Signal.speech(seed: seed, pitch: pitch, seconds: 10, sampleRate: Self.rate).floats
    self.captures = captures
    try super.init(subType)
    try setFormat(rate: Self.rate, captures: captures)
    let me = Unmanaged.passUnretained(self).toOpaque()
    try set(
      kAudioUnitProperty_SetRenderCallback,
      AURenderCallbackStruct(inputProc: Self.render, inputProcRefCon: me), kAudioUnitScope_Input)
  }

  deinit { dispose() }

  /// Waits for a whole second, from now on, that fulfils a condition on its decibels.
  func waits(forLevel condition: (Int) -> Bool) -> Bool {
    // The second that is under way began before.
    var seen = windows.load(ordering: .acquiring) + 1
    return wait(seconds: 90) {
      let now = windows.load(ordering: .acquiring)
      guard now > seen else { return false }
      seen = now
      return condition(level.load(ordering: .relaxed))
    }
  }

  private static let render: AURenderCallback = { context, flags, time, _, frames, data in
    let it = Unmanaged<Talking>.fromOpaque(context).takeUnretainedValue()
    guard let data,
      let samples = data.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)
    else { return noErr }
    if it.captures {
      let status = AudioUnitRender(it.unit, flags, time, 1, frames, data)
      guard status == noErr else { return status }
      flags.pointee.remove(.unitRenderAction_OutputIsSilence)
    }
    for index in 0..<Int(frames) {
      let sample = it.far[it.frame % it.far.count]
      if it.captures { it.captured += Double(samples[index] * samples[index]) }
      it.played += Double(sample * sample)
      samples[index] = sample
      it.frame += 1
      guard it.frame % Int(rate) == 0 else { continue }
      let decibels = 10 * log10(max(it.captured, 1e-12) / max(it.played, 1e-12))
      (it.captured, it.played) = (0, 0)
      it.level.store(Int(decibels.rounded()), ordering: .relaxed)
      it.windows.wrappingAdd(1, ordering: .releasing)
    }
    return noErr
  }
}

extension Servers {
  @Suite("Voice on a server's devices", .serialized)
  struct VoiceServerTests {
    @Test(
      "takes out of a microphone what it plays, and leaves another talker in, on a server's loop")
    func echo() throws {
      let server = try PipeWireFixture()
      defer { withExtendedLifetime(server) {} }
      // What null1 plays is what this microphone hears.
      try onDevice("pipewire:null1+null1.monitor") {
        let call = try Talking(
          kAudioUnitSubType_VoiceProcessingIO, seed: 3, pitch: 120, captures: true)
        try call.set(kAUVoiceIOProperty_VoiceProcessingEnableAGC, UInt32(0))
        try call.set(kAUVoiceIOProperty_DuckNonVoiceAudio, UInt32(0))
        try call.set(kAUVoiceIOProperty_BypassVoiceProcessing, UInt32(1))
        try call.start()
        #expect(call.waits(forLevel: { abs($0) <= 6 }), "the echo is not there")
        try call.set(kAUVoiceIOProperty_BypassVoiceProcessing, UInt32(0))
        #expect(call.waits(forLevel: { $0 < -30 }), "the echo is not taken out")
        let near = try onDevice("pipewire:null1") {
          let near = try Talking(kAudioUnitSubType_RemoteIO, seed: 8, pitch: 190, captures: false)
          try near.start()
          return near
        }
        #expect(call.waits(forLevel: { abs($0) <= 6 }), "the other talker is not left in")
        try near.stop()
        #expect(call.waits(forLevel: { $0 < -30 }), "the echo has come back")
        try call.stop()
      }
    }
  }
}
