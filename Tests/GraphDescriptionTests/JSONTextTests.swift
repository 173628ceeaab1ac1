// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import GraphDescription

@Suite("JSON with line numbers")
struct JSONTextTests {
  @Test("values keep their order and their lines")
  func lines() throws {
    let text = try JSONText(parsing: "{\n  \"b\": 1.5e1,\n  \"a\": [true,\n null]\n}")
    guard case .object(let members) = text.value else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.key) == ["b", "a"])
    #expect(members.map(\.line) == [2, 3])
    guard case .number(15) = members[0].value.value,
      case .array(let entries) = members[1].value.value
    else {
      Issue.record("other values")
      return
    }
    #expect(entries.map(\.line) == [3, 4])
  }

  @Test(
    "escape sequences are decoded",
    arguments: [
      (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\n\t\r\b\f""#, "\n\t\r\u{8}\u{c}"),
      (#""\u00e9\u3042""#, "éあ"), (#""\ud83c\udfb5""#, "🎵"),
    ])
  func escapes(source: String, expected: String) throws {
    guard case .string(expected) = try JSONText(parsing: source).value else {
      Issue.record("not \(expected)")
      return
    }
  }

  @Test(
    "invalid JSON is refused, with its line",
    arguments: [
      ("", 1), ("{", 1), ("{\"a\" 1}", 1), ("{\n\"a\": 1,\n}", 3), ("[1 2]", 1), ("[1,]", 1),
      ("01", 1), ("1.", 1), ("-", 1), ("1e", 1), ("+1", 1), (".5", 1), ("NaN", 1), ("1e999", 1),
      ("\"a", 1), ("\"\\x\"", 1), ("\"\\ud800\"", 1), ("\"\u{1}\"", 1), ("tru", 1),
      ("\"\\u+041\"", 1), ("\"\\u-000\"", 1),
      ("{\"a\": 1,\n\"a\": 2}", 2), ("[1]\n]", 2),
      (String(repeating: "[", count: 100_000), 1),
    ])
  func refused(text: String, line: Int) {
    #expect {
      try JSONText(parsing: text)
    } throws: { error in
      (error as? GraphDescriptionError)?.line == line
    }
  }

  @Test("a million keys are read in seconds")
  func manyKeys() throws {
    let text = "{" + (0..<1_000_000).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
    let time = try ContinuousClock().measure { _ = try JSONText(parsing: text) }
    // Comparing each key with all earlier ones took 100 seconds.
    #expect(time < .seconds(20))
  }

  @Test("a message quotes only a short text, without control sequences")
  func messages() {
    let key = "\\u001b[2J" + String(repeating: "k", count: 5_000_000)
    for text in [
      "{\"\(key)\": 1, \"\(key)\": 2}", "{\"\(key)\" 1}", "{\"nodes\": {\"\(key)\": 1}}",
    ] {
      do {
        _ = try GraphDescription(json: text)
        Issue.record("read")
      } catch {
        #expect(error.text.count < 300)
        #expect(error.text.contains("\\u001b[2Jkkk") && !error.text.contains("\u{1b}"))
      }
    }
  }
}
