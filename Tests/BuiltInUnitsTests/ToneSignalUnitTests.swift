// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Test signals of the tone generator unit")
struct ToneSignalUnitTests {
  private func makeTone(
    _ settings: [AudioUnitParameterID: Float], channels: UInt32 = 1
  ) throws -> MixerHost {
    let tone = try MixerHost(
      kAudioUnitSubType_ToneGenerator, type: kAudioUnitType_Generator,
      manufacturer: kAudioUnitManufacturer_SwiftAudioToolbox)
    try tone.unit.setFormat(.linear(48_000, channels: channels), kAudioUnitScope_Output)
    try tone.set(kToneGeneratorParam_Amplitude, 0.5, kAudioUnitScope_Global)
    for (id, value) in settings { try tone.set(id, value, kAudioUnitScope_Global) }
    try tone.initialize()
    return tone
  }

  private func render(
    _ settings: [AudioUnitParameterID: Float], _ count: Int, slices: [Int] = [512]
  ) throws -> Signal {
    try makeTone(settings).render(count, slices: slices, channels: 1)[0]
  }

  @Test("a sequence of the chosen order repeats, and is the same on all channels")
  func sequence() throws {
    let tone = try makeTone(
      [kToneGeneratorParam_Waveform: 6, kToneGeneratorParam_NoiseOrder: 10], channels: 2)
    let output = try tone.render(2_046, slices: [100])
    #expect(output[0].samples == output[1].samples)
    #expect(output[0].samples.prefix(1_023) == output[0].samples.suffix(1_023))
    #expect(output[0].samples.allSatisfy { abs($0) == 0.5 })
  }

