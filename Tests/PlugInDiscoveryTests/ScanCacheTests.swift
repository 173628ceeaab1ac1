// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import AudioUnitCore
import Foundation
import Testing

@testable import PlugInDiscovery

@Suite("The cache of scans")
struct ScanCacheTests {
  private let file: ScannedFile = {
    let codes = AudioComponentDescription(
      componentType: 1, componentSubType: 2, componentManufacturer: .max, componentFlags: 0,
      componentFlagsMask: 0)
    var file = ScannedFile(format: .LV2, path: "/a\tb\\n\n/ü.lv2", stamp: FileStamp())
    file.stamp.size = .max
    file.stamp.time = 1
    file.stamp.inode = 7
    file.plugIns = [
      FoundPlugIn(
        format: .LV2, path: file.path, name: "Maker\t: Näme\n", identifier: "urn:a#b\\",
        codes: codes,
        version: 3,
        traits: ComponentTraits(
          tags: ["Reverb", "a,b\\", "\t"], hasMIDIInput: true, hasMIDIOutput: false),
        reason: "because\tso"),
      FoundPlugIn(format: .LV2, path: file.path, name: "", identifier: "", version: 0),
    ]
    return file
  }()

  @Test("keeps every text and number")
  func kept() throws {
    let folder = try TestFolder()
    let cache = try #require(ScanCache(environment: folder.environment))
    #expect(cache.read().isEmpty)
    let bad = ScannedFile(
      format: .CLAP, path: "/bad.clap", stamp: FileStamp(), reason: "it ends", isBlocked: true)
    try cache.write([file, bad])
    let read = cache.read()
    #expect(read.map(\.path) == [file.path, bad.path])
    #expect(read.map(\.stamp) == [file.stamp, bad.stamp])
    #expect(read[0].plugIns == file.plugIns)
    #expect(read[1].reason == "it ends")
    #expect(read.map(\.isBlocked) == [false, true])
    // Nothing else is left in its folder.
    let names = try FileManager.default.contentsOfDirectory(
      atPath: (cache.path as NSString).deletingLastPathComponent)
    #expect(names == ["plug-ins"])
  }

  @Test("of another version, or damaged anywhere, is read as far as it is sound")
  func damaged() throws {
    let folder = try TestFolder()
    let cache = try #require(ScanCache(environment: folder.environment))
    try cache.write([file])
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: cache.path)))
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0x15
      _ = ScanCache.parse(changed)
      _ = ScanCache.parse(Array(bytes[..<place]))
    }
    var other = bytes
    other[0] = UInt8(ascii: "S")
    #expect(ScanCache.parse(other).isEmpty)
  }

  @Test("that cannot be written says so")
  func unwritable() throws {
    let cache = try #require(ScanCache { _ in "/proc/none" })
    #expect(throws: (any Error).self) { try cache.write([file]) }
    #expect(ScanCache { _ in nil } == nil)
  }
}
