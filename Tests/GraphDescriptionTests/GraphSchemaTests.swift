// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import GraphDescription

/// docs/graph.schema.json and the parser accept the same descriptions.
@Suite("Schema of graph descriptions")
struct GraphSchemaTests {
  private static let unit = "\"unit\": \"aumx mxmx\""

  private static func node(_ members: String) -> String {
    "{ \"nodes\": { \"m\": { \(unit)\(members.isEmpty ? "" : ", ")\(members) } } }"
  }

  private static func bus(_ members: String) -> String { node("\"inputs\": [{ \(members) }]") }

  private static func property(_ name: String, _ value: String) -> String {
    node("\"properties\": { \"\(name)\": \(value) }")
  }

  private static let good =
    [
      "{ \"nodes\": {} }", node(""), node("\"preset\": \"Rock\""), node("\"preset\": 3"),
      node("\"maximumFramesPerSlice\": 1048576"), node("\"inputs\": [], \"outputs\": [{}, {}]"),
      node(
        "\"parameters\": { \"volume\": 1, \"a\": true, \"b\": \"on\", \"c\": [0, false, \"x\"] }"),
      bus("\"parameters\": { \"volume\": [1, 0.5] }, \"properties\": { \"meteringMode\": true }"),
      bus("\"format\": { \"sampleRate\": 8000, \"channels\": 2, \"samples\": \"8.24\" }"),
      bus("\"format\": { \"sampleRate\": \"44.1k\" }"),
      bus("\"format\": { \"interleaved\": false }"), property("bypassEffect", "false"),
      property("enableIO", "true"), property("channelMap", "[0, -1]"),
      property("renderQuality", "127"), property("numberOfBands", "31"),
      property("reverbRoomType", "\"plate\""), property("reverbRoomType", "5"),
      property("spatializationAlgorithm", "\"HRTF\""), property("spatializationAlgorithm", "3"),
      property("spatialMixerDistanceParams", "[1, 2.5, 40]"),
      property("matrixLevels", "[[1, 0], [0.5, 1]]"), property("matrixLevels", "[]"),
      "{ \"$schema\": \"x\", \"nodes\": {}, \"connections\": [], \"latencyCompensation\": true, "
        + "\"renderThreads\": 64 }",
    ]
    + ["m -> m", "m:1->m:20", "  m  ->  m:3 "].map {
      "{ \"nodes\": { \"m\": { \(unit) } }, \"connections\": [\"\($0)\"] }"
    }

  private static let bad =
    [
      "{}", "[]", "{ \"nodes\": [] }", "{ \"nodes\": {}, \"wires\": [] }",
      "{ \"nodes\": { \"a\": {} } }",
      "{ \"nodes\": { \"a b\": { \(unit) } } }", "{ \"nodes\": { \"a->b\": { \(unit) } } }",
      "{ \"nodes\": { \"a:b\": { \(unit) } } }", "{ \"nodes\": { \"\": { \(unit) } } }",
      "{ \"nodes\": { \"a\": { \"unit\": 3 } } }", node("\"name\": \"x\""), node("\"preset\": -1"),
      node("\"preset\": 1.5"), node("\"preset\": true"), node("\"maximumFramesPerSlice\": 0"),
      node("\"inputs\": {}"), node("\"inputs\": [3]"), node("\"parameters\": []"),
      node("\"parameters\": { \"volume\": null }"), node("\"parameters\": { \"volume\": [[1]] }"),
      node("\"parameters\": { \"volume\": {} }"), bus("\"preset\": 1"),
      bus("\"format\": { \"channels\": 0 }"), bus("\"format\": { \"channels\": 1.5 }"),
      bus("\"format\": { \"samples\": \"int24\" }"), bus("\"format\": { \"sampleRate\": 0 }"),
      bus("\"format\": { \"sampleRate\": \"fast\" }"), bus("\"format\": { \"interleaved\": 1 }"),
      bus("\"format\": 3"),
      property("bypassEffect", "1"), property("enableIO", "\"yes\""),
      property("channelMap", "[0.5]"),
      property("channelMap", "1"), property("renderQuality", "-1"),
      property("renderQuality", "1e10"),
      property("reverbRoomType", "\"Plate\""), property("spatializationAlgorithm", "\"\""),
      property("spatialMixerSourceMode", "true"), property("spatialMixerDistanceParams", "[\"1\"]"),
      property("spatialMixerDistanceParams", "[1e39]"), property("matrixLevels", "[1]"),
      property("MeteringMode", "true"), node("\"properties\": []"),
      "{ \"nodes\": {}, \"renderThreads\": 65 }", "{ \"nodes\": {}, \"latencyCompensation\": 1 }",
      "{ \"nodes\": {}, \"connections\": {} }", "{ \"nodes\": {}, \"$schema\": 3 }",
    ]
    + ["m", "m -> ", "m -> m -> m", "m:x -> m", "m:-1 -> m", "m:+1 -> m", "m:1:2 -> m", "m, m"].map
  {
    "{ \"nodes\": { \"m\": { \(unit) } }, \"connections\": [\"\($0)\"] }"
  }