  @Test("the tables of periodic noise are made when it is selected, not for other waveforms")
  func tables() async {
    await #expect(processExitsWith: .success) {
      ProcessState.useOneHeap()
      let tests = ToneSignalUnitTests()
      // What the first tone of a process makes.
      _ = try tests.render([:], 512)
      let before = ProcessState().heapBytes
      let tone = try tests.makeTone([kToneGeneratorParam_NoiseOrder: 18])
      _ = try tone.render(4_096, channels: 1)
      let sine = ProcessState().heapBytes - before
      try tone.set(kToneGeneratorParam_Waveform, 7, kAudioUnitScope_Global)
      let noise = ProcessState().heapBytes - before
      // Five bytes for each of 262,144 frames.
      guard sine < 600_000 && noise - sine > 1_300_000 || ProcessState.isSanitized else {
        fatalError("\(sine) bytes for a sine, \(noise) for periodic noise")
      }
    }
  }

  @Test("periodic noise that is selected while a tone plays begins at once, in a crossfade")
  func selected() throws {
    let tone = try makeTone([kToneGeneratorParam_NoiseOrder: 11])
    _ = try tone.render(512, channels: 1)
    try tone.set(kToneGeneratorParam_Waveform, 6, kAudioUnitScope_Global)
    let samples = try tone.render(2_048, channels: 1)[0].samples
    #expect(samples.dropFirst(240).allSatisfy { abs($0) == 0.5 })
  }

  @Test("periodic noise that is scheduled begins at its frame")
  func scheduled() throws {
    let tone = try makeTone([kToneGeneratorParam_NoiseOrder: 12])
    _ = try tone.render(512, channels: 1)
    var event = AudioUnitParameterEvent()
    event.scope = kAudioUnitScope_Global
    event.parameter = kToneGeneratorParam_Waveform
    event.eventType = .parameterEvent_Immediate
    event.eventValues.immediate = .init(bufferOffset: 100, value: 6)
    try check(AudioUnitScheduleParameters(tone.unit.handle, &event, 1), "schedule")
    let samples = try tone.render(512, channels: 1)[0].samples
    #expect(samples.dropFirst(340).allSatisfy { abs($0) == 0.5 })
    #expect(samples.prefix(100).contains { abs($0) < 0.4 })
  }

  @Test(
    "a render that selects periodic noise does not wait for it: the tone plays until it is there")
  func selectedInRender() throws {
    let tone = try makeTone([kToneGeneratorParam_NoiseOrder: 13])
    AudioUnitAddRenderNotify(
      tone.unit.handle,
      { unit, flags, _, _, _, _ in
        if flags.pointee.contains(.unitRenderAction_PreRender) {
          AudioUnitSetParameter(
            unit.assumingMemoryBound(to: ComponentInstanceRecord.self),
            kToneGeneratorParam_Waveform, kAudioUnitScope_Global, 0, 6, 0)
        }
        return noErr
      }, UnsafeMutableRawPointer(tone.unit.handle))
    let deadline = Date() + 60
    var samples: [Double] = []
    repeat {
      samples = try tone.render(512, channels: 1)[0].samples
      #expect(samples.contains { $0 != 0 })
      usleep(1_000)
    } while !samples.allSatisfy { abs($0) == 0.5 } && Date() < deadline
    #expect(samples.allSatisfy { abs($0) == 0.5 })
  }

  @Test("the amplitude modulation has two sidebands, and its peak is the amplitude")
  func amplitudeModulation() throws {
    let signal = try render(
      [
        kToneGeneratorParam_Frequency: 3_000, kToneGeneratorParam_AMFrequency: 100,
        kToneGeneratorParam_AMDepth: 50,
      ], 48_000)
    let carrier = 0.5 / 1.5
    #expect(abs(signal.tone(at: 3_000).amplitude - carrier) < 1e-5)
    for frequency in [2_900.0, 3_100] {
      #expect(abs(signal.tone(at: frequency).amplitude - carrier / 4) < 1e-5)
    }
    #expect(abs(signal.peak - 0.5) < 1e-3)
  }

  @Test(
    "the frequency modulation has the sidebands of Bessel functions",
    arguments: [(100.0, 75.0), (1_000, 2_000), (5_000, 2_500)])
  func frequencyModulation(frequency: Double, deviation: Double) throws {
    let signal = try render(
      [
        kToneGeneratorParam_Frequency: 9_000, kToneGeneratorParam_FMFrequency: Float(frequency),
        kToneGeneratorParam_FMDeviation: Float(deviation),
      ], 48_000, slices: [333])
    let index = deviation / frequency
    for order in 0...1 {
      let measured = signal.tone(at: 9_000 + Double(order) * frequency).amplitude
      #expect(abs(measured - 0.5 * abs(jn(Int32(order), index))) < 1e-5)
    }
    #expect(abs(signal.peak - 0.5) < 0.02)
  }

  @Test("modulation begins and ends without a click, and does not depend on the slices")
  func changes() throws {
    func run(_ slice: Int) throws -> Signal {
      let tone = try makeTone([
        kToneGeneratorParam_Frequency: 1_000, kToneGeneratorParam_AMFrequency: 20,
        kToneGeneratorParam_FMFrequency: 30,
      ])
      var samples: [Double] = []
      for (depth, deviation) in [(0, 0), (80, 50), (0, 0)] as [(Float, Float)] {
        try tone.set(kToneGeneratorParam_AMDepth, depth, kAudioUnitScope_Global)
        try tone.set(kToneGeneratorParam_FMDeviation, deviation, kAudioUnitScope_Global)
        samples += try tone.render(4_800, slices: [slice], channels: 1)[0].samples
      }
      return Signal(samples)
    }
    let signal = try run(512)
    #expect(signal.largestBend(frequency: 1_060, amplitude: 0.5) < 1.1)
    #expect(try run(7).largestDifference(from: signal) < 1e-5)
  }

  @Test(
    "the constant and the J-test are exact",
    arguments: [(10, 0, 0.5), (10, 180, -0.5), (8, 0, -0.5)] as [(Float, Float, Double)])
  func exact(waveform: Float, phase: Float, first: Double) throws {
    let signal = try render(
      [kToneGeneratorParam_Waveform: waveform, kToneGeneratorParam_Phase: phase], 96)
    #expect(abs(signal.samples[0] - first) < 1e-7)
    #expect(abs(signal.rms - 0.5) < 1e-7)
  }

  @Test("periodic noise begins again with the unit, at another order")
  func order() throws {
    let tone = try makeTone([kToneGeneratorParam_Waveform: 7, kToneGeneratorParam_NoiseOrder: 9])
    let first = try tone.render(1_024, channels: 1)[0].samples
    #expect(first.prefix(512) == first.suffix(512))
    try tone.set(kToneGeneratorParam_NoiseOrder, 8, kAudioUnitScope_Global)
    try tone.unit.uninitialize()
    try tone.initialize()
    let second = try tone.render(512, channels: 1)[0].samples
    #expect(second.prefix(256) == second.suffix(256))
    #expect(second.prefix(256) != first.prefix(256))
  }
}
