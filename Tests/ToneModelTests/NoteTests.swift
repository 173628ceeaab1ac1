// SPDX-License-Identifier: Apache-2.0
import Testing
import ToneModel

@Suite("Notes and levels")
struct NoteTests {
  @Test(
    "a frequency has the nearest note",
    arguments: [
      (440.0, "A4"), (261.625565, "C4"), (27.5, "A0"), (20, "D♯0"), (20_000, "D♯10"),
      (466.163762, "A♯4"), (8.176, "C-1"),
    ])
  func name(frequency: Double, name: String) {
    #expect(Note(nearestTo: frequency).name == name)
  }

  @Test("cents are the deviation from the note, and 0 on it")
  func cents() {
    #expect(Note(nearestTo: 440).cents == 0)
    #expect(abs(Note(nearestTo: 442).cents - 7.851) < 0.001)
    #expect(abs(Note(nearestTo: 438).cents + 7.887) < 0.001)
  }

  @Test("the note follows the pitch of A4")
  func pitch() {
    let note = Note(nearestTo: 415, a4: 415)
    #expect(note.name == "A4")
    #expect(note.cents == 0)
  }

  @Test("6 dB are a factor of about 2, and converting back gives the same")
  func decibels() {
    #expect(abs(Decibels.ratio(-6.0206) - 0.5) < 1e-6)
    #expect(abs(Decibels.level(Decibels.ratio(-33.3)) + 33.3) < 1e-12)
    #expect(Decibels.level(0) == -.infinity)
  }
}
