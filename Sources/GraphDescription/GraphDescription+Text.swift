// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
@_spi(TrappingConversions) import CheckedNumbers

extension GraphDescription {
  /// The JSON form, indented by two spaces per level; short values are on one line.
  package var json: String {
    let nodes = nodes.map { ($0.name, $0.json) }
    var members: [(String, JSONForm)] = [
      ("nodes", .object(nodes)), ("connections", .array(connections.map { .text($0.value.text) })),
    ]
    if let compensatesLatency { members.append(("latencyCompensation", .bool(compensatesLatency))) }
    if let threads = renderThreads?.value {
      members.append(("renderThreads", .number(Double(threads))))
    }
    return JSONForm.object(members).text(indentation: 0) + "\n"
  }
}

extension GraphDescription.Node {
  fileprivate var json: JSONForm {
    var members: [(String, JSONForm)] = [("unit", .text(unit.value))]
    if let frames = maximumFramesPerSlice {
      members.append(("maximumFramesPerSlice", .number(Double(frames.value))))
    }
    switch preset?.value {
    case .name(let name): members.append(("preset", .text(name)))
    case .number(let number): members.append(("preset", .number(Double(number))))
    case nil: break
    }
    if !files.isEmpty {
      let files = files.map(\.value.json)
      members.append(("file", files.count == 1 ? files[0] : .array(files)))
    }
    if !properties.isEmpty { members.append(("properties", .properties(properties))) }
    if !parameters.isEmpty { members.append(("parameters", .settings(parameters))) }
    if let inputs { members.append(("inputs", .array(inputs.value.map(\.json)))) }
    if let outputs { members.append(("outputs", .array(outputs.value.map(\.json)))) }
    return .object(members)
  }
}

extension PlayedFile {
  fileprivate var json: JSONForm {
    guard self != PlayedFile(path: path) else { return .text(path) }
    var members: [(String, JSONForm)] = [("path", .text(path))]
    if let time { members.append(("time", .number(Double(time)))) }
    if start > 0 { members.append(("start", .number(Double(start)))) }
    if let frames { members.append(("frames", .number(Double(frames)))) }
    if loops > 0 {
      members.append(("loops", loops == .max ? .bool(true) : .number(Double(loops))))
    }
    return .object(members)
  }
}

extension GraphDescription.Bus {
  fileprivate var json: JSONForm {
    var members: [(String, JSONForm)] = []
    if let format = format?.value {
      let parts: [(String, JSONForm?)] = [
        ("sampleRate", format.sampleRate.map { .number($0) }),
        ("channels", format.channels.map { .number(Double($0)) }),
        ("samples", format.samples.map { .text($0.rawValue) }),
        ("interleaved", format.isInterleaved.map { .bool($0) }),
      ]
      members.append(("format", .object(parts.compactMap { part in part.1.map { (part.0, $0) } })))
    }
    if !parameters.isEmpty { members.append(("parameters", .settings(parameters))) }
    if !properties.isEmpty { members.append(("properties", .properties(properties))) }
    return .object(members)
  }
}

extension GraphDescription.Setting {
  fileprivate var json: JSONForm {
    switch self {
    case .number(let number): .number(number)
    case .name(let name): .text(name)
    case .each(let settings): .array(settings.map(\.json))
    }
  }
}

extension GraphDescription.Property {
  fileprivate var json: JSONForm {
    let word = rows.first?.first ?? 0
    switch kind.form {
    case .flag: return .bool(word != 0)
    case .count: return .number(Double(word))
    case .choice(let names):
      let name = names.indices.contains(Int(word)) ? names[Int(word)] : ""
      return name.isEmpty ? .number(Double(word)) : .text(name)
    case .numbers: return .array((rows.first ?? []).map(JSONForm.float))
    case .matrix: return .array(rows.map { .array($0.map(JSONForm.float)) })
    case .indices:
      return .array((rows.first ?? []).map { .number(Double(Int32(bitPattern: $0))) })
    }
  }
}

/// A JSON value for writing, with its members in order.
private indirect enum JSONForm {
  case object([(String, JSONForm)])
  case array([JSONForm])
  case text(String)
  case number(Double)
  case bool(Bool)

  private static let width = 80

  static func settings(
    _ settings: [(name: String, setting: Placed<GraphDescription.Setting>)]
  ) -> JSONForm {
    .object(settings.map { ($0.name, $0.setting.value.json) })
  }

  static func properties(
    _ properties: [Placed<GraphDescription.Property>]
  ) -> JSONForm { .object(properties.map { ($0.value.kind.name, $0.value.json) }) }

  /// A number from the bits of a Float32.
  static func float(_ bits: UInt32) -> JSONForm {
    .number(JSONNumbers.shortest(Float(bitPattern: bits)))
  }

  func text(indentation: Int) -> String {
    let line = line
    guard indentation == 0 || line.count + indentation > Self.width else { return line }
    let margin = String(repeating: " ", count: indentation + 2)
    switch self {
    case .object(let members) where !members.isEmpty:
      let lines = members.map { key, value in
        "\(margin)\(Self.quoted(key)): \(value.text(indentation: indentation + 2))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(margin.dropLast(2))}"
    case .array(let entries) where !entries.isEmpty:
      let lines = entries.map { margin + $0.text(indentation: indentation + 2) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(margin.dropLast(2))]"
    default: return line
    }
  }

  private var line: String {
    switch self {
    case .object(let members):
      let texts = members.map { "\(Self.quoted($0)): \($1.line)" }
      return texts.isEmpty ? "{}" : "{ \(texts.joined(separator: ", ")) }"
    case .array(let entries):
      return entries.isEmpty ? "[]" : "[\(entries.map(\.line).joined(separator: ", "))]"
    case .text(let text): return Self.quoted(text)
    case .number(let number): return JSONNumbers.plain(number)
    case .bool(let isTrue): return isTrue ? "true" : "false"
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\t": "\\t"
      case "\r": "\\r"
      default: scalar.value < 0x20 ? escape(scalar) : String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  /// A character as a number: "\\u001b".
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
