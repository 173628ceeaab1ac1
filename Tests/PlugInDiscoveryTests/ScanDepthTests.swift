// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioUnitCore
import Foundation
import Testing

@testable import PlugInDiscovery

@Suite("Scans with a cache")
struct ScanDepthTests {
  private let folder: TestFolder

  init() throws {
    _ = AudioComponentCount([AudioComponentDescription()])
    folder = try TestFolder()
  }

  private func plugIns(_ registry: ComponentRegistry = ComponentRegistry()) -> PlugIns {
    let home = folder.path
    return PlugIns(registry: registry) {
      ["HOME": home, "AUDIOTOOLBOX_PLUGINS": "lv2", "LV2_PATH": "\(home)/lv2"][$0]
    }
  }

  /// Writes a bundle whose plug-in has this name.
  private func write(_ name: String, to bundle: String = "one") throws {
    let manifest = "lv2/\(bundle).lv2/manifest.ttl"
    if !FileManager.default.fileExists(atPath: "\(folder.path)/\(manifest)") {
      try folder.write(
        """
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        <urn:\(bundle)> a lv2:Plugin ; lv2:binary <it.so> ; rdfs:seeAlso <it.ttl> .
        """, to: manifest)
    }
    let text = """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix doap: <http://usefulinc.com/ns/doap#> .
      <urn:\(bundle)> a lv2:Plugin ; doap:name "\(name)" ; lv2:port
        [ a lv2:InputPort, lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
        [ a lv2:OutputPort, lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] .
      """
    let path = "\(folder.path)/lv2/\(bundle).lv2/it.ttl"
    if let file = FileHandle(forWritingAtPath: path) {
      // In place: the folder does not change.
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    } else {
      try folder.write(text, to: "lv2/\(bundle).lv2/it.ttl")
    }
  }

  private func names(_ plugIns: PlugIns) -> [String] {
    plugIns.list.map { String($0.name.split(separator: " ").last ?? "") }
  }

  @Test("notice bundles that are new, replaced or gone")
  func folders() throws {
    try write("First")
    try plugIns().scan(everything: false)
    try write("Second", to: "two")
    let second = plugIns()
    try second.scan(everything: false)
    #expect(names(second) == ["First", "Second"])
    try FileManager.default.removeItem(atPath: "\(folder.path)/lv2/one.lv2/it.ttl")
    try write("Third")
    try FileManager.default.removeItem(atPath: "\(folder.path)/lv2/two.lv2")
    let third = plugIns()
    try third.scan(everything: false)
    #expect(names(third) == ["Third"])
    // A folder whose manifest is gone is no bundle.
    try FileManager.default.removeItem(atPath: "\(folder.path)/lv2/one.lv2/manifest.ttl")
    let last = plugIns()
    try last.scan(everything: false)
    #expect(last.list.isEmpty)
  }

  @Test("in the background notice texts that were overwritten in place, and so do complete ones")
  func texts() async throws {
    try write("First")
    try plugIns().scan(everything: false)
    try write("Second")
    let quick = plugIns()
    try quick.scan(everything: false)
    #expect(names(quick) == ["First"])
    // Registers what is known, and looks at everything later.
    let slow = plugIns()
    slow.register()
    for _ in 0..<200 where names(slow) != ["Second"] {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(names(slow) == ["Second"])
    try write("Third")
    let complete = plugIns()
    try complete.scan(everything: true)
    #expect(names(complete) == ["Third"])
  }

  @Test("a program with 1,200 plug-ins in the cache finds the first one at once")
  func many() throws {
    let cache = try #require(ScanCache(environment: folder.environment))
    let files = (0..<1_200).map { number in
      let path = "\(folder.path)/lv2/p\(number).lv2"
      let codes = AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: UInt32(number + 1),
        componentManufacturer: 0x4C61_6161, componentFlags: 0, componentFlagsMask: 0)
      let plugIn = FoundPlugIn(
        format: .LV2, path: path, name: "Maker: Plug-in \(number)", identifier: "urn:\(number)",
        codes: codes)
      return ScannedFile(format: .LV2, path: path, stamp: FileStamp(), plugIns: [plugIn])
    }
    try cache.write(files)
    // The shortest of several, because others use the processor; it takes about 3 ms.
    let times = (0..<8).map { _ in
      let registry = ComponentRegistry()
      let plugIns = plugIns(registry)
      registry.findMore = { plugIns.registerCached() }
      return ContinuousClock().measure {
        #expect(registry.next(after: nil, matching: AudioComponentDescription()) != nil)
      }
    }
    #expect(try #require(times.min()) < .milliseconds(30))
  }
}
