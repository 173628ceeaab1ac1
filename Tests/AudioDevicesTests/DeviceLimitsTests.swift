// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import Testing

@Suite("Numbers that a server reports")
struct DeviceLimitsTests {
  private func device(rate: Double = 48_000, frames: Int = 512, channels: Int = 2) -> Device {
    Device(
      backend: "test", uid: "test", name: "test", inputChannelCount: channels,
      outputChannelCount: channels, sampleRate: rate, sampleRates: 1...2, cycleFrames: frames,
      cycleFramesRange: 1...2, isDefaultInput: false, isDefaultOutput: false)
  }

  @Test(
    "a rate that no device has counts as 48,000 Hz", arguments: [0, -1, .nan, .infinity, 1e300])
  func rates(rate: Double) {
    #expect(device(rate: rate).sampleRate == 48_000)
    var changed = device(rate: 44_100)
    #expect(changed.sampleRate == 44_100)
    changed.sampleRate = rate
    #expect(changed.sampleRate == 48_000)
  }

  @Test("cycles have 1 to 65,536 frames", arguments: [(0, 1), (.min, 1), (.max, 65_536), (7, 7)])
  func cycles(reported: Int, used: Int) {
    #expect(device(frames: reported).cycleFrames == used)
    var changed = device()
    changed.cycleFrames = reported
    #expect(changed.cycleFrames == used)
  }

  @Test("channels are counted from 0", arguments: [(-1, 0), (.max, 4_096), (8, 8)])
  func channels(reported: Int, used: Int) {
    #expect(device(channels: reported).inputChannelCount == used)
    var changed = device()
    changed.outputChannelCount = reported
    #expect(changed.outputChannelCount == used)
  }

  @Test(
    "a measured rate that is not believable counts as the nominal one",
    arguments: [0, -1, .nan, .infinity, 3])
  func rateScalars(scalar: Double) {
    #expect(
      DeviceCycle(frameCount: 1, sampleTime: 0, hostTime: 0, rateScalar: scalar).rateScalar == 1)
    let plausible = DeviceCycle(frameCount: 1, sampleTime: 0, hostTime: 0, rateScalar: 1.001)
    #expect(plausible.rateScalar == 1.001)
  }
}
