// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import MIDIPorts

/// Random bytes for the ports of the machine. `make fuzz` runs more rounds; a failure names its round.
@Suite("Fuzz: messages for ports of the machine")
struct SplitterFuzzTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 300

  private struct Random {
    var state: UInt64
    mutating func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(1, limit)
    }
  }

  /// The messages of bytes that arrive in parts of at most `step` bytes.
  private func messages(_ bytes: [UInt8], limit: Int, step: Int) -> [[UInt8]] {
    var splitter = MessageSplitter(limit: limit)
    var messages: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      bytes[start..<min(start + step, bytes.count)].withUnsafeBufferPointer {
        splitter.add($0) { messages.append($0) }
      }
    }
    return messages
  }

  @Test("are whole, within their limit, and the same wherever the bytes were split")
  func splits() {
    for round in 0..<Self.rounds {
      var random = Random(state: UInt64(round) &* 0x9e37_79b9_7f4a_7c15 | 1)
      let bytes = (0..<1 + random.next(200)).map { _ -> UInt8 in
        switch random.next(8) {
        case 0: [0xf0, 0xf0, 0xf7, 0xf8, 0xf2, 0xf5][random.next(6)]
        case 1: UInt8(0x80 + random.next(128))
        default: UInt8(random.next(128))
        }
      }
      let limit = 4 + random.next(20)
      let whole = messages(bytes, limit: limit, step: bytes.count)
      #expect(messages(bytes, limit: limit, step: 1 + random.next(12)) == whole, "round \(round)")
      #expect(whole.allSatisfy { 1...limit ~= $0.count }, "round \(round)")
      // Only running status and the ends of cut system exclusive messages add bytes.
      #expect(whole.reduce(0) { $0 + $1.count } <= 2 * bytes.count, "round \(round)")
      var isOpen = false
      for message in whole {
        let isWhole = isComplete(message, isOpen: &isOpen)
        #expect(isWhole, "round \(round): \(message)")
      }
    }
  }

  /// Whether bytes are one message, or a part of the system exclusive message that is open.
  private func isComplete(_ message: [UInt8], isOpen: inout Bool) -> Bool {
    let hasOnlyData = message.dropFirst().dropLast().allSatisfy { $0 < 0x80 }
    guard let first = message.first, let last = message.last, hasOnlyData else { return false }
    switch first {
    case 0xf8...: return message.count == 1
    case 0xf0:
      isOpen = last != 0xf7
      return true
    case 0xf7:
      defer { isOpen = false }
      return isOpen && message.count == 1
    case 0x80...:
      let count = [0xc: 2, 0xd: 2][first >> 4] ?? 3
      return !isOpen && (first >= 0xf0 || message.count == count)
    default:
      guard isOpen else { return false }
      isOpen = last != 0xf7
      return true
    }
  }
}
