// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioUnitCore
import Foundation
import Testing

@testable import PlugInDiscovery

@Suite("Codes of plug-ins")
struct PlugInCodesTests {
  init() { _ = AudioComponentCount([AudioComponentDescription()]) }

  /// The codes, by identifiers, of a program with these folders, which scans them in the user's folder.
  private func codes(_ folders: [String], home: String) throws -> [String: String] {
    let registry = ComponentRegistry()
    let plugIns = PlugIns(registry: registry) { name in
      [
        "HOME": home, "AUDIOTOOLBOX_PLUGINS": "ladspa",
        "LADSPA_PATH": folders.joined(separator: ":"),
      ][name]
    }
    try plugIns.scan(everything: false)
    #expect(registry.all().count == plugIns.list.count)
    return Dictionary(
      uniqueKeysWithValues: plugIns.list.map { ($0.identifier, $0.codes.codes) })
  }

  @Test("stay when others are removed, folders change places, or another user finds them")
  func stable() throws {
    let (folder, other) = (try TestFolder(), try TestFolder())
    let folders = ["a", "b", "c"].map { "\(folder.path)/\($0)" }
    for (path, name) in zip(folders, ["one", "two", "three"]) {
      try HostileLibrary.build("FINE", at: "\(path)/\(name).so")
    }
    let all = try codes(folders, home: folder.path)
    #expect(Set(all.keys) == ["one:through", "two:through", "three:through"])
    #expect(Set(all.values).count == 3)
    #expect(try codes(folders.reversed(), home: folder.path) == all)
    #expect(try codes(folders.reversed(), home: other.path) == all)
    try FileManager.default.removeItem(atPath: "\(folders[0])/one.so")
    // In a folder of another name, under the same name.
    try FileManager.default.moveItem(atPath: folders[2], toPath: "\(folder.path)/d")
    let rest = try codes([folders[1], "\(folder.path)/d"], home: folder.path)
    #expect(rest == all.filter { $0.key != "one:through" })
  }
}
