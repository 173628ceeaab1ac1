// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import Testing

@testable import AudioUnitTool

@Suite("Messages of MIDI, typed and printed")
struct MIDIMessageTests {
  private typealias Event = TypedMIDI.Event

  private func events(_ words: String..., channel: Int = 1, duration: Double = 0.5) throws
    -> [Event]
  {
    try TypedMIDI(words, channel: channel, duration: duration).events
  }

  // MARK: Typed

  @Test(
    "words and bytes are messages",
    arguments: [
      ("on 60 100", [0x90, 60, 100]), ("on C#4", [0x90, 61, 100]), ("off 60", [0x80, 60, 64]),
      ("off A4 3", [0x80, 69, 3]), ("cc 7 100", [0xB0, 7, 100]), ("CC 7 100", [0xB0, 7, 100]),
      ("program 5", [0xC0, 5]), ("bend 0", [0xE0, 0, 64]), ("bend 1", [0xE0, 127, 127]),
      ("bend -1", [0xE0, 0, 0]), ("bend 0.5", [0xE0, 0, 96]), ("pressure 9", [0xD0, 9]),
      ("aftertouch C4 9", [0xA0, 60, 9]), ("start", [0xFA]), ("continue", [0xFB]),
      ("stop", [0xFC]), ("clock", [0xF8]), ("reset", [0xFF]), ("90 3C 64", [0x90, 60, 100]),
      ("0x90 0x3c 0x64", [0x90, 60, 100]), ("0xCC 05", [0xCC, 5]),
      ("F0 7E 7F F7", [0xF0, 0x7E, 0x7F, 0xF7]),
    ] as [(String, [UInt8])])
  func message(text: String, bytes: [UInt8]) throws {
    #expect(try events(text).map(\.bytes) == [bytes])
    #expect(
      try TypedMIDI(text.split(separator: " ").map(String.init), channel: 1, duration: 1)
        .events.map(\.bytes) == [bytes])
  }

  @Test("a note ends after the duration, on its channel")
  func note() throws {
    #expect(
      try events("note", "C4", "90", channel: 16, duration: 0.25) == [
        Event(time: 0, bytes: [0x9F, 60, 90]),
        Event(time: 0.25, bytes: [0x8F, 60, 64], isEnd: true),
      ])
  }

  @Test("messages follow each other, separated by nothing, by commas or by quotes")
  func several() throws {
    let expected: [[UInt8]] = [[0xC0, 5], [0x90, 60, 100], [0xB0, 7, 1], [0x90, 1, 2], [0xF8]]
    #expect(
      try events(
        "program", "5", "on", "60", "cc", "7", "1", "90", "01", "02", "F8"
      ).map(\.bytes) == expected)
    #expect(
      try events("program 5", "on 60", "cc", "7", "1,", "90 01 02 F8").map(\.bytes) == expected)
  }

  @Test("a wait delays what follows; a note ends before the next begins")
  func wait() throws {
    let typed = try TypedMIDI(
      ["note 60", "wait 0.5", "note 60", "wait 250ms", "start", "wait 2"], channel: 1, duration: 0.5
    )
    #expect(typed.events.map(\.time) == [0, 0.5, 0.5, 0.75, 1])
    #expect(typed.events.map { $0.bytes[0] } == [0x90, 0x80, 0x90, 0xFA, 0x80])
    #expect(typed.length == 2.75)
  }

  @Test(
    "an error names the message, the word and what was expected",
    arguments: [
      ("nte 60", ["\"nte\"", "note 60 100"]), ("note", ["note", "incomplete", "C4"]),
      ("note 128", ["note", "\"128\"", "0 to 127"]), ("note H4", ["\"H4\""]),
      ("note 60 200", ["\"200\"", "a velocity"]), ("on 60 -1", ["\"-1\"", "a velocity"]),
      ("cc 7", ["cc is incomplete", "a value"]), ("bend 2", ["\"2\"", "-1 to 1"]),
      ("wait long, start", ["wait", "\"long\"", "seconds"]), ("3C 64", ["\"3C 64\"", "90"]),
      ("90 3C", ["\"90 3C\"", "3 bytes"]), ("C0 05 06", ["\"C0 05 06\"", "2 bytes"]),
      ("F0 01 02", ["F7"]), ("F0 01 90", ["F7"]), ("F7", ["\"F7\""]), ("start start 5", ["\"5\""]),
      ("wait 1", ["MESSAGE is missing"]), ("", ["MESSAGE is missing"]),
    ])
  func mistake(text: String, parts: [String]) throws {
    let error = #expect(throws: UsageError.self) { try events(text) }
    for part in parts {
      #expect(error?.description.contains(part) == true, "\(text): \(String(describing: error))")
    }
  }

  // MARK: Printed

  @Test(
    "messages are printed in words",
    arguments: [
      ([0x90, 60, 100], "note on C4 (60), velocity 100, channel 1"),
      ([0x9F, 61, 0], "note off C#4 (61), velocity 0, channel 16"),
      ([0x81, 0, 64], "note off C-1 (0), velocity 64, channel 2"),
      ([0xA0, 69, 3], "key pressure A4 (69) 3, channel 1"),
      ([0xB0, 7, 100], "controller 7 (volume) 100, channel 1"),
      ([0xB0, 39, 1], "controller 39 (volume, fine) 1, channel 1"),
      ([0xB0, 3, 1], "controller 3 1, channel 1"), ([0xC0, 5], "program 5, channel 1"),
      ([0xD0, 5], "pressure 5, channel 1"), ([0xE0, 0, 64], "bend 0, channel 1"),
      ([0xE0, 127, 127], "bend +1, channel 1"), ([0xE0, 0, 0], "bend -1, channel 1"),
      ([0xE0, 0, 96], "bend +0.5, channel 1"), ([0xF2, 1, 1], "song position 129"),
      ([0xF3, 4], "song 4"), ([0xF8], "clock"), ([0xFE], "active sensing"),
      ([0xF0, 0x7E, 0xF7], "system exclusive, 3 bytes: F0 7E F7"), ([0xF4], "unknown: F4"),
    ] as [([UInt8], String)])
  func text(bytes: [UInt8], text: String) { #expect(MIDIMessageReport(bytes).text == text) }

  @Test("a long system exclusive message is shortened")
  func long() {
    let bytes = [0xF0] + [UInt8](repeating: 1, count: 98) + [0xF7]
    let text = MIDIMessageReport(bytes).text
    #expect(text.hasPrefix("system exclusive, 100 bytes: F0 01 01"))
    #expect(text.hasSuffix("01 … F7") && text.count < 80)
  }

  @Test("the line of a monitor begins with the time and the source")
  func line() throws {
    let message = MIDIInput.Message(name: "Keys", time: 1.25, bytes: [0xF8])
    #expect(MIDIMonitor.text(message, MIDIMessageReport(message.bytes)) == "    1.250  Keys: clock")
    let json = try JSON.line(MIDIMessageReport([0x90, 60, 1]))
    #expect(json.contains(#""channel":1"#) && json.contains(#""name":"C4""#))
    #expect(!json.contains("\n"))
  }

  // MARK: Bytes of sources

  @Test("messages are the same however their bytes are divided", arguments: [1, 2, 3, 5, 100])
  func division(size: Int) {
    let expected: [[UInt8]] = [
      [0x90, 60, 100], [0x90, 62, 100], [0xF8], [0xF0, 1, 2, 3, 0xF7], [0xC1, 5], [0xF2, 1, 2],
      [0xF6],
    ]
    // With running status, and a clock within a system exclusive message.
    let bytes: [UInt8] = [
      0x90, 60, 100, 62, 100, 0xF0, 1, 0xF8, 2, 3, 0xF7, 0xC1, 5, 0xF2, 1, 2, 7, 0xF7, 0xF6,
    ]
    var reader = MIDIByteReader()
    var messages: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      messages += reader.messages(in: bytes[start..<min(start + size, bytes.count)])
    }
    #expect(messages == expected)
  }

  @Test("the keys that are still down are released")
  func sounding() {
    var keys = SoundingKeys()
    for bytes in [[0x90, 60, 1], [0x91, 60, 1], [0x90, 62, 1], [0x80, 60, 0], [0x90, 62, 0]] {
      keys.follow(bytes.map { UInt8($0) })
    }
    keys.follow([0xB0, 7, 1])
    #expect(keys.endings == [[0x81, 60, 64]])
  }
}

