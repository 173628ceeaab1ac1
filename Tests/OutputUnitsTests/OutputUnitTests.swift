// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import AudioTestSupport
import Foundation
import Testing

/// The four output units that use a device.
let deviceUnits: [OSType] = [
  kAudioUnitSubType_RemoteIO, kAudioUnitSubType_DefaultOutput, kAudioUnitSubType_SystemOutput,
  kAudioUnitSubType_HALOutput,
]

@Suite("Output unit")
struct OutputUnitTests {
  @Test(
    "plays the exact samples of its callback, under each of its subtypes",
    arguments: deviceUnits)
  func plays(subType: OSType) throws {
    let tape = Tape()
    let samples = [noise(5_000), noise(5_000, seed: 2)]
    try onDevice(tape, rate: 44_100) {
      let unit = try HostedUnit(subType)
      let callback = HostCallback.playing(samples)
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames >= 5_000 })
      try unit.stop()
      try unit.dispose()
    }
    let recorded = try tape.samples()
    #expect(Array(recorded[0].prefix(5_000)) == samples[0])
    #expect(Array(recorded[1].prefix(5_000)) == samples[1])
  }

  @Test("has two elements in each scope, output enabled and input not", arguments: deviceUnits)
  func elements(subType: OSType) throws {
    try onDevice {
      let unit = try HostedUnit(subType)
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        #expect(try unit.get(kAudioUnitProperty_ElementCount, as: UInt32(0), scope) == 2)
      }
      let enableIO = kAudioOutputUnitProperty_EnableIO
      #expect(try unit.get(enableIO, as: UInt32(7), kAudioUnitScope_Input, 1) == 0)
      #expect(try unit.get(enableIO, as: UInt32(7), kAudioUnitScope_Output, 0) == 1)
      let hasIO = kAudioOutputUnitProperty_HasIO
      #expect(try unit.get(hasIO, as: UInt32(7), kAudioUnitScope_Input, 1) == 1)
      #expect(try unit.get(hasIO, as: UInt32(7), kAudioUnitScope_Output, 0) == 1)
      #expect(try unit.get(kAudioUnitProperty_MaximumFramesPerSlice, as: UInt32(0)) == 1156)
    }
  }

  @Test("has stereo planar Float32 at 44,100 Hz by default; what faces the device has its format")
  func defaultFormats() throws {
    try onDevice(rate: 96_000, channels: 4) {
      let unit = try HostedUnit()
      for (scope, element) in [(kAudioUnitScope_Input, 0), (kAudioUnitScope_Output, 1)] {
        let format = try unit.format(scope, UInt32(element))
        #expect(format.mSampleRate == 44_100)
        #expect(format.mChannelsPerFrame == 2)
        #expect(format.mFormatFlags == 0x29)
        #expect(format.mBytesPerFrame == 4)
      }
      for (scope, element) in [(kAudioUnitScope_Output, 0), (kAudioUnitScope_Input, 1)] {
        let format = try unit.format(scope, UInt32(element))
        #expect(format.mSampleRate == 96_000)
        #expect(format.mChannelsPerFrame == 4)
        let rate = kAudioUnitProperty_SampleRate
        #expect(try unit.get(rate, as: 0.0, scope, UInt32(element)) == 96_000)
        #expect(
          unit.setting(
            kAudioUnitProperty_StreamFormat, to: AudioStreamBasicDescription.linear(48_000), scope,
            UInt32(element)) == kAudioUnitErr_PropertyNotWritable)
      }
      #expect(try unit.get(kAudioUnitProperty_SampleRate, as: 0.0) == 96_000)
    }
  }

  @Test("has the sample rate of the device before its format was read")
  func sampleRate() throws {
    try onDevice(rate: 32_000) {
      let unit = try HostedUnit()
      let rate = try unit.get(
        kAudioUnitProperty_SampleRate, as: 0.0, kAudioUnitScope_Output, 0)
      #expect(rate == 32_000)
    }
  }

  @Test("refuses to enable anything but input and output, and any change while it runs")
  func enableIO() throws {
    try onDevice {
      let unit = try HostedUnit()
      let enableIO = kAudioOutputUnitProperty_EnableIO
      #expect(
        unit.setting(enableIO, to: UInt32(1), kAudioUnitScope_Global, 0)
          == kAudioUnitErr_InvalidScope)
      #expect(
        unit.setting(enableIO, to: UInt32(1), kAudioUnitScope_Output, 1)
          == kAudioUnitErr_InvalidElement)
      #expect(
        unit.setting(enableIO, to: UInt32(1), kAudioUnitScope_Input, 2)
          == kAudioUnitErr_InvalidElement)
      #expect(
        unit.setting(enableIO, to: UInt8(1), kAudioUnitScope_Input, 1)
          == kAudioUnitErr_InvalidPropertyValue)
      try unit.initialize()
      try unit.start()
      #expect(
        unit.setting(enableIO, to: UInt32(1), kAudioUnitScope_Input, 1)
          == kAudioUnitErr_Initialized)
      try unit.uninitialize()
      try unit.enable(input: false, output: false)
      #expect(AudioUnitInitialize(unit.handle) == kAudioUnitErr_FailedInitialization)
    }
  }

  @Test("refuses to be rendered by the program")
  func renderedByDevice() throws {
    try onDevice {
      let unit = try HostedUnit()
      #expect(render(unit, bus: 0) == kAudioUnitErr_Uninitialized)
      try unit.initialize()
      #expect(render(unit, bus: 0) == kAudioUnitErr_CannotDoInCurrentContext)
      #expect(render(unit, bus: 1) == kAudioUnitErr_InvalidElement)
      #expect(render(unit, bus: 2) == kAudioUnitErr_InvalidElement)
    }
  }

  @Test("returns captured samples only inside its callbacks")
  func capturedInside() throws {
    try onDevice {
      let unit = try HostedUnit()
      try unit.enable(input: true)
      try unit.initialize()
      #expect(render(unit, bus: 1) == kAudioUnitErr_CannotDoInCurrentContext)
      try unit.start()
      #expect(render(unit, bus: 1) == kAudioUnitErr_CannotDoInCurrentContext)
    }
  }

  @Test("selects its device by number, and refuses unknown numbers")
  func currentDevice() throws {
    try onDevice {
      let unit = try HostedUnit(kAudioUnitSubType_HALOutput)
      let property = kAudioOutputUnitProperty_CurrentDevice
      let device = try unit.get(property, as: UInt32(0))
      #expect(device != 0)
      try unit.set(property, to: device)
      #expect(try unit.get(property, as: UInt32(0)) == device)
      for wrong in [0, 1, 63, UInt32.max] {
        #expect(unit.setting(property, to: wrong) == kAudioUnitErr_InvalidPropertyValue)
      }
      try unit.initialize()
      try unit.start()
      #expect(unit.setting(property, to: device) == kAudioUnitErr_Initialized)
    }
  }

  @Test("reports the delay of the rate conversion as its latency, before and while it runs")
  func latency() throws {
    try onDevice(rate: 48_000) {
      let unit = try HostedUnit()
      #expect(try unit.get(kAudioUnitProperty_Latency, as: 1.0) == 0)
      try unit.initialize()
      let stopped = try unit.get(kAudioUnitProperty_Latency, as: 0.0)
      #expect(stopped > 0.000_5 && stopped < 0.001)
      try unit.start()
      #expect(try unit.get(kAudioUnitProperty_Latency, as: 0.0) == stopped)
      try unit.stop()
      try unit.setFormat(.linear(48_000))
      #expect(try unit.get(kAudioUnitProperty_Latency, as: 1.0) == 0)
    }
  }

  @Test("applies a channel map to the output")
  func outputMap() throws {
    let tape = Tape()
    let samples = [noise(2_000), noise(2_000, seed: 2)]
    try onDevice(tape, rate: 44_100, channels: 4) {
      let unit = try HostedUnit()
      let property = kAudioOutputUnitProperty_ChannelMap
      let natural = try unit.getArray(property, of: Int32(9), kAudioUnitScope_Output, 0)
      #expect(natural == [0, 1, -1, -1])
      #expect(
        unit.setArray(property, to: [1, 0] as [Int32], kAudioUnitScope_Output, 0)
          == kAudioUnitErr_InvalidPropertyValue)
      try check(unit.setArray(property, to: [1, -1, 0, 1] as [Int32], kAudioUnitScope_Output, 0))
      #expect(
        try unit.getArray(property, of: Int32(9), kAudioUnitScope_Output, 0) == [1, -1, 0, 1])
      try play(samples, on: unit)
    }
    let recorded = try tape.samples().map { Array($0.prefix(2_000)) }
    #expect(recorded[0] == samples[1])
    #expect(recorded[1] == [Float](repeating: 0, count: 2_000))
    #expect(recorded[2] == samples[0])
    #expect(recorded[3] == samples[1])
  }

  @Test("shortens a channel map when the number of channels decreases")
  func staleMap() throws {
    let input = try Tape([noise(4_000), noise(4_000, seed: 2)], sampleRate: 44_100)
    try onDevice(input: input, rate: 44_100) {
      let unit = try HostedUnit()
      try unit.enable(input: true, output: false)
      let property = kAudioOutputUnitProperty_ChannelMap
      try unit.setFormat(.linear(44_100, channels: 64), kAudioUnitScope_Output, 1)
      try check(
        unit.setArray(
          property, to: [Int32](repeating: 1, count: 64), kAudioUnitScope_Output, 1))
      try unit.setFormat(.linear(44_100, channels: 1), kAudioUnitScope_Output, 1)
      #expect(try unit.getArray(property, of: Int32(9), kAudioUnitScope_Output, 1) == [1])
      try unit.initialize()
      try unit.start()
      usleep(20_000)
      try unit.stop()
    }
  }

  @Test("plays mono on the first two channels of any device", arguments: [2, 4, 6])
  func mono(channels: Int) throws {
    let tape = Tape()
    let samples = [noise(2_000)]
    try onDevice(tape, rate: 44_100, channels: channels) {
      let unit = try HostedUnit()
      try unit.setFormat(.linear(44_100, channels: 1))
      try play(samples, on: unit)
    }
    let recorded = try tape.samples().map { Array($0.prefix(2_000)) }
    #expect(recorded[0] == samples[0])
    #expect(recorded[1] == samples[0])
    for other in recorded.dropFirst(2) { #expect(other.allSatisfy { $0 == 0 }) }
  }

  @Test(
    "mixes the channels that the device lacks into those that it has, unless a map assigns them")
  func mixed() throws {
    let samples = (1...6).map { noise(2_000, seed: UInt64($0)) }
    for isMapped in [false, true] {
      let tape = Tape()
      try onDevice(tape, rate: 44_100) {
        let unit = try HostedUnit()
        try unit.setFormat(.linear(44_100, channels: 6))
        if isMapped {
          try check(
            unit.setArray(
              kAudioOutputUnitProperty_ChannelMap, to: [2, 3] as [Int32], kAudioUnitScope_Output, 0)
          )
        }
        try play(samples, on: unit)
      }
      let recorded = try tape.samples().map { Array($0.prefix(2_000)) }
      guard !isMapped else {
        #expect(recorded == [samples[2], samples[3]])
        continue
      }
      // Left, right, centre, low frequencies, surrounds.
      for (channel, sources) in [[0, 2, 4], [1, 2, 5]].enumerated() {
        let expected = (0..<2_000).map { frame in
          samples[sources[0]][frame]
            + 0.707_106_77 * (samples[sources[1]][frame] + samples[sources[2]][frame])
        }
        let difference = zip(recorded[channel], expected).map { abs($0 - $1) }.max() ?? 1
        #expect(difference < 1e-6)
      }
    }
  }

  @Test(
    "refuses inconsistent formats",
    arguments: [
      AudioStreamBasicDescription.linear(44_100, bits: 16, bytes: 1),
      .linear(0), .linear(.nan), .linear(44_100, channels: 0),
      .linear(44_100, bits: 16, bytes: 4),
    ])
  func wrongFormats(format: AudioStreamBasicDescription) throws {
    try onDevice {
      let unit = try HostedUnit()
      #expect(
        unit.setting(kAudioUnitProperty_StreamFormat, to: format, kAudioUnitScope_Input, 0)
          == kAudioUnitErr_FormatNotSupported)
    }
  }

  @Test(
    "returns a format as it was set",
    arguments: [
      AudioStreamBasicDescription.linear(44_100, channels: 1),
      .linear(44_100, channels: 1, flags: kAudioFormatFlagIsFloat, isInterleaved: true),
      .linear(
        8_000, channels: 2, bits: 16,
        flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, isInterleaved: true),
    ])
  func returnedFormat(format: AudioStreamBasicDescription) throws {
    try onDevice {
      let unit = try HostedUnit()
      try unit.setFormat(format)
      let returned = try unit.format()
      #expect(returned.mFormatFlags == format.mFormatFlags)
      #expect(returned.mSampleRate == format.mSampleRate)
      #expect(returned.mBytesPerFrame == format.mBytesPerFrame)
      #expect(returned.mChannelsPerFrame == format.mChannelsPerFrame)
    }
  }
}

/// Plays samples from start to stop; the caller disposes of the unit.
func play(_ samples: [[Float]], on unit: HostedUnit) throws {
  let callback = HostCallback.playing(samples)
  try unit.setCallback(callback)
  try unit.initialize()
  try unit.start()
  #expect(wait { callback.frames >= samples[0].count + 4_096 })
  try unit.stop()
  try unit.setCallback(nil)
  try unit.uninitialize()
}

/// The status of a render call by the program.
func render(
  _ unit: HostedUnit, bus: UInt32, frames: UInt32 = 64, channels: Int = 2, at time: Double = 0
) -> OSStatus {
  let list = AudioBufferList.allocate(maximumBuffers: channels)
  defer { free(list.unsafeMutablePointer) }
  for index in 0..<channels {
    list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: frames * 4, mData: nil)
  }
  var stamp = AudioTimeStamp()
  stamp.mSampleTime = time
  stamp.mFlags = .sampleTimeValid
  var flags = AudioUnitRenderActionFlags()
  return AudioUnitRender(unit.handle, &flags, &stamp, bus, frames, list.unsafeMutablePointer)
}
