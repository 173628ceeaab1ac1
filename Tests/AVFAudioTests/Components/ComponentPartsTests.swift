// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@testable import AVFAudio

@Suite("Parts of AVAudioUnitComponent")
struct ComponentPartsTests {
  @Test(
    "a name has the manufacturer before the first colon",
    arguments: [
      ("Apple: AUDelay", "Apple", "AUDelay"), ("A: B: C", "A", "B: C"), ("Alone", "", "Alone"),
      ("", "", ""), (":Name", "", "Name"), ("Maker:", "Maker", ""),
    ])
  func names(text: String, manufacturer: String, name: String) {
    let names = ComponentNames(text)
    #expect(names.manufacturer == manufacturer && names.name == name)
  }

  private func allow(
    _ entries: [(Int16, Int16)]?, _ inputs: Int, _ outputs: Int, hasInputs: Bool = true
  ) -> Bool {
    ChannelCapabilities(
      hasInputs: hasInputs, hasOutputs: true,
      entries: entries?.map { AUChannelInfo(inChannels: $0.0, outChannels: $0.1) }
    ).allow(inputs, outputs)
  }

  @Test("without a list, both scopes have the same number of channels")
  func noList() {
    #expect(allow(nil, 3, 3) && !allow(nil, 1, 2) && !allow(nil, 0, 0) && !allow(nil, -1, -1))
    #expect(allow(nil, 0, 2, hasInputs: false) && !allow(nil, 2, 2, hasInputs: false))
  }

  @Test("-1 and -1 are the same number; -1 and -2 are any two numbers")
  func anyNumbers() {
    #expect(allow([(-1, -1)], 5, 5) && !allow([(-1, -1)], 5, 4))
    #expect(allow([(-1, -2)], 5, 4) && allow([(-2, -1)], 1, 9) && !allow([(-1, -2)], 0, 1))
    #expect(allow([(-1, 2)], 7, 2) && !allow([(-1, 2)], 7, 3))
  }

  @Test("a number is exact, a number below -2 a total; one entry is enough")
  func numbers() {
    #expect(allow([(1, 2)], 1, 2) && !allow([(1, 2)], 2, 2))
    #expect(allow([(-8, 2)], 8, 2) && !allow([(-8, 2)], 9, 2))
    #expect(allow([(1, 1), (2, 2)], 2, 2) && allow([(0, 2)], 0, 2, hasInputs: false))
  }
}