@Suite("Names of MIDI endpoints")
struct MIDIEndpointChoiceTests {
  private let endpoints = [
    MIDIEndpointsReport.Endpoint(uniqueID: 11, name: "Bus Port 1", device: "Bus", version: 1),
    MIDIEndpointsReport.Endpoint(uniqueID: 12, name: "Synth", device: nil, version: 1),
    MIDIEndpointsReport.Endpoint(uniqueID: 13, name: "Synth in", device: nil, version: 2),
    MIDIEndpointsReport.Endpoint(uniqueID: 14, name: "Twin", device: nil, version: 1),
    MIDIEndpointsReport.Endpoint(uniqueID: 15, name: "Twin", device: nil, version: 1),
  ]

  @Test(
    "a whole name, a number, or a part that only one has",
    arguments: [("Synth", 12), ("synth in", 13), ("bus", 11), ("15", 15)])
  func found(text: String, number: Int) throws {
    #expect(try MIDIEndpointChoice.find(text, among: endpoints, .source).uniqueID == number)
  }

  @Test(
    "other names are errors that name what there is",
    arguments: [
      ("organ", ["no source has the name \"organ\"", "Bus Port 1, Synth, Synth in"]),
      ("synt", ["several sources", "Synth (12), Synth in (13)"]), ("Twin", ["Twin (14)"]),
    ])
  func mistake(text: String, parts: [String]) {
    let error = #expect(throws: Failure.self) {
      try MIDIEndpointChoice.find(text, among: endpoints, .source)
    }
    for part in parts { #expect(error?.description.contains(part) == true) }
  }
}

