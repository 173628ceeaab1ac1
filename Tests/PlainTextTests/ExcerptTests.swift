// SPDX-License-Identifier: Apache-2.0
import PlainText
import Testing

@Suite("Excerpts of text from elsewhere")
struct ExcerptTests {
  @Test("leave plain text in all languages as it is")
  func plain() {
    #expect(Excerpt.quoted("Bässe, 低音 🎚") == "\"Bässe, 低音 🎚\"")
  }

  @Test("write what a terminal obeys as numbers")
  func control() {
    #expect(
      Excerpt.of("a\u{1b}[2Jb\u{7}\u{9b}\u{202e}\n") == "a\\u001b[2Jb\\u0007\\u009b\\u202e\\u000a")
    #expect(Excerpt.of("a\nb\u{8}", keepsLines: true) == "a\nb\\u0008")
  }

  @Test("are short, however long the text is")
  func long() {
    let text = String(repeating: "k", count: 50_000_000)
    let clock = ContinuousClock()
    let time = clock.measure { #expect(Excerpt.quoted(text).count == Excerpt.nameLimit + 3) }
    // A look at every sign takes longer than to walk over all of them.
    #expect(time < clock.measure { _ = text.count })
  }

  @Test("of lists say how many more there are")
  func list() {
    #expect(Excerpt.list(["a", "b"]) == "a, b")
    #expect(Excerpt.list((1...1_000).map(String.init)).hasSuffix("19, 20 and 980 more"))
  }
}