  @Test("the parser reads what the schema accepts", arguments: good)
  func accepted(text: String) throws {
    #expect(try schema().accepts(text))
    #expect(throws: Never.self) { try GraphDescription(json: text) }
  }

  @Test("the parser refuses what the schema refuses", arguments: bad)
  func refused(text: String) throws {
    #expect(try !schema().accepts(text))
    #expect(throws: GraphDescriptionError.self) { try GraphDescription(json: text) }
  }

  @Test("the schema and the parser have the same properties and value names")
  func properties() throws {
    let schema = try schema()
    let listed = try #require(schema.definition("properties")["properties"]?.members)
    #expect(Set(listed.keys) == Set(DescribedProperty.all.map(\.name)))
    for kind in DescribedProperty.all {
      guard case .choice(let names) = kind.form else { continue }
      for name in names where !name.isEmpty {
        #expect(try schema.accepts(Self.property(kind.name, "\"\(name)\"")), "\(name)")
      }
      let values = listed[kind.name]?.members?["anyOf"]?.entries?.first?.members?["enum"]?.entries
      #expect(values?.count == names.filter { !$0.isEmpty }.count, "\(kind.name)")
    }
  }

  @Test("the examples conform to the schema")
  func examples() throws {
    let folder = Schema.projectRoot.appendingPathComponent("Examples/Graphs")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      #expect(try schema().accepts(text), "\(file)")
    }
  }

  private func schema() throws -> Schema { try Schema("docs/graph.schema.json") }
}

/// A JSON value that distinguishes true from 1.
private enum JSONValue: Decodable, Equatable {
  case null, bool(Bool), number(Double), text(String), array([JSONValue]), object(
    [String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
  var entries: [JSONValue]? { if case .array(let entries) = self { entries } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }

  subscript(key: String) -> JSONValue? { members?[key] }

  func hasType(_ type: String) -> Bool {
    switch (self, type) {
    case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.text, "string"),
      (.array, "array"), (.object, "object"):
      true
    case (.number(let number), "integer"): number == number.rounded()
    default: false
    }
  }
}

/// The part of JSON Schema that the project uses; an unknown keyword is an error.
private struct Schema {
  static let projectRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private let rootSchema: JSONValue

  init(_ path: String) throws {
    rootSchema = try JSONDecoder().decode(
      JSONValue.self, from: Data(contentsOf: Self.projectRoot.appendingPathComponent(path)))
  }

  func definition(_ name: String) -> [String: JSONValue] {
    rootSchema["$defs"]?[name]?.members ?? [:]
  }

  func accepts(_ text: String) throws -> Bool {
    try accepts(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)), rootSchema)
  }

  private func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
    if case .bool(let acceptsAll) = schema { return acceptsAll }
    for (keyword, rule) in try #require(schema.members) {
      guard try satisfies(keyword, rule, value, schema) else { return false }
    }
    return true
  }

  private func satisfies(
    _ keyword: String, _ rule: JSONValue, _ value: JSONValue, _ schema: JSONValue
  ) throws -> Bool {
    switch keyword {
    case "$schema", "$defs", "title", "description": return true
    case "$ref":
      let name = try #require(rule.text?.components(separatedBy: "/").last)
      return try accepts(value, .object(definition(name)))
    case "type":
      return (rule.entries ?? [rule]).contains { $0.text.map { value.hasType($0) } ?? false }
    case "enum": return try #require(rule.entries).contains(value)
    case "anyOf": return try #require(rule.entries).contains { try accepts(value, $0) }
    case "minimum": return value.number.map { $0 >= rule.number ?? .nan } ?? true
    case "maximum": return value.number.map { $0 <= rule.number ?? .nan } ?? true
    case "pattern":
      let pattern = try #require(rule.text)
      return value.text.map { $0.range(of: pattern, options: .regularExpression) != nil } ?? true
    case "required":
      return try #require(rule.entries).allSatisfy { value.members?[$0.text ?? ""] != nil }
        || value.members == nil
    case "properties":
      return try (value.members ?? [:]).allSatisfy { key, member in
        try rule[key].map { try accepts(member, $0) } ?? true
      }
    case "additionalProperties":
      return try (value.members ?? [:]).allSatisfy { key, member in
        try schema["properties"]?[key] != nil || accepts(member, rule)
      }
    case "propertyNames":
      return try (value.members ?? [:]).keys.allSatisfy { try accepts(.text($0), rule) }
    case "items": return try (value.entries ?? []).allSatisfy { try accepts($0, rule) }
    default: throw Unknown(keyword: keyword)
    }
  }

  private struct Unknown: Error { let keyword: String }
}
