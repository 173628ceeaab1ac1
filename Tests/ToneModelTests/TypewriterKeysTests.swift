// SPDX-License-Identifier: Apache-2.0
import Testing
import ToneModel

@Suite("The keys of a typewriter")
struct TypewriterKeysTests {
  private func press(
    _ text: String, _ keys: inout TypewriterKeys, at time: Double = 0
  ) -> [[UInt8]] {
    TypewriterKeys.keys(Array(text.utf8)).flatMap { keys.press($0, at: time) }
  }

  @Test("the letters are the keys of a piano from C on, small or capital")
  func notes() {
    var keys = TypewriterKeys(channel: 0, duration: 1)
    #expect(press("awsedftgyhujkolp;']", &keys).map { $0[1] } == Array(60...78))
    #expect(press("QWERTY", &keys).isEmpty, "they sound already")
    var others = TypewriterKeys(channel: 9, duration: 1)
    #expect(press("AS", &others) == [[0x99, 60, 96], [0x99, 62, 96]])
    #expect(press("1\té\u{1B}[A\u{1B}[1;5D\u{1B}OC\u{1B}", &others).isEmpty, "arrows")
    #expect(others.velocity == 96)
  }

  @Test("a note ends after its duration, and later if its key repeats")
  func ends() {
    var keys = TypewriterKeys(channel: 0, duration: 0.5)
    #expect(press("a", &keys, at: 1).count == 1 && keys.nextEnd == 1.5)
    #expect(press("a", &keys, at: 1.4).isEmpty && keys.nextEnd == 1.9)
    #expect(keys.endNotes(at: 1.5).isEmpty)
    #expect(keys.endNotes(at: 1.9) == [[0x80, 60, 64]] && keys.nextEnd == nil)
    #expect(press("a", &keys, at: 2).count == 1)
  }

  @Test("octave, velocity and pedal stay within their limits; a held note ends as the key it was")
  func changes() {
    var keys = TypewriterKeys(channel: 0, duration: 0.5)
    _ = press("a", &keys)
    #expect(press("x", &keys).isEmpty && press("a", &keys) == [[0x90, 72, 96]])
    #expect(keys.endNotes(at: 1) == [[0x80, 60, 64], [0x80, 72, 64]])
    #expect(press(String(repeating: "x", count: 99) + "]", &keys).isEmpty, "above 127")
    #expect(press("a", &keys) == [[0x90, 120, 96]])
    #expect(press(String(repeating: "z", count: 99) + "a", &keys) == [[0x90, 0, 96]])
    _ = press(String(repeating: "v", count: 9), &keys)
    #expect(keys.velocity == 127)
    _ = press(String(repeating: "c", count: 99), &keys)
    #expect(keys.velocity == 16)
    #expect(press(" ", &keys) == [[0xB0, 64, 127]] && keys.isSustained)
    #expect(keys.endAll() == [[0x80, 0, 64], [0x80, 120, 64], [0xB0, 64, 0]])
    #expect(keys.endAll().isEmpty)
  }

  @Test("a note without a duration lasts until its key is released, whatever the octave is then")
  func releases() {
    var keys = TypewriterKeys(channel: 0, duration: .infinity, isLoud: true)
    #expect(press("ad", &keys) == [[0x90, 60, 127], [0x90, 64, 127]])
    #expect(keys.endNotes(at: 1e9).isEmpty)
    _ = press("x", &keys)
    #expect(keys.release(.note(0)) == [[0x80, 60, 64]])
    #expect(keys.release(.note(0)).isEmpty && keys.release(.octave(1)).isEmpty)
    #expect(keys.endAll() == [[0x80, 64, 64]] && keys.release(.note(4)).isEmpty)
  }
}
