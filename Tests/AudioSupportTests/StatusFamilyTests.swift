// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Testing

@testable import AudioSupport

@Suite("Families of status codes")
struct StatusFamilyTests {
  private func family(_ call: String) -> StatusFamily {
    StatusFamily(
      of: [call], [StatusName(0x7465_7374, "k\(call)Error", "It is a test.", "None.")])
  }

  @Test("keep the order of the library, whichever module of it a program uses first")
  func order() {
    StatusFamily.add(family("TestsLast"))
    StatusFamily.register([family("TestsFirst"), family("TestsLast")])
    #expect(StatusName.of(0x7465_7374)?.name == "kTestsFirstError")
    StatusFamily.add(family("TestsFirst"))
    StatusFamily.add(family("TestsLater"))
    #expect(StatusName.of(0x7465_7374)?.name == "kTestsFirstError")
    #expect(StatusName.of(0x7465_7374, from: "TestsLastOpen")?.name == "kTestsLastError")
    #expect(StatusName.all.filter { $0.name.hasPrefix("kTests") }.count == 3)
  }
}
