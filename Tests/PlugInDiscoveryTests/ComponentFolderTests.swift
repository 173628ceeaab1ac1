// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

@testable import PlugInDiscovery

@Suite("Folders of audio units")
struct ComponentFolderTests {
  private let folder = try? TestFolder()

  /// What a folder with this property list contains.
  private func units(_ list: String?, library: String? = "gain") throws -> [FoundPlugIn] {
    // The property list reader is installed with the first use of the library.
    _ = AudioComponentCount([AudioComponentDescription()])
    let folder = try #require(folder)
    if let list { try folder.write(list, to: "Gain.component/Contents/Info.plist") }
    if let library {
      try folder.write(
        "", to: "Gain.component/Contents/\(ComponentFolder.platform)/\(library).so")
    }
    return ComponentFolder("\(folder.path)/Gain.component").units().map(\.plugIn)
  }

  @Test("are described by their property lists, without loading anything")
  func described() throws {
    let units = try units(
      ComponentText.list([
        "sandboxSafe": "<true/>", "description": "<string>Louder</string>",
        "tags": "<array><string>Effects</string><integer>1</integer></array>",
      ]))
    let unit = try #require(units.first)
    #expect(units.count == 1)
    #expect(unit.reason == "")
    #expect(unit.name == "Test: Gain")
    #expect(unit.identifier == "aufx tst1 Test")
    #expect(unit.version == 65537)
    #expect(unit.traits.tags == ["Effects"])
    #expect(unit.codes.componentFlags == AudioComponentFlags.sandboxSafe.rawValue)
  }

  @Test(
    "with wrong entries give a reason",
    arguments: [
      (["subtype": nil], "subtype"), (["type": "<string>effect</string>"], "\"effect\""),
      (["manufacturer": "<string>äbc</string>"], "four characters"),
      (["manufacturer": "<integer>5</integer>"], "manufacturer"),
      (["name": nil], "name"), (["name": "<string></string>"], "name"),
      (["version": "<string>1.0</string>"], "version"),
      (["version": "<integer>-1</integer>"], "version"), (["version": nil], "version"),
      (["factoryFunction": nil], "factoryFunction"),
    ] as [([String: String?], String)])
  func wrongEntries(_ changes: [String: String?], _ word: String) throws {
    let units = try units(ComponentText.list(changes))
    #expect(units.count == 1)
    #expect(units[0].reason.contains(word), "\(units[0].reason)")
    #expect(units[0].codes.componentType == 0)
  }

  @Test("without a property list that can be read give a reason")
  func wrongLists() throws {
    #expect(try units(nil)[0].reason.contains("No such file"))
    #expect(try units("this is none")[0].reason.contains("property list"))
    #expect(try units("<plist><array/></plist>")[0].reason.contains("dictionary"))
    #expect(try units("<plist><dict/></plist>")[0].reason.contains("AudioComponents"))
    let deep = String(repeating: "<array>", count: 100_000)
    #expect(try units("<plist>\(deep)</plist>")[0].reason.contains("property list"))
    let long = String(repeating: " ", count: 1 << 21)
    #expect(try units(long)[0].reason.contains("1 MB"))
  }

  @Test("without the library for this machine give a reason, and names lead nowhere else")
  func library() throws {
    let missing = try units(ComponentText.list(), library: nil)[0].reason
    #expect(missing.contains("\(ComponentFolder.platform)/gain.so"))
    let outside = try units(ComponentText.list(executable: "../../../../bin/sh"), library: nil)
    #expect(outside[0].reason.contains("\(ComponentFolder.platform)/Gain.so"))
  }
}
