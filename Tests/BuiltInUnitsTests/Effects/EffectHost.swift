// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Testing

/// An effect that processes signals, one for each channel.
final class EffectHost: @unchecked Sendable {
  let unit: HostedUnit
  let sampleRate: Double
  private let channelCount: Int
  private let feed: Feed
  private var time = 0

  /// The signals that the render callback supplies.
  private final class Feed: @unchecked Sendable {
    var channels: [[Float]] = []
    var position = 0
    var isSilent = false
  }

  /// Makes and initialises a unit with these parameters.
  init(
    _ subType: OSType, _ values: [AudioUnitParameterID: Float] = [:], sampleRate: Double = 48_000,
    channels: Int = 1
  ) throws {
    unit = try HostedUnit(subType, type: kAudioUnitType_Effect)
    self.sampleRate = sampleRate
    channelCount = channels
    feed = Feed()
    let format = AudioStreamBasicDescription.linear(sampleRate, channels: UInt32(channels))
    try unit.setFormat(format)
    try unit.setFormat(format, kAudioUnitScope_Output)
    try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(4096))
    let feed = feed
    try unit.setCallback(
      HostCallback { moment in
        moment.fill { channel, frame in
          let samples = feed.channels[min(channel, feed.channels.count - 1)]
          let place = frame - feed.position
          return place < samples.count ? samples[place] : 0
        }
        if feed.isSilent { moment.flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
        return noErr
      })
    for (id, value) in values { try set(id, value) }
    try unit.initialize()
  }

  func set(_ id: AudioUnitParameterID, _ value: Float) throws {
    try check(AudioUnitSetParameter(unit.handle, id, kAudioUnitScope_Global, 0, value, 0))
  }

  func value(_ id: AudioUnitParameterID) throws -> Float {
    var value = Float.nan
    try check(AudioUnitGetParameter(unit.handle, id, kAudioUnitScope_Global, 0, &value))
    return value
  }

  /// Latency in frames.
  var latency: Int {
    get throws {
      Int((try unit.get(kAudioUnitProperty_Latency, as: Float64(0)) * sampleRate).rounded())
    }
  }

  /// Processes signals in slices of `slice` frames; returns as many frames as the first signal has.
  /// `before` is called before each slice with its first frame.
  func play(
    _ signals: [Signal], slice: Int = 512, isSilent: Bool = false,
    before: (Int) throws -> Void = { _ in }
  ) throws -> [Signal] {
    let count = signals.first?.count ?? 0
    feed.channels = signals.map(\.floats)
    feed.position = time
    feed.isSilent = isSilent
    var output = [[Float]](repeating: [], count: channelCount)
    var frame = 0
    while frame < count {
      let frames = min(slice, count - frame)
      try before(frame)
      let list = AudioBufferList.allocate(maximumBuffers: channelCount)
      defer { free(list.unsafeMutablePointer) }
      for index in 0..<channelCount { list[index].mNumberChannels = 1 }
      var stamp = AudioTimeStamp()
      (stamp.mSampleTime, stamp.mFlags) = (Double(time), .sampleTimeValid)
      var flags = AudioUnitRenderActionFlags()
      try check(
        AudioUnitRender(
          unit.handle, &flags, &stamp, 0, UInt32(frames), list.unsafeMutablePointer))
      for index in 0..<channelCount {
        output[index] += Array(UnsafeMutableBufferPointer<Float>(list[index]))
      }
      frame += frames
      time += frames
    }
    return output.map { Signal($0, sampleRate: sampleRate) }
  }

  /// Processes a signal with a unit of one channel.
  func play(_ signal: Signal, slice: Int = 512) throws -> Signal {
    try #require(try play([signal], slice: slice).first)
  }
}

extension Signal {
  /// A constant at a level.
  static func level(_ decibels: Double, count: Int, sampleRate: Double = 48_000) -> Signal {
    Signal(
      [Double](repeating: pow(10, decibels / 20), count: count), sampleRate: sampleRate)
  }

  /// Repeatable noise from -`peak` to `peak`.
  static func noise(_ count: Int, peak: Double = 1, seed: UInt64 = 1) -> Signal {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    let samples = (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return (Double(state >> 11) * 0x1p-52 - 1) * peak
    }
    return Signal(samples)
  }

  static func + (one: Signal, other: Signal) -> Signal {
    Signal(one.samples + other.samples, sampleRate: one.sampleRate)
  }
}
