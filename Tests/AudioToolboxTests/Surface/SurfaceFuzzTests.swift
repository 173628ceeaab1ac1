// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Random calls of all functions together, also from inside callbacks and listeners, so that each
/// call meets the state that earlier ones left.
///
/// Every call must return, and everything must be disposable. A failure names its round, which
/// repeats the same calls; `make fuzz` runs more rounds.
@Suite("Fuzz: random calls of everything")
struct SurfaceFuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let rounds = environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 150
  private static let first = environment["AUDIOTOOLBOX_TEST_FIRST_ROUND"].flatMap { Int($0) } ?? 0

  @Test("leave a process in which a new unit works")
  func calls() throws {
    for round in Self.first..<Self.first + max(20, Self.rounds / 3) {
      let program = RandomProgram(round: UInt64(round))
      bounded("round \(round) of everything") {
        for _ in 0..<400 { program.call() }
        program.finish()
      }
      #expect(program.complaints.isEmpty, "round \(round): \(program.complaints)")
      if !program.complaints.isEmpty { return }
    }
    let fresh = try Instance(
      kAudioUnitType_Generator, kAudioUnitSubType_ToneGenerator,
      kAudioUnitManufacturer_SwiftAudioToolbox)
    #expect(AudioUnitInitialize(fresh.unit) == noErr)
    #expect(try fresh.render(64, at: 0)[0].contains { $0 != 0 })
  }
}
