// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("au midi")
struct MIDITests {
  private struct Report: Decodable {
    struct Endpoint: Decodable {
      let uniqueID: Int
      let name: String
      let device: String?
      let version: Int
    }

    let sources: [Endpoint]
    let destinations: [Endpoint]
  }

  @Test("lists the bus, whose endpoints have the same unique identifiers in every run")
  func json() throws {
    let reports = try (0..<2).map { _ in
      let run = try Run("au", ["midi", "--json"])
      #expect(run.code == 0, "\(run.errors)")
      return try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    }
    let source = try #require(reports[0].sources.first)
    #expect(source.name == "Bus Port 1" && source.device == "Bus" && source.version == 1)
    #expect(reports[0].destinations.first?.device == "Bus")
    #expect(reports[0].destinations.first?.uniqueID != source.uniqueID)
    #expect(reports[1].sources.map(\.uniqueID) == reports[0].sources.map(\.uniqueID))
  }

  @Test("prints a table")
  func table() throws {
    let run = try Run("au", ["midi"])
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("DIRECTION"))
    #expect(run.output.contains("destination  Bus Port 1"))
  }
}
