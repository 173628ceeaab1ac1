// SPDX-License-Identifier: Apache-2.0
import PlainText
import Testing

@Suite("Mistyped words")
struct NearWordsTests {
  private static let names = [
    "lowpass", "hipass", "timepitch", "newtimepitch", "pitchscaler", "play",
  ]

  @Test(
    "mean those that begin so, else those that contain it, else the nearest",
    arguments: [
      ("low", ["lowpass"]), ("p", ["pitchscaler", "play"]), ("lopwass", ["lowpass"]),
      ("timep", ["timepitch"]), ("epitch", ["timepitch", "newtimepitch"]), ("highpass", ["hipass"]),
      ("ass", []), ("paly", ["play"]), ("reverberation", []), ("", []),
    ] as [(String, [String])])
  func near(word: String, expected: [String]) {
    #expect(NearWords.near(to: word, in: Self.names) == expected)
  }

  @Test("are at most three, each once")
  func limit() {
    let names = ["--fade-in", "--fade-in", "--fade-out", "--fade-curve", "--fader"]
    #expect(NearWords.near(to: "--fade", in: names) == ["--fade-in", "--fade-out", "--fade-curve"])
  }

  @Test("are asked about in a sentence")
  func question() {
    #expect(
      NearWords.question(for: "--fade", in: ["--fade-in", "--fade-out"])
        == "; did you mean --fade-in or --fade-out?")
    #expect(
      NearWords.question(for: "p", in: ["pa", "pb", "pc"], quoted: { "'\($0)'" })
        == "; did you mean 'pa', 'pb' or 'pc'?")
    #expect(NearWords.question(for: "x", in: ["reverb"]).isEmpty)
  }
}
