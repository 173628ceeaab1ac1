// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Testing

@testable import AudioSupport

@Suite("Published plain value")
struct PublishedValueTests {
  /// A value of several words, the last of which is not full.
  private struct Words: BitwiseCopyable, Sendable, Equatable {
    var first: Int
    var second: Double
    var third: UInt64
    var fourth: UInt16

    init(_ number: Int) {
      first = number
      second = Double(number)
      third = UInt64(number)
      fourth = UInt16(truncatingIfNeeded: number)
    }
  }

  private final class Shared: Sendable {
    let value = PublishedValue<Words>()
  }

  @Test("does not exist before the first one is stored")
  func beginning() {
    let shared = Shared()
    #expect(shared.value.load() == nil)
    shared.value.store(Words(7))
    #expect(shared.value.load() == Words(7))
  }

  @Test("may be smaller than a word")
  func small() {
    let value = PublishedValue<UInt8>()
    value.store(200)
    #expect(value.load() == 200)
  }

  @Test("is read whole, whoever reads and however often it changes")
  func storm() {
    let shared = Shared()
    shared.value.store(Words(0))
    let last = 20_000
    let readers = (0..<3).map { _ in
      OwnThread {
        var latest = 0
        var isRight = true
        while latest < last, isRight {
          guard let read = shared.value.load() else { return false }
          isRight = read == Words(read.first) && read.first >= latest
          latest = read.first
          rest()
        }
        return isRight
      }
    }
    for number in 1...last {
      shared.value.store(Words(number))
      if number % 64 == 0 { rest() }
    }
    for reader in readers {
      let isRight = reader.join()
      #expect(isRight)
    }
  }
}
