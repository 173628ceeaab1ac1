// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import PlugInHosting
import Testing

@testable import PlugInDiscovery

@Suite("Scans of libraries")
struct LibraryScanTests {
  /// Scans a library with a fault.
  private func scan(
    _ fault: String, as format: AUPlugInFormats = .LADSPA, timeLimit: Double = 10
  ) throws -> ScannedFile {
    let folder = try TestFolder()
    let path = try HostileLibrary.build(fault, at: "\(folder.path)/it.so")
    let scan = LibraryScan(program: try ScannerProgram.path(), timeLimit: timeLimit)
    let found = scan.scan([ScannedFile(format: format, path: path, stamp: FileStamp())])
    #expect(found.map(\.path) == [path])
    return try #require(found.first)
  }

  @Test(
    "find the plug-in of a library that prints, forks, or changes the state of its process",
    arguments: ["FINE", "FORKS", "PRINTS", "CHANGES_STATE"])
  func survivable(_ fault: String) throws {
    let file = try scan(fault)
    #expect(file.reason == "")
    #expect(file.plugIns.map(\.name) == ["Hostile: Through"])
    #expect(file.plugIns.map(\.identifier) == ["it:through"])
    #expect(file.plugIns.first?.codes.componentType == kAudioUnitType_Effect)
    #expect(!file.isBlocked)
  }

  @Test(
    "block a library that ends its process, with the reason",
    arguments: [
      ("ABORTS", "signal 6"), ("ABORTS_LATER", "signal 6"), ("EXITS", "ended with 3"),
      ("CRASHES", "signal 11"), ("CLOSES_FILES", "ended with"), ("TAKES_MEMORY", "signal 6"),
    ])
  func fatal(_ fault: String, _ reason: String) throws {
    for format in [.LADSPA, .CLAP] as [AUPlugInFormats] {
      let file = try scan(fault, as: format)
      #expect(file.isBlocked)
      #expect(file.reason.contains(reason), "\(file.reason)")
      #expect(file.plugIns.isEmpty)
    }
  }

  @Test("of CLAP libraries that make no plug-ins, or hang, give a reason")
  func clap() throws {
    for fault in ["FINE", "FORKS", "PRINTS", "CHANGES_STATE"] {
      let file = try scan(fault, as: .CLAP)
      #expect(file.reason.contains("makes no plug-ins") && !file.isBlocked)
    }
    #expect(try scan("EMPTY", as: .CLAP).reason.contains("refuses"))
    #expect(try scan("HANGS_DEAF", as: .CLAP, timeLimit: 1).isBlocked)
  }

  @Test(
    "block a library that takes too long, also if it ignores signals",
    arguments: ["HANGS", "HANGS_DEAF"])
  func endless(_ fault: String) throws {
    let file = try scan(fault, timeLimit: 1)
    #expect(file.isBlocked)
    #expect(file.reason.contains("longer than 1 s"))
  }

  @Test(
    "survive descriptions of nonsense",
    arguments: ["MANY_PORTS", "NO_NAMES", "NO_TEXT", "ENDLESS", "FORGES", "EMPTY"])
  func nonsense(_ fault: String) throws {
    let file = try scan(fault)
    #expect(file.plugIns.count <= 4_096)
    if fault == "MANY_PORTS" { #expect(file.entries.allSatisfy { !$0.reason.isEmpty }) }
    if fault == "EMPTY" { #expect(file.entries.isEmpty) }
  }

  @Test("of what is no library give a reason, and do not block it")
  func noLibrary() throws {
    let folder = try TestFolder()
    let path = try folder.write("not a library", to: "it.so")
    let scan = LibraryScan(program: try ScannerProgram.path())
    let found = scan.scan([ScannedFile(format: .LADSPA, path: path, stamp: FileStamp())])
    #expect(found[0].reason.contains("it.so"))
    #expect(!found[0].isBlocked)
    #expect(found[0].entries.map(\.identifier) == [path])
  }

  @Test("without the program that scans give the reason")
  func noProgram() throws {
    let scan = LibraryScan(program: "/no/such/program")
    var file = ScannedFile(format: .LADSPA, path: "/a.so", stamp: FileStamp())
    file.stamp.size = 1
    let found = scan.scan([file])
    #expect(found[0].reason.contains("/no/such/program"))
    // No file has this stamp, so the next scan reads it again.
    #expect(found[0].stamp == FileStamp())
    #expect(!found[0].isBlocked)
  }
}