@Suite("Recording of MIDI")
struct MIDIRecordingTests {
  @Test("a file has a track for each source, with its notes and other messages")
  func file() throws {
    try withFolder { folder in
      let recording = try MIDIRecording()
      #expect(recording.isEmpty)
      for (bytes, source, time) in [
        ([0x90, 60, 100], "Keys", 3), ([0x92, 64, 90], "Pads", 3.25), ([0xF8], "Keys", 3.3),
        ([0xB0, 7, 1], "Keys", 3.5), ([0x90, 60, 0], "Keys", 3.5), ([0xC0, 1], "Keys", 3.5),
        ([0xF0, 1, 2, 0xF7], "Pads", 3.75),
      ] as [([UInt8], String, Double)] {
        try recording.add(bytes, from: source, at: time)
      }
      // The pad is still held.
      try recording.finish(at: 4)
      #expect(recording.noteCount == 2 && recording.otherCount == 3)
      #expect(recording.seconds == 1)
      try recording.write(to: "\(folder)/a.mid")
      let report = try MIDIReport("\(folder)/a.mid")
      #expect(report.tempos == [120])
      #expect(abs(report.seconds - 1) < 0.01)
      #expect(report.tracks.map(\.name).sorted() == ["Keys", "Pads"])
      let keys = try #require(report.tracks.first { $0.name == "Keys" })
      #expect(keys.notes == 1 && keys.channels == [1] && abs(keys.beats - 1) < 0.01)
      let pads = try #require(report.tracks.first { $0.name == "Pads" })
      #expect(pads.notes == 1 && pads.channels == [3])
      #expect(abs(pads.beats - 2) < 0.01)
    }
  }

