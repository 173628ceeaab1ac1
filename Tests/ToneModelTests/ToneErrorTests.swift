// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@testable import ToneModel

@Suite("Errors of the tone generator")
struct ToneErrorTests {
  @Test("report that there is no default output if no output unit is registered")
  func noOutput() {
    let unused: OSType = 0x6e6f6e65  // 'none'
    let error = #expect(throws: ToneError.self) {
      try makeInstance(
        kAudioUnitType_Output, unused, kAudioUnitManufacturer_Apple, missing: ToneOutput.missing)
    }
    #expect(error?.description == "Can't find default output")
  }
}
