// SPDX-License-Identifier: Apache-2.0

import AudioSupport
import AudioTestSupport
import AudioToolbox
import Foundation
import PlugInHosting
import Testing

@Suite("Descriptions of CLAP plug-ins")
struct CLAPDescriptionTests {
  private func plugIn(_ identifier: String) throws -> PlugInDescription {
    try #require(try PlugInFormat.clap.describe(identifier, libraryAt: TestLibrary.clap))
  }

  @Test("contain names, buses and parameters")
  func gain() throws {
    let gain = try plugIn("test.gain")
    #expect(gain.refusals.isEmpty)
    #expect(gain.componentName == "Maker: Gain")
    #expect(gain.version == 0x0003_0201)
    #expect(gain.codes?.type == kAudioUnitType_Effect)
    #expect(gain.codes.map { $0.manufacturer >> 24 } == 0x43)
    #expect(gain.inputs.map(\.name) == ["In 0", "In 1"])
    #expect(gain.inputs.map(\.channelCount) == [2, 1])
    #expect(gain.inputs.map(\.role) == [.sound, .sideChain])
    #expect(gain.parameters.map(\.id) == [7, 1_000, 3, 40, 41, 42, 43, 44, 45])
    #expect(gain.parameters[0].group == "Main")
    #expect(gain.parameters[1].points.map(\.name) == ["Clean", "Broken", "Failing"])
    #expect(gain.parameters[2].purpose == .bypass)
    #expect(gain.parameters[3].isReadOnly)
    #expect(gain.parameters[4].isNotForRenders)
    #expect(gain.parameters[5].unit == AudioUnitParameterUnit.decibels.rawValue)
    #expect(gain.parameters[5].isHidden)
    #expect(gain.parameters[6].hasTexts)
  }

  @Test("have the codes that the plug-in has as an audio unit elsewhere")
  func ownCodes() throws {
    let synth = try plugIn("test.synth")
    let codes = try #require(synth.codes)
    #expect(codes.type == kAudioUnitType_MusicDevice)
    #expect(codes.subType == 0x5379_6E31 && codes.manufacturer == 0x4D61_6B72)
    #expect(synth.acceptsMIDI && synth.sendsMIDI)
  }

  @Test(
    "say why a plug-in that breaks the rules cannot be used",
    arguments: [
      ("test.many", "ports"), ("test.mute", "does not describe its port 0"),
      ("test.refusing", "makes no instance"), ("test.twins", "two of its parameters are number 5"),
    ])
  func refused(identifier: String, reason: String) throws {
    #expect(try plugIn(identifier).refusals.joined(separator: "; ").contains(reason))
  }

  @Test("are made for every plug-in that has an identifier")
  func all() throws {
    let all = try PlugInFormat.clap.describe(libraryAt: TestLibrary.clap)
    #expect(all.count == 7)
    #expect(all.first { $0.identifier == "test.shifting" }?.name == "A B")
    #expect(all.allSatisfy { !$0.name.isEmpty })
    #expect(try PlugInFormat.clap.describe("unknown", libraryAt: TestLibrary.clap) == nil)
  }

  @Test("are refused for units of this library, which a program cannot contain twice")
  func own() throws {
    for (format, identifier) in [
      (PlugInFormat.clap, "swift-audiotoolbox:aufx:dely:appl"),
      (.lv2, "urn:swift-audiotoolbox:aufx:dely:appl"),
    ] {
      let error = #expect(throws: AudioError.self) {
        try format.describe(identifier, libraryAt: TestLibrary.clap)
      }
      #expect(error?.explanation.contains("a component already") == true)
    }
  }

  @Test("are refused for files that are no CLAP libraries")
  func noLibrary() throws {
    for path in ["/nowhere.clap", TestLibrary.effects] {
      #expect(throws: (any Error).self) { try PlugInFormat.clap.describe(libraryAt: path) }
    }
  }
}
