// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("3D mixers")
struct Mixer3DTests: Mixer3DTesting {
  // MARK: Distance and gain

  @Test("attenuates by distance with four curves", arguments: 0..<4, Mixer3DKind.all)
  func curves(curve: Int, kind: Mixer3DKind) throws {
    let mixer = try mixer(kind)
    let parameters = MixerDistanceParams(
      mReferenceDistance: 2, mMaxDistance: 50, mMaxAttenuation: 30)
    try mixer.unit.set(
      kAudioUnitProperty_SpatialMixerDistanceParams, to: parameters, kAudioUnitScope_Input)
    try mixer.unit.set(
      kAudioUnitProperty_SpatialMixerAttenuationCurve, to: UInt32(curve), kAudioUnitScope_Input)
    try mixer.initialize()
    var before = 2.0
    for metres in [0, 2, 3, 5, 10, 20, 40, 50, 1_000] as [Double] {
      try mixer.set(distance, Float(metres))
      let measured = try gains(mixer)[0] / 0.5.squareRoot()
      let place = (min(max(metres, 2), 50) - 2) / 48
      let least = pow(10, -30 / 20.0)
      let expected =
        switch curve {
        case 0: pow(10, -1.5 * log(min(max(metres, 2), 50) / 2) / log(25))
        case 1: pow(10, -1.5 * place)
        case 2: 1 / (1 + (1 / least - 1) * place)
        default: 1 - (1 - least) * place
        }
      #expect(abs(measured - expected) < 1e-5)
      #expect(measured <= before + 1e-6)
      before = measured
    }
    // Without the flag, distance has no effect.
    try mixer.unit.set(
      kAudioUnitProperty_SpatialMixerRenderingFlags, to: UInt32(1), kAudioUnitScope_Input)
    #expect(abs(try gains(mixer)[0] - 0.5.squareRoot()) < 1e-5)
  }

  @Test("attenuates by six decibels with each doubling of the distance by default")
  func inverseDistance() throws {
    let mixer = try mixer()
    try mixer.initialize()
    for metres in [1, 2, 4, 8, 16, 32, 64] as [Double] {
      try mixer.set(distance, Float(metres))
      #expect(abs(try gains(mixer)[0] * 2.0.squareRoot() - 1 / metres) < 1e-5)
    }
  }

  @Test("has gains in decibels on inputs and output, between limits", arguments: Mixer3DKind.all)
  func gains(kind: Mixer3DKind) throws {
    let mixer = try mixer(kind)
    try mixer.initialize()
    for level in [-60.0, -6, 0, 12, 20] {
      try mixer.set(gain, Float(level))
      #expect(abs(decibels(try gains(mixer)[0]) + 3.0103 - level) < 1e-3)
    }
    try mixer.set(gain, -6, kAudioUnitScope_Output)
    try mixer.set(gain, 0)
    #expect(abs(decibels(try gains(mixer)[1]) + 9.0103) < 1e-3)
    let isSpatial = kind.enable == kSpatialMixerParam_Enable
    try mixer.set(
      isSpatial ? kSpatialMixerParam_MaxGain : k3DMixerParam_MaxGainInDecibels,
      isSpatial ? 0.5 : -6.0206)
    #expect(abs(decibels(try gains(mixer)[1]) + 15.031) < 1e-3)
    try mixer.set(gain, -120)
    #expect(try gains(mixer)[1] == 0)
    try mixer.set(
      isSpatial ? kSpatialMixerParam_MinGain : k3DMixerParam_MinGainInDecibels,
      isSpatial ? 0.1 : -20)
    #expect(abs(decibels(try gains(mixer)[1]) + 29.0103) < 1e-3)
  }

  @Test(
    "attenuates a source behind an obstacle with a first-order shelf at 5 kHz",
    arguments: [50, 1_000, 5_000, 12_000, 23_000], Mixer3DKind.all)
  func obstacles(frequency: Double, kind: Mixer3DKind) throws {
    let mixer = try mixer(kind, frequency: frequency)
    try mixer.initialize()
    let open = try gains(mixer, frequency: frequency)[0]
    for (occlusion, obstruction) in [(-10.0, -20.0), (0, -6), (-40, 0), (-100, -100)] {
      try mixer.set(kind.obstruction, Float(obstruction))
      try mixer.set(kind.occlusion, Float(occlusion))
      let measured = try gains(mixer, frequency: frequency)[0] / open
      // |1 - (1 - g) h|, where h is the high-pass filter by the bilinear transform.
      let gain = pow(10, (occlusion + obstruction) / 20)
      let place = tan(.pi * frequency / 48_000) / tan(.pi * 5_000 / 48_000)
      let expected = ((1 + gain * gain * place * place) / (1 + place * place)).squareRoot()
      #expect(abs(measured / expected - 1) < 1e-4)
    }
  }

