// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@testable import ToneModel

@Suite("Errors of the tone generator")
struct ToneErrorTests {
  @Test("says that there is no default output where no output unit is registered")
  func noOutput() {
    let nobody: OSType = 0x6e6f6e65  // 'none'
    let error = #expect(throws: ToneError.self) {
      try makeInstance(
        kAudioUnitType_Output, nobody, kAudioUnitManufacturer_Apple, missing: ToneOutput.missing)
    }
    #expect(error?.description == "Can't find default output")
  }
}
