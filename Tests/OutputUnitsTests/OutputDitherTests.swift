// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Testing

@Suite("The dither of an output unit")
struct OutputDitherTests {
  @Test("is none at first, and one of three kinds")
  func kinds() throws {
    try onDevice {
      let unit = try HostedUnit()
      let id = AudioUnitPropertyID(kAudioConverterPropertyDithering)
      #expect(try unit.get(id, as: UInt32(7)) == UInt32(kDitherAlgorithm_None))
      for kind in [kDitherAlgorithm_TPDF, kDitherAlgorithm_NoiseShaping, kDitherAlgorithm_None] {
        try unit.set(id, to: UInt32(kind))
        #expect(try unit.get(id, as: UInt32(7)) == UInt32(kind))
      }
      #expect(unit.setting(id, to: UInt32(3)) == kAudioUnitErr_InvalidPropertyValue)
      #expect(unit.setting(id, to: UInt32.max) == kAudioUnitErr_InvalidPropertyValue)
    }
  }

  @Test("is fixed while the unit runs")
  func running() throws {
    try onDevice {
      let unit = try HostedUnit()
      let id = AudioUnitPropertyID(kAudioConverterPropertyDithering)
      try unit.set(id, to: UInt32(kDitherAlgorithm_TPDF))
      let callback = HostCallback()
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.count > 2 })
      #expect(unit.setting(id, to: UInt32(0)) == kAudioUnitErr_Initialized)
      try unit.stop()
      try unit.set(id, to: UInt32(0))
    }
  }
}
