// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
@testable import BuiltInUnits
import Foundation
import Testing

/// Every effect of the catalogue between a source and a device.
@Suite("Every effect, before a device")
struct EffectDeviceConformanceTests {
  private static let frames = 24_000

  @Test("plays exactly what it renders offline", arguments: EffectCase.all)
  func device(effect: EffectCase) throws {
    let input = quietNoise(Self.frames)
    let channels = effect.defaultChannels
    let offline = try effect.make(channels: channels)
    try offline.changeParameters(0.4)
    try offline.host.initialize()
    let expected = try offline.render(input, slice: 512)

    let tape = Tape()
    try onDevice(tape, channels: channels.output) {
      let unit = try effect.make(channels: channels)
      try unit.changeParameters(0.4)
      try unit.host.setCallback(.playing([input]))
      let output = try HostedUnit()
      let notify = HostCallback()
      try output.addNotify(notify)
      try output.connect(unit.host)
      try unit.host.initialize()
      try output.initialize()
      try output.start()
      // A notify is called before and after each render.
      #expect(wait { notify.frames / 2 >= Self.frames })
      try output.stop()
      #expect(try output.lastRenderError == noErr)
    }
    let recorded = try tape.samples()
    #expect(recorded.count == channels.output)
    for (channel, samples) in recorded.enumerated() {
      #expect(samples[..<Self.frames] == expected[channel][..<Self.frames])
    }
  }
}
