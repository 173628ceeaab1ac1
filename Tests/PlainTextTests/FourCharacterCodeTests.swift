// SPDX-License-Identifier: Apache-2.0

import PlainText
import Testing

@Suite("Four-character codes")
struct FourCharacterCodeTests {
  @Test("are read from one to four letters, padded with spaces")
  func reading() {
    #expect(FourCharacterCode("lpas")?.rawValue == 0x6c70_6173)
    #expect(FourCharacterCode("def") == FourCharacterCode("def "))
    #expect(FourCharacterCode("") == nil && FourCharacterCode("lpass") == nil)
    #expect(FourCharacterCode("é") == nil && FourCharacterCode("a\n") == nil)
  }

  @Test("are written as letters, or as a number if these cannot be printed")
  func writing() {
    #expect("\(FourCharacterCode(0x6c70_6173))" == "lpas")
    #expect("\(FourCharacterCode(1))" == "0x1")
  }
}
