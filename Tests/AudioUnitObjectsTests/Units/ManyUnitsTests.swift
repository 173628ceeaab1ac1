// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Testing

@Suite("Many units")
struct ManyUnitsTests {
  /// Makes, allocates, renders and drops units; `AUDIOTOOLBOX_ROUNDS` changes how many.
  @Test("leave no memory behind", arguments: [true, false])
  func flat(isSubclass: Bool) async {
    // In its own process, where no other test allocates memory.
    await #expect(processExitsWith: .success) { [isSubclass = isSubclass as Bool] in
      ProcessState.useOneHeap()
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
      let before = ProcessState().heapBytes
      for _ in 0..<(rounds ?? 10_000) { try cycle() }
      // 256 bytes for each unit would be more.
      #expect(ProcessState.isSanitized || ProcessState().heapBytes - before < 256 << 10)
    }
  }
}
