// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Testing

@Suite("Many units")
struct ManyUnitsTests {
  /// The resident memory of the process in bytes.
  private static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Makes, allocates, renders and drops units; `AUDIOTOOLBOX_ROUNDS` changes how many.
  @Test("leave no memory behind", arguments: [true, false])
  func flat(isSubclass: Bool) throws {
    let rounds = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_ROUNDS"].flatMap { Int($0) }
    AUAudioUnit.registerSubclass(
      GainUnit.self, as: .test("many"), name: "Tests: Gain", version: 1)
    let codes: AudioComponentDescription =
      isSubclass ? .test("many") : .apple(kAudioUnitSubType_LowPassFilter)
    func cycle() throws {
      let unit = try AUAudioUnit(componentDescription: codes)
      try unit.allocateRenderResources()
      _ = try unit.render(16)
      unit.deallocateRenderResources()
    }
    for _ in 0..<50 { try cycle() }
    let before = Self.residentBytes
    for _ in 0..<(rounds ?? 1_000) { try cycle() }
    // A leaked unit would leave the nodes of its events: more than 40 KB each. Other tests of the process
    // use memory at the same time.
    #expect(Self.residentBytes - before < 20_000_000)
  }
}
