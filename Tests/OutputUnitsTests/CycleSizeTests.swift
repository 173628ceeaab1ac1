// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// A program that sets no property works with any cycle size: units with a smaller maximum are
/// pulled several times.
@Suite("A device's cycle", .timeLimit(.minutes(60)))
struct CycleSizeTests {
  private static let cycles = [
    64, 100, 512, 1_000, 1_024, 1_025, 1_100, 1_156, 1_157, 2_048, 8_192,
  ]

  /// Records a ramp that plays through a mixer and an effect.
  private func record(_ frames: Int, rate: Double = 48_000, programRate: Double? = nil) throws
    -> [[Float]]
  {
    let count = 3 * max(frames, 1_024)
    let tape = Tape()
    try onDevice(tape, rate: rate, frames: frames) {
      let (output, mixer, effect) = (
        try HostedUnit(kAudioUnitSubType_DefaultOutput),
        try HostedUnit(kAudioUnitSubType_MultiChannelMixer, type: kAudioUnitType_Mixer),
        try HostedUnit(kAudioUnitSubType_SampleDelay, type: kAudioUnitType_Effect)
      )
      let program = programRate ?? rate
      for unit in [mixer, effect] {
        for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
          try unit.set(kAudioUnitProperty_SampleRate, to: program, scope)
        }
      }
      try mixer.setCallback(
        HostCallback { moment in
          let start = Int(moment.time.pointee.mSampleTime)
          if start >= 2 * count { usleep(2_000) }
          guard let buffers = moment.buffers else { return kAudio_ParamError }
          for buffer in buffers {
            let samples = UnsafeMutableBufferPointer<Float>(buffer)
            for frame in samples.indices {
              samples[frame] =
                start + frame < 2 * count ? Float((start + frame) % 1_000 + 1) / 1_000 : 0
            }
          }
          return noErr
        })
      try connect(mixer, to: effect)
      try connect(effect, to: output)
      for unit in [mixer, effect, output] { try unit.initialize() }
      try output.start()
      #expect(wait { (try? tape.samples().first?.count ?? 0) ?? 0 >= count })
      try output.stop()
      #expect(
        try output.get(kAudioUnitProperty_LastRenderError, as: OSStatus(0)) == noErr)
    }
    return try tape.samples().map { Array($0.prefix(count)) }
  }

  private func connect(_ source: HostedUnit, to unit: HostedUnit) throws {
    unit.retain(source)
    try unit.set(
      kAudioUnitProperty_MakeConnection,
      to: AudioUnitConnection(
        sourceAudioUnit: source.handle, sourceOutputNumber: 0, destInputNumber: 0),
      kAudioUnitScope_Input)
  }

  @Test("of any size plays the exact samples", arguments: cycles)
  func sizes(frames: Int) throws {
    let samples = try record(frames)
    let expected = samples[0].indices.map { Float($0 % 1_000 + 1) / 1_000 }
    #expect(samples[0] == expected && samples[1] == expected)
  }

  @Test("of any size plays at another rate", arguments: [512, 1_024, 1_100, 2_048, 4_096])
  func rates(frames: Int) throws {
    let samples = try record(frames, rate: 44_100, programRate: 48_000)
    let later = samples[0].dropFirst(200)
    #expect(later.allSatisfy { $0.isFinite } && later.count(where: { $0 == 0 }) < later.count / 100)
  }

  @Test("is split for a source whose maximum is even smaller")
  func smallMaximums() throws {
    let mixer = try MixerHost(inputs: 2)
    let source = try MixerHost(inputs: 1)
    try source.unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(64))
    try source.feed(0) { _, frame in Float(frame % 777) }
    try mixer.unit.set(
      kAudioUnitProperty_MakeConnection,
      to: AudioUnitConnection(
        sourceAudioUnit: source.unit.handle, sourceOutputNumber: 0, destInputNumber: 1),
      kAudioUnitScope_Input, 1)
    try source.initialize()
    try mixer.initialize()
    let rendered = try mixer.render(1_000, slices: [1_000])
    #expect(rendered[0].samples == (0..<1_000).map { Double($0 % 777) })
  }
}
