// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import Foundation
import Testing

@Suite("Files of plug-ins")
struct PlugInFileTests {
  private func failure(_ path: String) -> AudioError? {
    #expect(throws: AudioError.self) {
      try PlugInFile(path).load(into: ComponentRegistry.shared)
    }
  }

  @Test("are named by their path, and never searched for among the system's libraries")
  func path() {
    #expect(PlugInFile("organ.so").path == "./organ.so")
    #expect(PlugInFile("/tmp/organ.so").path == "/tmp/organ.so")
    #expect(PlugInFile("../organ.so").path == "../organ.so")
    #expect(failure("libc.so.6")?.status == AudioError.invalidFile.status)
  }

  @Test("that do not exist, or are no shared objects, are refused with a reason")
  func refused() throws {
    let path = NSTemporaryDirectory() + "plug-in-\(UUID().uuidString).so"
    #expect(failure(path)?.explanation.isEmpty == false)
    try Data("not a plug-in".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = failure(path)
    #expect(error?.status == AudioError.invalidFile.status)
    #expect(error?.explanation.isEmpty == false)
  }
}