  @Test("a key that is pressed again ends the note before")
  func again() throws {
    let recording = try MIDIRecording()
    for time in [0, 0.5] { try recording.add([0x90, 60, 1], from: "Keys", at: time) }
    try recording.finish(at: 1)
    #expect(recording.noteCount == 2)
  }
}

@Suite("au midi and its actions")
struct MIDICommandTests {
  private func run(_ words: String...) throws -> Run {
    try Run("au", ["midi"] + words, environment: ["AUDIOTOOLBOX_MIDI": "none"])
  }

  @Test(
    "errors name what is wrong and what exists",
    arguments: [
      (["lst"], 2, ["ACTION", "\"lst\"", "list, monitor, send, play, record"]),
      (["list", "x"], 2, ["\"x\"", "after list"]),
      (["list", "--seconds", "1"], 2, ["--seconds", "monitor or record"]),
      (["monitor", "--channel", "2"], 2, ["--channel", "send"]),
      (["monitor", "organ"], 1, ["\"organ\"", "Bus Port 1"]),
      (["send"], 2, ["DESTINATION is missing"]), (["send", "bus"], 2, ["MESSAGE is missing"]),
      (["send", "organ", "start"], 1, ["no destination", "\"organ\"", "Bus Port 1"]),
      (["send", "bus", "on", "60", "cc", "200", "1"], 2, ["cc", "\"200\"", "0 to 127"]),
      (["send", "bus", "start", "--channel", "17"], 2, ["--channel", "1 to 16"]),
      (["play"], 2, ["FILE is missing"]), (["play", "a.mid"], 2, ["one destination"]),
      (["play", "/nowhere/a.mid", "bus"], 1, ["/nowhere/a.mid"]),
      (["record"], 2, ["OUT is missing"]), (["record", "a.wav"], 2, ["\"a.wav\"", ".mid"]),
      (
        ["record", "/nowhere/a.mid", "--seconds", "0.1"], 1,
        ["/nowhere/a.mid", "cannot be written"]
      ),
    ])
  func mistake(words: [String], code: Int, parts: [String]) throws {
    let run = try Run("au", ["midi"] + words, environment: ["AUDIOTOOLBOX_MIDI": "none"])
    #expect(run.code == Int32(code), "\(words): \(run.errors)")
    #expect(run.output.isEmpty)
    for part in parts { #expect(run.errors.contains(part), "\(words): \(run.errors)") }
  }

  @Test("send returns when the messages are sent, and notes have ended")
  func send() throws {
    let begin = ContinuousClock.now
    let sent = try run("send", "bus", "note", "60", "wait", "0.2", "--duration", "0.4")
    #expect(sent.code == 0, "\(sent.errors)")
    #expect(ContinuousClock.now - begin >= .milliseconds(400))
    #expect(try run("send", "--virtual", "spring", "start", "--delay", "0").code == 0)
  }

  @Test("play plays a file to its end")
  func play() throws {
    try withFolder { folder in
      let recording = try MIDIRecording()
      try recording.add([0x90, 60, 100], from: "Keys", at: 0)
      try recording.finish(at: 0.5)
      try recording.write(to: "\(folder)/a.mid")
      let begin = ContinuousClock.now
      let played = try run("play", "\(folder)/a.mid", "Bus Port 1")
      #expect(played.code == 0, "\(played.errors)")
      #expect(ContinuousClock.now - begin >= .milliseconds(500))
      #expect(played.errors.contains("a.mid"))
    }
  }

  @Test("monitor and record end after their time; nothing is written if no message arrives")
  func silence() throws {
    try withFolder { folder in
      let monitor = try run("monitor", "--seconds", "0.1")
      #expect(monitor.code == 0 && monitor.output.isEmpty)
      #expect(monitor.errors.contains("Bus Port 1"))
      let record = try run("record", "\(folder)/a.mid", "--seconds", "0.1")
      #expect(record.code == 1)
      #expect(record.errors.contains("no message arrived"), "\(record.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }
}
