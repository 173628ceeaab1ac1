// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing
import UnitTexts

@Suite("Named components")
struct NamedComponentTests {
  private struct Entry: NamedComponent {
    let description: AudioComponentDescription
    let name: String

    init(_ type: OSType, _ subType: OSType, _ name: String) {
      description = AudioComponentDescription(
        componentType: type, componentSubType: subType,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
        componentFlagsMask: 0)
      self.name = name
    }
  }

  private static let entries = [
    Entry(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, "Apple: AUMultiChannelMixer"),
    Entry(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter, "Apple: AULowpass"),
    Entry(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, "Apple: DefaultOutputUnit"),
    Entry(kAudioUnitType_Output, kAudioUnitSubType_SystemOutput, "Maker: AULowpass"),
  ]

  private func names(_ text: String) -> [String] {
    Entry.named(text) { query in
      func agrees(_ code: OSType, _ own: OSType) -> Bool { code == 0 || code == own }
      return Self.entries.filter {
        agrees(query.componentType, $0.description.componentType)
          && agrees(query.componentSubType, $0.description.componentSubType)
          && agrees(query.componentManufacturer, $0.description.componentManufacturer)
      }
    }.map(\.name)
  }

  @Test(
    "are found by codes, and by names with or without maker and AU",
    arguments: [
      "mcmx", "aumx mcmx", "aumx mcmx appl", "Apple: AUMultiChannelMixer", "AUMultiChannelMixer",
      "multichannel mixer", "Multi-Channel Mixer",
    ])
  func oneMatch(text: String) { #expect(names(text) == ["Apple: AUMultiChannelMixer"]) }

  @Test("are found without the word unit, and by a code without its last space")
  func ends() {
    #expect(names("default output") == ["Apple: DefaultOutputUnit"])
    #expect(names("auou def") == ["Apple: DefaultOutputUnit"])
  }

  @Test("are all found by an ambiguous name, and none by an unknown one")
  func others() {
    #expect(names("lowpass") == ["Apple: AULowpass", "Maker: AULowpass"])
    #expect(names("Maker: AULowpass") == ["Maker: AULowpass"])
    #expect(names("low").isEmpty && names("").isEmpty && names("a b c d").isEmpty)
  }

  @Test("have titles for lists and messages")
  func titles() {
    let mixer = Self.entries[0]
    #expect(mixer.ownName == "AUMultiChannelMixer")
    #expect(mixer.words == ["multichannelmixer", "mcmx"])
    #expect(mixer.title == "aumx mcmx appl: Apple: AUMultiChannelMixer")
    #expect(mixer.shortTitle == "mcmx (AUMultiChannelMixer)")
    #expect(Self.entries[2].words == ["defaultoutput", "def"])
  }
}
