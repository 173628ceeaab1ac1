// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import MIDIMessages
import Testing

@Suite("MIDI messages")
struct MessageTests {
  @Test(
    "on a channel become events of their kind",
    arguments: [
      (0x80, .noteOff), (0x91, .noteOn), (0xa2, .keyPressure), (0xb3, .controller),
      (0xc4, .program), (0xde, .pressure), (0xef, .bend),
    ] as [(UInt32, NoteEvent.Kind)])
  func channel(status: UInt32, kind: NoteEvent.Kind) throws {
    let event = try #require(try NoteEvent(status: status, 60, 100, at: 7))
    #expect(event.kind == kind)
    #expect(event.channel == status & 15)
    #expect((event.first, event.second) == (60, 100))
    #expect(event.frame == 7)
    #expect(event.instrument == NoteEvent.noInstrument)
  }

  @Test("that start a note with velocity 0 end it")
  func silentNote() throws {
    #expect(try NoteEvent(status: 0x90, 60, 0, at: 0)?.kind == .noteOff)
  }

  @Test("of real time are ignored, except a reset")
  func realTime() throws {
    for status in 0xf8..<0xff as Range<UInt32> {
      #expect(try NoteEvent(status: status, 0, 0, at: 0) == nil)
    }
    let event = try #require(try NoteEvent(status: 0xff, 0, 0, at: 5))
    #expect(event.kind == .reset && event.frame == 5)
  }

  @Test(
    "with other numbers are refused",
    arguments: [
      (0, 60, 100), (0x7f, 60, 100), (0x100, 60, 100), (.max, 60, 100), (0x90, 128, 100),
      (0x90, 60, 128), (0x90, .max, .max), (0xf0, 0, 0), (0xf7, 0, 0),
    ] as [(UInt32, UInt32, UInt32)])
  func refused(status: UInt32, data1: UInt32, data2: UInt32) {
    let error = #expect(throws: AudioError.self) {
      try NoteEvent(status: status, data1, data2, at: 0)
    }
    #expect(error?.status == AudioError.invalidArgument.status)
  }

  private func event(_ bytes: [UInt8]) throws -> NoteEvent? {
    try bytes.withUnsafeBufferPointer { bytes throws in try NoteEvent(systemExclusive: bytes) }
  }

  @Test(
    "of General MIDI, GS and XG reset the system, for every device number",
    arguments: [
      [0xf0, 0x7e, 0x7f, 0x09, 0x01, 0xf7], [0xf0, 0x7e, 0x03, 0x09, 0x03, 0xf7],
      [0xf0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7f, 0x00, 0x41, 0xf7],
      [0xf0, 0x43, 0x1f, 0x4c, 0x00, 0x00, 0x7e, 0x00, 0xf7],
    ] as [[UInt8]])
  func resets(message: [UInt8]) throws { #expect(try event(message)?.kind == .reset) }

  @Test("set the volume and the tuning of the system")
  func system() throws {
    let full = try #require(try event([0xf0, 0x7f, 0x7f, 0x04, 0x01, 0x7f, 0x7f, 0xf7]))
    #expect(full.kind == .masterVolume && full.value == 1)
    let fine = try #require(try event([0xf0, 0x7f, 0x7f, 0x04, 0x03, 0x00, 0x60, 0xf7]))
    #expect(fine.kind == .masterTuning && fine.first == 0 && fine.value == 50)
    let coarse = try #require(try event([0xf0, 0x7f, 0x7f, 0x04, 0x04, 0x00, 0x34, 0xf7]))
    #expect(coarse.kind == .masterTuning && coarse.first == 1 && coarse.value == -1_200)
  }

  @Test(
    "for other makers' devices are ignored",
    arguments: [
      [0xf0, 0x41, 0x01, 0xf7], [0xf0, 0x00, 0xf7], [0xf0, 0x7f, 0x7f, 0x04, 0x05, 0, 0, 0xf7],
    ] as [[UInt8]])
  func ignored(message: [UInt8]) throws { #expect(try event(message) == nil) }

  @Test(
    "without their first or last byte, or with other large bytes, are refused",
    arguments: [
      [], [0xf0], [0xf0, 0xf7], [0xf0, 0x7e], [0x90, 60, 100], [0xf0, 0x80, 0xf7],
      [0x7e, 0x00, 0xf7],
    ] as [[UInt8]])
  func malformed(message: [UInt8]) {
    let error = #expect(throws: AudioError.self) { try event(message) }
    #expect(error?.status == AudioError.invalidArgument.status)
  }
}
