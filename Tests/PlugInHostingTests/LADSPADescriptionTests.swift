// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Foundation
import PlugInHosting
import Testing

@Suite("Descriptions of LADSPA plug-ins")
struct LADSPADescriptionTests {
  private func effect(_ label: String) throws -> PlugInDescription {
    let all = try PlugInFormat.ladspa.describe(libraryAt: TestLibrary.effects)
    return try #require(all.first { $0.identifier == "effects:\(label)" })
  }

  private func fault(_ label: String) throws -> PlugInDescription {
    let all = try PlugInFormat.ladspa.describe(libraryAt: TestLibrary.faults)
    return try #require(all.first { $0.identifier == "faults:\(label)" })
  }

  @Test("a library describes all its plug-ins, by its name and their labels")
  func identifiers() throws {
    let all = try PlugInFormat.ladspa.describe(libraryAt: TestLibrary.effects)
    #expect(
      all.map(\.identifier)
        == ["gain", "delay", "mix", "nan", "urn:test:tone/1", "wide", "threads"].map {
          "effects:\($0)"
        })
    #expect(all.allSatisfy { $0.maker == "Maker" && $0.refusals.isEmpty })
  }

  @Test("the unit of measure at the end of a name becomes the parameter's")
  func units() throws {
    let gain = try effect("gain").parameters[0]
    #expect(gain.name == "Gain")
    #expect(gain.unit == AudioUnitParameterUnit.decibels.rawValue)
    #expect((gain.minimum, gain.maximum, gain.defaultValue) == (-4, 4, 1))
  }

  @Test("outputs are read-only parameters, and the latency is none")
  func outputs() throws {
    let peak = try effect("gain").parameters[1]
    #expect(peak.isReadOnly && peak.isVisible)
    #expect(try effect("delay").parameters.map(\.purpose) == [.latency])
  }

  @Test("bounds and default of a rate are multiples of the rate, halfway on a logarithmic scale")
  func rates() throws {
    let frequency = try effect("urn:test:tone/1").parameters[0]
    #expect(frequency.isInRates && frequency.defaultIsInRates && frequency.isLogarithmic)
    #expect((frequency.minimum, frequency.maximum) == (0.001, 0.1))
    #expect(abs(frequency.defaultValue - 0.01) < 1e-6)
  }

  @Test("inputs beyond those of a stereo effect are a bus of their own")
  func buses() throws {
    let mix = try effect("mix")
    #expect(mix.inputs.map(\.ports) == [[0, 1], [2]])
    #expect(mix.outputs.map(\.ports) == [[3, 4]])
  }

  @Test("types and codes follow from the ports, the identifier and the maker")
  func codes() throws {
    let gain = try #require(try effect("gain").codes)
    #expect(gain.type == kAudioUnitType_Effect)
    #expect(gain.manufacturer >> 24 == 0x44)
    #expect(try effect("urn:test:tone/1").codes?.type == kAudioUnitType_Generator)
    // A code that changes breaks saved documents.
    #expect(gain.subType == 0x4155_6946)
  }

  @Test("bounds that are reversed, not finite or equal give a usable range with the default inside")
  func wrongBounds() throws {
    let plugIn = try fault("bounds")
    #expect(plugIn.refusals.isEmpty)
    for parameter in plugIn.parameters {
      #expect(parameter.minimum.isFinite && parameter.maximum.isFinite)
      #expect(parameter.minimum <= parameter.maximum)
    }
    #expect(plugIn.parameters.map(\.name) == ["port 2", "a b", "Very bad", "port 5"])
  }

  @Test("a plug-in without names has some")
  func names() throws {
    #expect(try fault("nameless").name == "nameless")
  }

  @Test(
    "what cannot be run has a reason",
    arguments: [
      ("many", "it has 2147483648 ports"),
      ("senseless", "its port 0 is neither for sound nor for control, or has no direction"),
      ("idle", "it lacks a function that every plug-in has"),
      ("blank", "it does not describe its ports"), ("", "it has no label"),
    ])
  func refusals(label: String, reason: String) throws {
    #expect(try fault(label).refusals.contains(reason))
  }

  @Test("a file that is no such library has a reason")
  func noLibrary() throws {
    #expect(throws: (any Error).self) {
      try PlugInFormat.ladspa.describe(libraryAt: "/dev/null")
    }
    #expect(throws: (any Error).self) { try PlugInFormat.ladspa.describe(libraryAt: "libm.so.6") }
  }

  @Test("a description can be stored")
  func stored() throws {
    let gain = try effect("gain")
    let data = try JSONEncoder().encode(gain)
    #expect(try JSONDecoder().decode(PlugInDescription.self, from: data) == gain)
  }
}