  // MARK: Playback rate

  @Test("shifts the pitch exactly by the playback rate", arguments: [0.5, 0.75, 1, 1.25, 1.5, 2])
  func playbackRate(factor: Double) throws {
    let mixer = try mixer()
    let source = try mixer.feedSine(0, 1_000, amplitude: 0.5, channels: 1)
    try mixer.set(rate, Float(factor))
    try mixer.initialize()
    let rendered = try mixer.render(52_800)[0].dropping(4_800)
    let tone = rendered.tone(near: 1_000 * factor)
    #expect(abs(tone.frequency - 1_000 * factor) < 1e-3)
    #expect(abs(tone.amplitude * 2.0.squareRoot() - 0.5) < 1e-3)
    #expect(tone.distortionAndNoise < -75)
    #expect(abs(Double(source.frames) - 52_800 * factor) < 100)
    #expect(source.calls.allSatisfy { $0.frames <= 1_024 })
  }

  @Test("continues without a jump when the playback rate changes")
  func playbackRateChange() throws {
    let mixer = try mixer(frequency: 200)
    try mixer.initialize()
    var samples = try mixer.render(2_400)[0].samples
    for factor in [2, 0.5, 1.3, 1, 1.9] as [Float] {
      try mixer.set(rate, factor)
      samples += try mixer.render(2_400)[0].samples
    }
    let largest = zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
    // The steepest slope occurs at twice the pitch.
    #expect(largest < 0.5 * 0.5.squareRoot() * 2 * .pi * 400 / 48_000 * 1.05)
  }

  // MARK: Inputs

  @Test("converts 16-bit mono from another rate, and keeps its pitch", arguments: Mixer3DKind.all)
  func formats(kind: Mixer3DKind) throws {
    let mixer = try MixerHost(kind.subType, inputs: 1)
    let format = AudioStreamBasicDescription.linear(
      44_100, channels: 1, bits: 16,
      flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, isInterleaved: true)
    try mixer.unit.setFormat(format)
    try mixer.unit.setCallback(
      HostCallback { moment in
        guard let data = moment.buffers?[0].mData?.assumingMemoryBound(to: Int16.self) else {
          return kAudio_ParamError
        }
        for frame in 0..<moment.frames {
          let time = Double(moment.position + frame) / 44_100
          data[frame] = Int16(16_384 * sin(2 * .pi * 997 * time))
        }
        return noErr
      })
    try mixer.initialize()
    let tone = try mixer.render(52_800)[0].dropping(4_800).tone(near: 997)
    #expect(abs(tone.frequency - 997) < 0.0997)
    #expect(abs(tone.amplitude * 2.0.squareRoot() - 0.5) < 1e-3)
  }

