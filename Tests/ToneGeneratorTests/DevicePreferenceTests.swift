// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import Foundation
import Testing
import ToneModel

@Suite("Device preferences of a tone")
struct DevicePreferenceTests {
  @Test("are granted by a device without hardware, and the tone stays in tune")
  func granted() throws {
    let file = try DeviceContext(preferences: DevicePreferences()).use {
      try recording {
        let model = ToneModel(Tone(frequency: 997, level: -12))
        model.devicePreferences = ToneDevicePreferences(sampleRate: 44_100, cycleFrames: 128)
        try model.play(for: 0.5)
        #expect(model.device?.sampleRate == 44_100)
        #expect(model.device?.cycleFrames == 128)
        model.waitUntilOver()
      }
    }
    #expect(file.sampleRate == 44_100)
    let fit = file.channels[0][4_000..<18_000].tone(near: 997)
    #expect(abs(fit.frequency - 997) < 1e-4)
  }

  @Test("change during playback, and can be removed")
  func changed() throws {
    try DeviceContext(preferences: DevicePreferences()).use {
      var environment = DeviceEnvironment()
      environment.device = DeviceName("null")
      try environment.use {
        let model = ToneModel(Tone())
        try model.play()
        #expect(model.device?.cycleFrames == 512)
        model.devicePreferences.cycleFrames = 2_048
        #expect(model.isPlaying && model.device?.cycleFrames == 2_048)
        model.devicePreferences = ToneDevicePreferences()
        #expect(model.device?.cycleFrames == 512)
        model.stop()
      }
    }
  }

  @Test("are limited to their ranges")
  func limits() {
    #expect(ToneDevicePreferences(sampleRate: 1, cycleFrames: 1).sampleRate == 1_000)
    #expect(ToneDevicePreferences(sampleRate: 1, cycleFrames: 1).cycleFrames == 16)
    #expect(ToneDevicePreferences.usualCycles.allSatisfy(ToneDevicePreferences.cycles.contains))
  }
}
