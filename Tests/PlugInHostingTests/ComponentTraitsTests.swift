// SPDX-License-Identifier: Apache-2.0

import AVFAudio
import AudioSupport
import AudioToolbox
import AudioUnitCore
import PlugInHosting
import Testing

@Suite("What components say about themselves")
struct ComponentTraitsTests {
  @Test("LV2 plug-ins have the names of their classes as tags, CLAP plug-ins their features")
  func tags() throws {
    let synth = try #require(
      try PlugInFormat.lv2.describe(libraryAt: TestLibrary.bundle).first {
        $0.identifier == "urn:test:synth"
      })
    #expect(synth.tags == ["Instrument"])
    let clap = try PlugInFormat.clap.describe(libraryAt: TestLibrary.clap)
    #expect(clap.contains { $0.tags.contains("audio-effect") }, "\(clap.map(\.tags))")
    let ladspa = try PlugInFormat.ladspa.describe(libraryAt: TestLibrary.effects)
    #expect(ladspa.allSatisfy { $0.tags.isEmpty })
  }

  @Test("AVAudioUnitComponent has their tags, and says whether they receive and send MIDI")
  func component() throws {
    var codes = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: 0x7472_6974,
      componentManufacturer: 0x5465_7374, componentFlags: 0, componentFlagsMask: 0)
    _ = AudioComponentCount(&codes)
    let made = Component(
      codes, name: "Test: Traits", version: 1,
      traits: ComponentTraits(tags: ["Reverb"], hasMIDIInput: true, hasMIDIOutput: true)
    ) { _, _ throws(AudioError) in throw .invalidFile }
    _ = try ComponentRegistry.shared.register(made)
    let manager = AVAudioUnitComponentManager.shared()
    let found = try #require(manager.components(matching: codes).first)
    // An effect does neither by its type.
    #expect(found.hasMIDIInput && found.hasMIDIOutput)
    #expect(found.allTagNames == ["Reverb"] && found.userTagNames.isEmpty)
    found.userTagNames = ["mine", "Reverb"]
    defer { found.userTagNames = [] }
    #expect(found.allTagNames == ["Reverb", "mine"])
    #expect(Set(manager.tagNames).isSuperset(of: ["Reverb", "mine"]))
    let lowPass = try #require(
      manager.components(
        matching: AudioComponentDescription(
          componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_LowPassFilter,
          componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
          componentFlagsMask: 0)
      ).first)
    #expect(!lowPass.hasMIDIInput && !lowPass.hasMIDIOutput && lowPass.allTagNames.isEmpty)
  }
}