  @Test("passes a stereo input through, unless it is a point source", arguments: Mixer3DKind.all)
  func stereoInput(kind: Mixer3DKind) throws {
    let mixer = try MixerHost(kind.subType, inputs: 1)
    try mixer.feed(0) { channel, _ in channel == 0 ? 0.5 : 0.25 }
    try mixer.set(azimuth, 90)
    try mixer.set(distance, 50)
    try mixer.initialize()
    let through = try mixer.render(480).map { $0.samples[400] }
    #expect(through == [0.5, 0.25])
    try mixer.unit.set(
      kAudioUnitProperty_SpatialMixerSourceMode, to: UInt32(2), kAudioUnitScope_Input)
    try mixer.set(distance, 0)
    let point = try mixer.render(960).map { $0.samples[900] }
    #expect(abs(point[0]) < 1e-6 && abs(point[1] - 0.375) < 1e-6)
    #expect(
      mixer.unit.setting(
        kAudioUnitProperty_StreamFormat,
        to: AudioStreamBasicDescription.linear(48_000, channels: 3), kAudioUnitScope_Output, 0)
        == kAudioUnitErr_PropertyNotWritable)
    let other = try MixerHost(kind.subType, inputs: 1)
    for (channels, scope) in [(UInt32(3), kAudioUnitScope_Input), (9, kAudioUnitScope_Output)] {
      #expect(
        other.unit.setting(
          kAudioUnitProperty_StreamFormat,
          to: AudioStreamBasicDescription.linear(48_000, channels: channels), scope, 0)
          == kAudioUnitErr_FormatNotSupported)
    }
  }

  @Test("does not pull an input that is off", arguments: Mixer3DKind.all)
  func switching(kind: Mixer3DKind) throws {
    let mixer = try mixer(kind)
    let source = try mixer.feed(0, channels: 1) { _, _ in 0.5 }
    try mixer.set(kind.enable, 0)
    try mixer.initialize()
    #expect(try mixer.render(480)[0].samples.allSatisfy { $0 == 0 })
    #expect(source.frames == 0)
    try mixer.set(kind.enable, 1)
    #expect(abs(try mixer.render(960)[0].samples[900] - 0.5 * 0.5.squareRoot()) < 1e-6)
  }

  @Test("sounds the same in slices of any size", arguments: [UInt32(0), 2, 4], Mixer3DKind.all)
  func slices(algorithm: UInt32, kind: Mixer3DKind) throws {
    func signal(_ slices: [Int]) throws -> Signal {
      let mixer = try mixer(kind, algorithm: algorithm)
      try mixer.set(azimuth, 40)
      try mixer.set(kind.obstruction, -12)
      try mixer.set(rate, 1.25)
      try mixer.unit.set(kAudioUnitProperty_UsesInternalReverb, to: UInt32(1))
      try mixer.initialize()
      return try mixer.render(3_000, slices: slices)[1]
    }
    let whole = try signal([1_000])
    #expect(whole.peak > 0.1)
    #expect(whole.largestDifference(from: try signal([1])) < 1e-6)
    #expect(whole.largestDifference(from: try signal([7, 512, 64])) < 1e-6)
  }

  @Test("refuses invalid values of its properties", arguments: Mixer3DKind.all)
  func properties(kind: Mixer3DKind) throws {
    let unit = try MixerHost(kind.subType, inputs: 2).unit
    func status<Value>(_ id: AudioUnitPropertyID, _ value: Value) -> OSStatus {
      unit.setting(id, to: value, kAudioUnitScope_Input, 1)
    }
    let defaults = try unit.get(
      kAudioUnitProperty_SpatialMixerDistanceParams, as: MixerDistanceParams(),
      kAudioUnitScope_Input, 1)
    #expect(
      [defaults.mReferenceDistance, defaults.mMaxDistance, defaults.mMaxAttenuation]
        == [1, 100, 40])
    // Sound fields and ambience beds are not supported.
    #expect(
      status(kAudioUnitProperty_SpatializationAlgorithm, UInt32(3))
        == kAudioUnitErr_InvalidPropertyValue)
    #expect(
      status(kAudioUnitProperty_SpatialMixerSourceMode, UInt32(3))
        == kAudioUnitErr_InvalidPropertyValue)
    #expect(
      status(kAudioUnitProperty_SpatialMixerAttenuationCurve, UInt32(4))
        == kAudioUnitErr_InvalidPropertyValue)
    for wrong in [
      MixerDistanceParams(mReferenceDistance: 0, mMaxDistance: 1, mMaxAttenuation: 1),
      MixerDistanceParams(mReferenceDistance: 1, mMaxDistance: .nan, mMaxAttenuation: 1),
      MixerDistanceParams(mReferenceDistance: 1, mMaxDistance: 1, mMaxAttenuation: -1),
    ] {
      #expect(
        status(kAudioUnitProperty_SpatialMixerDistanceParams, wrong)
          == kAudioUnitErr_InvalidPropertyValue)
    }
    #expect(
      status(kAudioUnitProperty_SpatialMixerDistanceParams, Float(1))
        == kAudioUnitErr_InvalidPropertyValue)
    #expect(
      unit.setting(
        kAudioUnitProperty_SpatializationAlgorithm, to: UInt32(0), kAudioUnitScope_Output, 0)
        == kAudioUnitErr_InvalidScope)
  }
}
