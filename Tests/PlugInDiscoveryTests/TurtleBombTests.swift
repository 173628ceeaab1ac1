// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import PlugInHosting
import Testing

@testable import PlugInDiscovery

/// Bundles of LV2 whose texts are made to end or block their reader, between two that are as they should be.
@Suite("Scans of hostile LV2 texts")
struct TurtleBombTests {
  /// Texts that follow the head of a manifest.
  private static let bombs: [(name: String, text: String)] = [
    ("nested blank nodes", String(repeating: "[ <urn:a> ", count: 2_000_000)),
    ("nested lists", "<urn:a> <urn:b> " + String(repeating: "( ", count: 2_000_000)),
    ("a URI of 64 MB", "<urn:" + String(repeating: "x", count: 1 << 26) + "> a lv2:Plugin ."),
    (
      "files that refer to themselves",
      "<urn:bomb> rdfs:seeAlso <manifest.ttl> , <> , <.> , </dev/zero> ."
    ),
    ("many plug-ins", (0..<100_000).map { "<urn:bomb:\($0)> a lv2:Plugin .\n" }.joined()),
    ("bytes that are no text", String(repeating: "\u{0}\u{7F}\u{FFFD}", count: 10_000)),
  ]

  private static let heading = """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix doap: <http://usefulinc.com/ns/doap#> .

    """

  private static func plugIn(_ name: String) -> String {
    heading + """
      <urn:test:\(name)> a lv2:Plugin ; lv2:binary <\(name).so> ; doap:name "\(name)" ;
        lv2:port [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
          [ a lv2:OutputPort , lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] .
      """
  }

  @Test("cost their own bundle only", arguments: bombs.indices)
  func bomb(index: Int) throws {
    let folder = try TestFolder()
    let texts = [
      Self.plugIn("first"),
      Self.heading + "<urn:bomb> a lv2:Plugin ; lv2:binary <bomb.so> .\n" + Self.bombs[index].text,
      Self.plugIn("last"),
    ]
    let files = try zip(["a", "b", "c"], texts).map { name, text in
      let path = try folder.write(text, to: "\(name).lv2/manifest.ttl")
      return ScannedFile(
        format: .LV2, path: (path as NSString).deletingLastPathComponent, stamp: FileStamp())
    }
    let scan = LibraryScan(program: try ScannerProgram.path(), timeLimit: 5)
    let found = scan.scan(files)
    #expect(found.map(\.path) == files.map(\.path))
    #expect(found[0].plugIns.map(\.identifier) == ["urn:test:first"], "\(found[0].reason)")
    #expect(found[2].plugIns.map(\.identifier) == ["urn:test:last"], "\(found[2].reason)")
    // Blocked, refused, or read as far as it makes sense: nothing that can be opened.
    #expect(found[1].entries.allSatisfy { !$0.reason.isEmpty }, "\(Self.bombs[index].name)")
  }
}
