// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Properties in the compatibility page")
struct PropertyTableTests {
  /// The headers with properties of units.
  private static let headers: [String] = {
    let folder = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/CAudioToolbox/AudioToolbox")
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".h") }.sorted().map {
      (try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)) ?? ""
    }
  }()

  /// The names and numbers of unit properties in the headers; aliases of a property do not count.
  private static let declared: [String: String] = {
    var declared: [String: String] = [:]
    let property =
      /(k(?!AudioHardwareService|AudioFormat|ExtAudioFile|SequenceTrack)\w+Property_\w+)\s*=\s*(\d+)\b/
    for match in headers.joined().matches(of: property) {
      declared[String(match.1)] = String(match.2)
    }
    return declared
  }()

  @Test("match the declarations in the headers, each with the units that have it")
  func agreement() throws {
    let run = try Run("au", ["compatibility"], environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.code == 0)
    let start = try #require(run.output.range(of: "## Properties\n"))
    let end = try #require(run.output.range(of: "## Parameters\n"))
    let page = run.output[start.upperBound..<end.lowerBound]
    let names = Set(page.matches(of: /`(k\w+Property_\w+)`/).map { String($0.1) })
    #expect(Self.declared.count > 60)
    #expect(names == Set(Self.declared.keys))
    let rows = page.split(separator: "\n").filter { $0.contains("MatrixLevels`") }
    #expect(rows.count == 1)
    #expect(rows.first?.contains("`mcmx`") == true && rows.first?.contains("`mxmx`") == true)
  }

  @Test("of mixers are reported by au info")
  func info() throws {
    let run = try Run("au", ["info", "aumx", "3dem"])
    #expect(run.code == 0)
    for name in [
      "SpatializationAlgorithm", "SpatialMixerDistanceParams", "UsesInternalReverb", "MeteringMode",
    ] { #expect(run.output.contains("kAudioUnitProperty_\(name)")) }
  }
}
