// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// The files of the corpus with random changes. Each is read or refused, in every way, without a crash
/// and without more memory than its size allows.
@Suite("Fuzz: changed files of every kind")
struct CorpusFuzzTests {
  /// Changes of each file: 10,000 of them in `make fuzz`.
  private static let rounds =
    (ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 30)
    / 10

  /// Changes some bytes, or inserts, removes or repeats a part.
  private func changed(
    _ bytes: [UInt8], _ random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where bytes.count > 16 {
      // Most headers are at the beginning.
      let end = Bool.random(using: &random) ? min(bytes.count, 200) : bytes.count
      let place = Int.random(in: 0..<end, using: &random)
      let part = place..<min(bytes.count, place + Int.random(in: 1...64, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = .random(in: 0...255, using: &random)
      case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
      case 2: for index in part { bytes[index] = .random(in: 0...255, using: &random) }
      case 3: bytes.removeSubrange(part)
      case 4: bytes.insert(contentsOf: bytes[part], at: place)
      default: for index in part { bytes[index] = 0xFF }
      }
    }
    return bytes
  }

  /// Bytes that the process has in memory.
  private static var memory: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  @Test("are read or refused", arguments: SoundCorpus.kinds)
  func changes(kind: String) throws {
    var random = SystemRandomNumberGenerator()
    let files = try SoundCorpus.files(kind)
    let place = FilePlace(kind)
    let before = Self.memory
    for round in 0..<max(1, Self.rounds) {
      guard let file = files.randomElement(using: &random) else { return }
      let readings = try place.put(changed(file.bytes, &random))
      let type = readings.type
      let frameCount = try? readings.frameCount()
      #expect(frameCount ?? 0 >= 0, "\(kind), \(file.name), round \(round)")
      // The numbers in a file may be large, but what is decoded comes from its bytes.
      let isPlausible = frameCount ?? 0 < 1 << 20
      if isPlausible { _ = try? readings.extended() }
      if let packets = try? readings.packets(), isPlausible { _ = try? packets.samples() }
      if isPlausible { _ = try? readings.queue() }
      let size = Int.random(in: 1...5_000, using: &random)
      if case .sound(let sound) = try readings.stream(type ?? 0, pieces: size), isPlausible {
        _ = try? sound.samples()
      }
    }
    #expect(Self.memory - before < 1 << 30, "\(kind)")
  }
}
