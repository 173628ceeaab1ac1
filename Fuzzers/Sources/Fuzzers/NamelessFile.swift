// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

@testable import BuiltInUnits

/// A file without a name, whose path is the same in every process and ends with it.
struct NamelessFile: Sendable {
  /// Its path.
  var path: String { "/proc/self/fd/\(number)" }
  private let number: CInt

  /// An empty file with this number, which no other file has.
  init(_ number: CInt) {
    var template = Array((NSTemporaryDirectory() + "fuzzer-XXXXXX").utf8CString)
    let made = mkstemp(&template)
    require(made >= 0 && dup2(made, number) == number, "no temporary file")
    unlink(template)
    close(made)
    self.number = number
  }

  /// Replaces its contents.
  func write(_ bytes: [UInt8]) {
    require(ftruncate(number, 0) == 0, "a temporary file cannot be emptied")
    require(pwrite(number, bytes, bytes.count, 0) == bytes.count, "a temporary file is full")
  }
}

/// What a fuzzer writes for functions that read files.
let inputFile = NamelessFile(901)

/// A WAV file with a short tone: the sample of the instruments.
let toneFile: NamelessFile = {
  func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  let samples = (0..<400).map { Int(16_000 * sin(2 * .pi * Double($0) / 100)) }
  let file = NamelessFile(900)
  file.write(
    Array("RIFF".utf8) + number(36 + 2 * samples.count) + Array("WAVEfmt ".utf8) + number(16)
      + number(1, 2) + number(1, 2) + number(44_100) + number(88_200) + number(2, 2)
      + number(16, 2) + Array("data".utf8) + number(2 * samples.count)
      + samples.flatMap { number($0, 2) })
  return file
}()

/// A bank with that tone, which is quicker to load than one of all instruments.
let smallBank: NamelessFile = {
  guard let bank = try? SampleBank([toneFile.path]) else { fatalError("no bank") }
  let file = NamelessFile(902)
  file.write(bank.bytes)
  return file
}()
