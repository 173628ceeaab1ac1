// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Synchronization
import Testing

@testable import AudioSupport

@Suite("Sequence lock")
struct SequenceLockTests {
  /// Words that the writer always sets to the same number.
  private final class Words: Sendable {
    let lock = SequenceLock()
    let first = Atomic(0)
    let second = Atomic(0)
    let third = Atomic(0)

    func write(_ number: Int) {
      lock.beginWriting()
      first.store(number, ordering: .releasing)
      second.store(number, ordering: .releasing)
      third.store(number, ordering: .releasing)
      lock.endWriting()
    }

    func read() -> [Int]? {
      lock.read {
        [
          first.load(ordering: .acquiring), second.load(ordering: .acquiring),
          third.load(ordering: .acquiring),
        ]
      }
    }
  }

  @Test("has no value before the first one is written")
  func beginning() {
    let words = Words()
    #expect(words.read() == nil)
    words.write(7)
    #expect(words.read() == [7, 7, 7])
  }

  @Test("lets readers see all words of one change, whoever reads and however often it changes")
  func storm() {
    let words = Words()
    words.write(0)
    let last = 20_000
    let readers = (0..<3).map { _ in
      OwnThread {
        var latest = 0
        var isRight = true
        while latest < last, isRight {
          guard let read = words.read() else { return false }
          isRight = read[0] == read[1] && read[1] == read[2] && read[0] >= latest
          latest = read[0]
          rest()
        }
        return isRight
      }
    }
    for number in 1...last {
      words.write(number)
      if number % 64 == 0 { rest() }
    }
    for reader in readers {
      let isRight = reader.join()
      #expect(isRight)
    }
  }
}
