// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CoreMIDI
import Foundation
import Synchronization
import Testing
import ToneModel

// Time passes as with a sound card; the expectations do not depend on how much.
@Suite("A tone that keys play", .serialized)
struct ToneKeysTests {
  /// A model that plays to no device.
  private func silently(_ body: (ToneModel, ToneKeys) throws -> Void) throws {
    _ = try recording {
      let model = ToneModel(Tone(frequency: 440, level: -20))
      try body(model, ToneKeys(model))
      model.stop()
    }
  }

  @Test("has the frequency of the key in equal temperament, in the tuning")
  func frequency() throws {
    try silently { model, keys in
      for (key, expected) in [(69, 440), (57, 220), (60, 261.625_565), (127, 12_543.853_95)] {
        try keys.receive(0x90, UInt8(key), 100)
        #expect(model.isPlaying && !model.isMuted)
        #expect(abs(model.frequency - expected) < 1e-5)
      }
      model.a4 = 432
      try keys.receive(0x95, 69, 100)
      #expect(model.frequency == 432)
    }
  }

  @Test("bends by two semitones up and down")
  func bend() throws {
    try silently { model, keys in
      try keys.receive(0xe0, 0, 0)
      #expect(model.frequency == 440, "no key is held")
      try keys.receive(0x90, 69, 100)
      #expect(abs(model.frequency - 440 * exp2(-2 / 12.0)) < 1e-9)
      try keys.receive(0xe0, 127, 127)
      #expect(abs(model.frequency - 440 * exp2(2 / 12.0)) < 1e-9)
      try keys.receive(0xe0, 0, 64)
      #expect(model.frequency == 440)
    }
  }

  @Test("has the level of the velocity, below that of the model")
  func level() throws {
    try silently { model, keys in
      try keys.receive(0x90, 69, 127)
      #expect(model.level == -20)
      try keys.receive(0x90, 70, 64)
      #expect(abs(model.level - (-20 + Decibels.level(64 / 127))) < 1e-9)
      model.level = -30
      try keys.receive(0x90, 71, 127)
      #expect(model.level == -30, "the user has changed it")
    }
  }

  @Test("sounds the last key that is held, and is silent without one")
  func held() throws {
    try silently { model, keys in
      try keys.receive(0x90, 69, 100)
      try keys.receive(0x90, 81, 100)
      #expect(model.frequency == 880)
      try keys.receive(0x80, 81, 0)
      #expect(model.frequency == 440 && !model.isMuted)
      try keys.receive(0x90, 69, 0)
      #expect(model.isMuted && model.isPlaying)
      try keys.receive(0x90, 69, 100)
      #expect(!model.isMuted)
      try keys.receive(0xb0, 123, 0)
      #expect(model.isMuted)
      model.stop()
      #expect(!model.isMuted)
      try keys.receive(0x80, 69, 0)
      #expect(!model.isMuted, "nothing plays")
    }
  }

  @Test("ignores messages that are none, and others")
  func hostile() throws {
    let model = ToneModel(Tone(frequency: 440, level: -20))
    let keys = ToneKeys(model)
    for status in 0...255 as ClosedRange<UInt8> where status & 0xf0 != 0x90 {
      try keys.receive(status, 60, 64)
      try keys.receive(status, 255, 64)
    }
    try keys.receive(0x90, 128, 64)
    try keys.receive(0x90, 60, 200)
    #expect(!model.isPlaying && model.frequency == 440 && model.level == -20)
  }

  @Test("fades without a click when keys are pressed and released")
  func clicks() throws {
    let file = try recording {
      let model = ToneModel(Tone(frequency: 440, level: -6))
      let keys = ToneKeys(model)
      for key in [69, 76, 81] as [UInt8] {
        try keys.receive(0x90, key, 127)
        play(seconds: 0.1)
        try keys.receive(0x80, key, 0)
        play(seconds: 0.1)
      }
      model.stop()
    }
    let all = file.channels[0]
    #expect(all.largestBend(frequency: 880, amplitude: Decibels.ratio(-6)) < 1.01)
    #expect(all.samples.contains { abs($0) > 0.4 } && all.samples.last == 0)
  }

  @Test("gets the messages of a MIDI source by name, and is told the names there are")
  func source() throws {
    var (client, source) = (MIDIClientRef(), MIDIEndpointRef())
    try #require(MIDIClientCreateWithBlock("tests" as CFString, &client, nil) == noErr)
    defer { MIDIClientDispose(client) }
    try #require(
      MIDISourceCreateWithProtocol(client, "Tone Keys" as CFString, ._1_0, &source) == noErr)
    #expect(try ToneMIDIInput.sourceNames().contains("Tone Keys"))
    let input = try ToneMIDIInput(from: "tone k")
    #expect(input.source.name == "Tone Keys")
    let list = MIDIEventList.Builder(inProtocol: ._1_0, wordSize: 69)
    list.append(timestamp: 0, words: [0x2090_3c64, 0x3016_0102, 0x0304_0506, 0x20e0_0040])
    #expect(list.withUnsafePointer { MIDIReceivedEventList(source, $0) } == noErr)
    var messages: [ToneMIDIInput.Message] = []
    for _ in 0..<500 where messages.count < 2 {
      var descriptor = pollfd(fd: input.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 10)
      messages += input.take()
    }
    #expect(messages.map(\.status) == [0x90, 0xe0])
    #expect(messages.map(\.first) == [60, 0] && messages.map(\.second) == [100, 64])
    let error = #expect(throws: ToneError.self) { try ToneMIDIInput(from: "nowhere") }
    #expect(error?.description.contains("Tone Keys") == true)
  }

  @Test("the list of sources follows those that come and go")
  func sources() throws {
    let changes = Changes()
    let sources = try ToneMIDISources { changes.count.add(1, ordering: .relaxed) }
    var (client, source) = (MIDIClientRef(), MIDIEndpointRef())
    try #require(MIDIClientCreate("Keys" as CFString, nil, nil, &client) == noErr)
    defer { MIDIClientDispose(client) }
    let isThere = { sources.all.contains { $0.name == "Passing Keys" } }
    #expect(!isThere())
    try #require(
      MIDISourceCreateWithProtocol(client, "Passing Keys" as CFString, ._1_0, &source) == noErr)
    #expect(changes.reach(1))
    sources.refresh()
    let choice = try #require(sources.all.first { $0.name == "Passing Keys" })
    let input = try ToneMIDIInput(choice)
    #expect(input.source == choice && input.isConnected)
    let before = changes.count.load(ordering: .relaxed)
    MIDIEndpointDispose(source)
    #expect(changes.reach(before + 1))
    sources.refresh()
    #expect(!isThere() && !input.isConnected)
    #expect(throws: ToneError.self) { try ToneMIDIInput(choice) }
  }

  private final class Changes: Sendable {
    let count = Atomic<Int>(0)

    /// Whether there are so many changes within some seconds.
    func reach(_ number: Int) -> Bool {
      for _ in 0..<5_000 where count.load(ordering: .relaxed) < number { usleep(1_000) }
      return count.load(ordering: .relaxed) >= number
    }
  }
}
