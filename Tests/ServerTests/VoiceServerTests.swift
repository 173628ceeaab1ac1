// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// A unit that plays the speech of a talker in a loop and compares the captured sound with it.
// Samples are written before the start.
private final class Talking: TestedUnit, @unchecked Sendable {
  static let rate = 16_000.0
  private let far: [Float]
  private let captures: Bool
  private var frame = 0
  private var played = 0.0
  private var captured = 0.0
  /// The level of the captured sound relative to the played sound in the last second, in decibels,
  /// and the number of measured seconds.
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

  /// Waits for a whole second, beginning now, whose level in decibels meets a condition.
  func waits(forLevel condition: (Int) -> Bool) -> Bool {
    // The current second began earlier.
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
  @Suite("Voice processing on a server's devices", .serialized)
  struct VoiceServerTests {
    @Test(
      "removes its own sound from the microphone and keeps another talker, on a server's loop")
    func echo() throws {
      let server = try PipeWireFixture()
      defer { withExtendedLifetime(server) {} }
      // This microphone captures the sound of null1.
      try onDevice("pipewire:null1+null1.monitor") {
        let call = try Talking(
          kAudioUnitSubType_VoiceProcessingIO, seed: 3, pitch: 120, captures: true)
        try call.set(kAUVoiceIOProperty_VoiceProcessingEnableAGC, UInt32(0))
        try call.set(kAUVoiceIOProperty_DuckNonVoiceAudio, UInt32(0))
        try call.set(kAUVoiceIOProperty_BypassVoiceProcessing, UInt32(1))
        try call.start()
        #expect(call.waits(forLevel: { abs($0) <= 6 }), "there is no echo")
        try call.set(kAUVoiceIOProperty_BypassVoiceProcessing, UInt32(0))
        #expect(call.waits(forLevel: { $0 < -30 }), "the echo is not removed")
        let near = try onDevice("pipewire:null1") {
          let near = try Talking(kAudioUnitSubType_RemoteIO, seed: 8, pitch: 190, captures: false)
          try near.start()
          return near
        }
        #expect(call.waits(forLevel: { abs($0) <= 6 }), "the other talker is not kept")
        try near.stop()
        #expect(call.waits(forLevel: { $0 < -30 }), "the echo is back")
        try call.stop()
      }
    }
  }
}
