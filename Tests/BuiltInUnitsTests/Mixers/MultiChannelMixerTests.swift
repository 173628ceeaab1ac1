// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Multichannel mixer")
struct MultiChannelMixerTests {
  private let volume = AudioUnitParameterID(kMultiChannelMixerParam_Volume)
  private let enable = AudioUnitParameterID(kMultiChannelMixerParam_Enable)
  private let pan = AudioUnitParameterID(kMultiChannelMixerParam_Pan)

  @Test("adds 64 inputs to a millionth")
  func sum() throws {
    let mixer = try MixerHost(inputs: 64)
    for bus in 0..<64 {
      try mixer.feed(bus, channels: bus % 2 == 0 ? 2 : 1) { channel, frame in
        Float(sin(2 * .pi * (100 + 37 * Double(bus)) * Double(frame) / 48_000) / 64)
          * (channel == 0 ? 1 : -0.5)
      }
    }
    try mixer.initialize()
    let rendered = try mixer.render(4_800)
    for frame in 0..<4_800 {
      var (left, right) = (0.0, 0.0)
      for bus in 0..<64 {
        let sine = sin(2 * .pi * (100 + 37 * Double(bus)) * Double(frame) / 48_000) / 64
        left += bus % 2 == 0 ? sine : sine * 0.5.squareRoot()
        right += bus % 2 == 0 ? -0.5 * sine : sine * 0.5.squareRoot()
      }
      #expect(abs(rendered[0].samples[frame] - left) < 1e-6)
      #expect(abs(rendered[1].samples[frame] - right) < 1e-6)
    }
  }

