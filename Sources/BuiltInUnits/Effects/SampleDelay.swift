// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// A delay of a whole number of frames, up to a second.
struct SampleDelay: EffectKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay, "AUSampleDelay")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case delayFrames

    var spec: ParameterSpec {
      .init("delay frames", .sampleFrames, 0...768_000, default: 0, limit: .sampleRate)
    }
  }

  private var delay: IntegerDelay
  private let sampleRate: Double

  static func memory(_ setup: KernelSetup) -> Int {
    4 * setup.format.channelCount * Int(setup.format.sampleRate)
  }

  init(_ setup: KernelSetup) {
    sampleRate = setup.format.sampleRate
    delay = IntegerDelay(
      channelCount: setup.format.channelCount, longestDelay: Int(sampleRate),
      sampleRate: sampleRate, isOffline: setup.isOffline)
  }

  deinit { delay.deallocate() }

  func tailTime(_ values: Values) -> Double? {
    Double(frames(values)) / sampleRate
  }

  mutating func reset() { delay.reset() }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    delay.set(frames(values))
    delay.render(slice.channels, offset: slice.offset, count: slice.frameCount)
  }

  @_noLocks
  private func frames(_ values: Values) -> Int {
    Int(values[.delayFrames] + 0.5)
  }
}
