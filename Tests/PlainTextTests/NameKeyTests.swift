// SPDX-License-Identifier: Apache-2.0
import PlainText
import Testing

@Suite("Names that people type")
struct NameKeyTests {
  private static let names = ["cutoff frequency", "resonance", "gain", "pre-gain", "gain 2"]

  @Test(
    "mean the entry of that name, else those that begin so, else those that contain it",
    arguments: [
      ("Gain", ["gain"]), ("cut-off", ["cutoff frequency"]), ("freq", ["cutoff frequency"]),
      ("gain2", ["gain 2"]), ("re", ["resonance"]), ("n", names),
      ("phase", []), ("-", []),
    ] as [(String, [String])])
  func matches(text: String, expected: [String]) {
    #expect(NameKey.matches(text, in: Self.names) { $0 } == expected)
  }
}