  @Test("renders at most 1,024 frames by default")
  func maximum() throws {
    let mixer = try MixerHost()
    #expect(
      try mixer.unit.get(kAudioUnitProperty_MaximumFramesPerSlice, as: UInt32(0)) == 1_024)
    try mixer.initialize()
    #expect(throws: CallFailure.self) { try mixer.render(1_025, slices: [1_025]) }
    #expect(try mixer.unit.lastRenderError == kAudioUnitErr_TooManyFramesToProcess)
  }

  // MARK: Gains

  @Test("applies the volumes of an input and of the output", arguments: [0.5, 0.1, 2, -0.5])
  func volumes(gain: Double) throws {
    let mixer = try MixerHost(inputs: 2)
    try mixer.feedSine(0, 1_000, amplitude: 0.4)
    try mixer.feedSine(1, 3_000, amplitude: 0.4)
    try mixer.initialize()
    try mixer.set(volume, Float(gain), kAudioUnitScope_Input, 1)
    let one = try mixer.render(4_800)[0]
    #expect(abs(one.tone(at: 1_000).amplitude - 0.4) < 1e-6)
    #expect(abs(one.tone(at: 3_000).amplitude - 0.4 * abs(gain)) < 1e-6)
    try mixer.set(volume, 0.25, kAudioUnitScope_Output)
    let both = try mixer.render(9_600)[0].dropping(4_800)
    #expect(abs(both.tone(at: 1_000).amplitude - 0.1) < 1e-6)
    #expect(abs(both.tone(at: 3_000).amplitude - 0.1 * abs(gain)) < 1e-6)
  }

  @Test(
    "pans mono and stereo inputs at constant power",
    arguments: Array(stride(from: -1.5, through: 1.5, by: 0.25)))
  func panning(place: Double) throws {
    let mixer = try MixerHost(inputs: 2)
    try mixer.feedSine(0, 1_000, amplitude: 0.3, channels: 1)
    try mixer.feed(1) { channel, frame in
      Float(0.3 * sin(2 * .pi * (channel == 0 ? 3_000 : 5_000) * Double(frame) / 48_000))
    }
    try mixer.initialize()
    for bus in 0..<2 as Range<UInt32> {
      try mixer.set(pan, Float(place), kAudioUnitScope_Input, bus)
    }
    let rendered = try mixer.render(4_800)
    let clamped = min(max(place, -1), 1)
    let angle = (clamped + 1) * .pi / 4
    let (moved, stayed) = (cos(abs(clamped) * .pi / 2), sin(abs(clamped) * .pi / 2))
    // Rows: the mono input, the left and the right channel of the stereo input.
    let expected = [
      (1_000.0, cos(angle), sin(angle)),
      (3_000, clamped > 0 ? moved : 1, clamped > 0 ? stayed : 0),
      (5_000, clamped > 0 ? 0 : stayed, clamped > 0 ? 1 : moved),
    ]
    for (frequency, left, right) in expected {
      #expect(abs(rendered[0].tone(at: frequency).amplitude - 0.3 * left) < 1e-6)
      #expect(abs(rendered[1].tone(at: frequency).amplitude - 0.3 * right) < 1e-6)
    }
  }

  @Test("mixes a stereo input to a mono output as the mean of its channels, whatever its pan")
  func monoOutput() throws {
    let mixer = try MixerHost(inputs: 2)
    try mixer.unit.setFormat(.linear(48_000, channels: 1), kAudioUnitScope_Output)
    try mixer.feed(0) { channel, _ in channel == 0 ? 0.5 : 0.25 }
    try mixer.feed(1, channels: 1) { _, _ in 0.125 }
    try mixer.set(pan, -1)
    try mixer.initialize()
    #expect(try mixer.render(64, channels: 1)[0].samples.allSatisfy { $0 == 0.5 })
  }

  @Test("does not pull an input that is off, after it has faded out")
  func switching() throws {
    let mixer = try MixerHost(inputs: 2)
    let first = try mixer.feed(0) { _, _ in 0.5 }
    let second = try mixer.feed(1) { _, _ in 0.25 }
    try mixer.initialize()
    _ = try mixer.render(64, slices: [64])
    try mixer.set(enable, 0)
    let fading = try mixer.render(640, slices: [64])[0]
    #expect(fading.samples[300...].allSatisfy { $0 == 0.25 })
    // 240 frames at 48 kHz, rounded up to renders of 64.
    #expect(first.frames == 64 + 256 && second.frames == 704)
    try mixer.set(enable, 1)
    let fadingIn = try mixer.render(640, slices: [64])[0]
    #expect(fadingIn.samples[300...].allSatisfy { $0 == 0.75 })
    #expect(first.frames == 64 + 256 + 640)
    let steps = zip(
      fading.samples + fadingIn.samples, fading.samples.dropFirst() + fadingIn.samples)
    // The steepest of a fade's 240 steps is 1.88 times the mean.
    #expect(steps.allSatisfy { abs($0 - $1) < 0.0041 })
    try mixer.set(enable, 0, kAudioUnitScope_Output)
    #expect(try mixer.render(640)[0].samples[300...].allSatisfy { $0 == 0 })
  }

  @Test("pulls an input that a scheduled event switches on within the render")
  func scheduledSwitch() throws {
    let mixer = try MixerHost(inputs: 1)
    let source = try mixer.feed(0) { _, _ in 0.5 }
    try mixer.set(enable, 0)
    try mixer.initialize()
    #expect(try mixer.render(512)[0].samples.allSatisfy { $0 == 0 })
    #expect(source.frames == 0)
    try mixer.schedule(enable, to: 1, at: 100)
    let rendered = try mixer.render(512)[0].samples
    #expect(rendered[...100].allSatisfy { $0 == 0 } && rendered[101] > 0)
    #expect(rendered[340...].allSatisfy { $0 == 0.5 })
    #expect(source.frames == 512)
  }

  // MARK: Movement

  @Test("fades within five milliseconds after an immediate change")
  func smoothing() throws {
    let mixer = try MixerHost(inputs: 1)
    try mixer.feed(0) { _, _ in 1 }
    try mixer.initialize()
    _ = try mixer.render(100)
    try mixer.set(volume, 0)
    let rendered = try mixer.render(480, slices: [7, 64])[0].samples
    for frame in 0..<480 {
      #expect(abs(rendered[frame] - (1 - fadeWeight(Double(frame) / 240))) < 1e-5)
    }
  }

  @Test("begins a scheduled change at its frame", arguments: [0, 1, 100, 511])
  func immediate(frame: Int) throws {
    let mixer = try MixerHost(inputs: 2)
    try mixer.feed(1) { _, _ in 1 }
    try mixer.initialize()
    _ = try mixer.render(64)
    try mixer.schedule(volume, to: 0.5, at: frame, kAudioUnitScope_Input, 1)
    let rendered = try mixer.render(1_024)[0].samples
    for index in 0..<1_024 {
      let expected = 1 - 0.5 * fadeWeight(Double(index - frame) / 240)
      #expect(abs(rendered[index] - expected) < 1e-5)
    }
  }

  @Test(
    "follows a scheduled ramp frame by frame, on inputs and output",
    arguments: [kAudioUnitScope_Input, kAudioUnitScope_Output])
  func ramps(scope: AudioUnitScope) throws {
    let mixer = try MixerHost(inputs: 1)
    try mixer.feed(0) { _, _ in 1 }
    try mixer.initialize()
    _ = try mixer.render(64)
    try mixer.schedule(volume, from: 0.25, to: 1.25, at: 77, frames: 1_000, scope)
    let rendered = try mixer.render(2_048, slices: [512, 3, 200])[1].samples
    for index in 0..<2_048 {
      let expected = index < 77 ? 1 : 0.25 + min(Double(index - 77) / 1_000, 1)
      #expect(abs(rendered[index] - expected) < 2e-6)
    }
  }

  @Test("keeps the power while pan ramps from side to side")
  func panRamp() throws {
    let mixer = try MixerHost(inputs: 1)
    try mixer.feed(0, channels: 1) { _, _ in 1 }
    try mixer.initialize()
    try mixer.schedule(pan, from: -1, to: 1, at: 10, frames: 4_000)
    let rendered = try mixer.render(4_800, slices: [512, 65])
    for frame in 10..<4_000 {
      let (left, right) = (rendered[0].samples[frame], rendered[1].samples[frame])
      let angle = Double(frame - 10) / 4_000 * .pi / 2
      #expect(abs(left * left + right * right - 1) < 1e-4)
      #expect(abs(left - cos(angle)) < 1e-4 && abs(right - sin(angle)) < 1e-4)
    }
  }

  @Test("sounds the same in slices of any size; constant gains give the same bits")
  func slices() throws {
    func signal(_ slices: [Int], moving: Bool) throws -> [Double] {
      let mixer = try MixerHost(inputs: 5)
      for bus in 0..<5 {
        try mixer.feedSine(bus, 300 + 100 * Double(bus), channels: bus % 2 == 0 ? 2 : 1)
        try mixer.set(volume, 0.1 + 0.2 * Float(bus), kAudioUnitScope_Input, UInt32(bus))
        try mixer.set(pan, -0.9 + 0.4 * Float(bus), kAudioUnitScope_Input, UInt32(bus))
      }
      try mixer.initialize()
      if moving {
        try mixer.schedule(volume, from: 0, to: 1, at: 30, frames: 900, kAudioUnitScope_Input, 2)
        try mixer.schedule(volume, to: 0.3, at: 500)
        try mixer.schedule(volume, to: 0.3, at: 700, kAudioUnitScope_Output)
      }
      return try mixer.render(3_000, slices: slices)[0].samples
    }
    let still = try signal([1_000], moving: false)
    #expect(try signal([1], moving: false) == still)
    #expect(try signal([7, 512, 64, 1], moving: false) == still)
    let moving = Signal(try signal([1_000], moving: true))
    #expect(moving.largestDifference(from: Signal(still)) > 0.1)
    #expect(moving.largestDifference(from: Signal(try signal([1], moving: true))) < 1e-5)
    #expect(moving.largestDifference(from: Signal(try signal([7, 511], moving: true))) < 1e-5)
  }

  // MARK: Silence

  @Test("is silent, and flags silence, if all of its inputs are")
  func silence() throws {
    let mixer = try MixerHost(inputs: 3)
    let quiet = HostCallback { moment in
      moment.flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      return noErr
    }
    try mixer.unit.setCallback(quiet, bus: 1)
    try mixer.initialize()
    #expect(try mixer.render(256)[0].samples.allSatisfy { $0 == 0 })
    #expect(mixer.flags.contains(.unitRenderAction_OutputIsSilence))
    try mixer.feed(2) { _, _ in 0.5 }
    #expect(try mixer.render(256)[0].samples.allSatisfy { $0 == 0.5 })
    #expect(!mixer.flags.contains(.unitRenderAction_OutputIsSilence))
    try mixer.unit.setCallback(nil, bus: 2)
    #expect(try mixer.render(256)[0].samples.allSatisfy { $0 == 0 })
  }
}
