// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Foundation
import MusicSequences
import Testing

/// Files with random changes. `make fuzz` runs more rounds; a failure names its round.
@Suite("Fuzz: MIDI files")
struct MIDIFileFuzzTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 400

  private struct Random {
    var state: UInt64
    mutating func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(1, limit)
    }
  }

  /// A file with all kinds of events.
  private func original() throws -> [UInt8] {
    let sequence = try EventSequence.make()
    defer { dispose(sequence) }
    try sequence.tempoTrack.add(1, .tempo(70))
    for channel in 0..<3 as Range<UInt8> {
      let track = try sequence.addTrack()
      for index in 0..<12 {
        try track.add(Double(index) / 4, note(UInt8(50 + index), 0.5, channel: channel))
      }
      try track.add(1, controller(7, 3, channel: channel))
      try track.add(1, .raw([0xf0, 1, 2, 3, 0xf7]))
      try track.add(2, .meta(1, Array("text".utf8)))
    }
    return try MIDIFileWriter.bytes(of: sequence, resolution: 96)
  }

  /// A sequence lives until then.
  private func dispose(_ sequence: EventSequence) {
    #expect(
      sequence.handle.map { handle in
        failure { () throws(AudioError) in try EventSequence.dispose(handle) }
      } == noErr)
  }

  @Test("whatever is loaded can be saved and loaded again, and has no more events than bytes")
  func mutations() throws {
    let original = try original()
    for round in 0..<Self.rounds {
      var random = Random(state: UInt64(round) &* 0x9e37_79b9_7f4a_7c15 | 1)
      var bytes = original
      for _ in 0...random.next(8) {
        let place = random.next(bytes.count)
        switch random.next(5) {
        case 0: bytes[place] = UInt8(random.next(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert([0xff, 0xf0, 0xf7, 0x90, 0, 0x7f][random.next(6)], at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + random.next(40)))
        default: bytes += bytes[place..<min(bytes.count, place + random.next(60))]
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let sequence = try EventSequence.make()
      defer { dispose(sequence) }
      do { try sequence.load(bytes, separatesChannels: round % 2 == 0) } catch { continue }
      let count = sequence.tracks.reduce(0) { $0 + $1.events.count }
      #expect(count <= bytes.count, "round \(round)")
      for track in sequence.tracks {
        #expect(track.events.allSatisfy { $0.time >= 0 && $0.end >= $0.time }, "round \(round)")
      }
      guard let saved = try? MIDIFileWriter.bytes(of: sequence) else { continue }
      let again = try load(saved)
      defer { dispose(again) }
      #expect(
        again.tracks.map { $0.keys.sorted() } == sequence.tracks.map { $0.keys.sorted() },
        "round \(round)")
    }
  }
}
