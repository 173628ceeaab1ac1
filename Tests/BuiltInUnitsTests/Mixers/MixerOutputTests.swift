// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("A mixer before an output unit")
struct MixerOutputTests {
  /// The render error of an output unit that plays a mixer with cycles of 4,096 frames.
  private func play(mixerMaximum: UInt32?) throws -> OSStatus {
    try onDevice(rate: 48_000, frames: 4_096) {
      let mixer = try MixerHost(inputs: 1)
      let source = try mixer.feedSine(0, 440)
      let output = try HostedUnit()
      try output.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(4_096))
      if let mixerMaximum {
        try mixer.unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: mixerMaximum)
      }
      try output.connect(mixer.unit)
      try mixer.initialize()
      try output.initialize()
      let notify = HostCallback()
      try output.addNotify(notify)
      try output.start()
      #expect(wait { notify.count >= 8 })
      try output.stop()
      #expect(source.frames > 0)
      return try output.lastRenderError
    }
  }

  @Test("is pulled several times for slices that are larger than its maximum")
  func largeSlices() throws {
    #expect(try play(mixerMaximum: nil) == noErr)
    #expect(try play(mixerMaximum: 4_096) == noErr)
  }
}
