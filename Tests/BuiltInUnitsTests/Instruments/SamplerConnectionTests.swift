// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import AudioToolbox
import Testing

@testable import BuiltInUnits

@Suite("Connections in a preset of a sampler")
struct SamplerConnectionTests {
  private static let pitch = 0x30b0_0000
  private static let gain = 0x5010_0000
  private static let pan = 0x5020_0000

  private static func connection(
    _ source: Int, _ destination: Int, _ entries: [String: PropertyList] = [:]
  ) -> PropertyList {
    .dictionary(
      entries.merging(["source": .integer(source), "destination": .integer(destination)]) { $1 })
  }

  /// A zone of a layer with connections.
  private static func zone(
    _ connections: [PropertyList], _ entries: [String: PropertyList] = [:]
  ) -> SampleZone {
    var zone = SampleZone(path: "")
    let layer = entries.merging(["Connections": .array(connections)]) { $1 }
    SamplerConnections(.dictionary(layer)).apply(to: &zone)
    return zone
  }

  @Test("of the usual set are those that a SoundFont has by itself")
  func usual() {
    let inverse: [String: PropertyList] = [
      "inverse": .bool(true), "transform": .integer(2), "max value": .real(-96),
    ]
    let zone = Self.zone([
      Self.connection(300, Self.pitch, ["max value": .real(12_800)]),
      Self.connection(301, Self.gain, inverse), Self.connection(7, Self.gain, inverse),
      Self.connection(11, Self.gain, inverse),
      Self.connection(10, Self.pan, ["min value": .real(-0.508), "max value": .real(0.508)]),
      Self.connection(224, Self.pitch, ["max value": .real(12_800)]),
    ])
    #expect(zone.centsPerKey == 100)
    #expect(zone.followsVelocity)
    let modulators = zone.modulators.sorted { $0.source < $1.source }
    // The numbers of the format's own modulators.
    #expect(modulators.map(\.source) == [0x28a, 0x502, 0x587, 0x58b])
    #expect(modulators.map(\.generator) == [17, 48, 48, 48])
    #expect(modulators.map(\.amount) == [500, 960, 960, 960])
  }

  @Test("of another shape take the place of those")
  func shape() {
    let zone = Self.zone([
      Self.connection(301, Self.gain, ["inverse": .bool(true), "max value": .real(-48)])
    ])
    #expect(
      zone.modulators == [
        .init(source: 0x102, generator: 48, amount: 480),
        .init(source: 0x502, generator: 48, amount: 0),
      ])
  }

  @Test("from the same source to the same place are added up, layers and what is off apart")
  func sum() {
    let zone = Self.zone([
      Self.connection(20, Self.pitch + 256, ["max value": .real(700)]),
      Self.connection(20, Self.pitch, ["scale": .real(500)]),
      Self.connection(20, Self.pitch, ["max value": .real(50), "enabled": .bool(false)]),
      Self.connection(999, Self.pitch, ["max value": .real(50)]),
    ])
    #expect(zone.modulators == [.init(source: 0x94, generator: 52, amount: 1_200)])
    #expect(!zone.followsVelocity)
    #expect(zone.centsPerKey == 0)
  }

  @Test("of slow oscillators move pitch and gain, by as much as the wheel lets them")
  func oscillators() {
    let oscillators: [String: PropertyList] = [
      "LFOs": .array([
        .dictionary(["ID": .integer(0), "rate": .real(5)]),
        .dictionary(["ID": .integer(1), "rate": .real(3), "delay": .real(0.5)]),
      ])
    ]
    let zone = Self.zone(
      [
        Self.connection(
          0x1000_0000, Self.pitch, ["control": .integer(1), "max value": .real(200)]),
        Self.connection(0x1000_0001, Self.gain, ["max value": .real(6)]),
      ], oscillators)
    #expect(zone.vibrato == .init(rate: 5))
    #expect(zone.tremolo == .init(rate: 3, delay: 0.5, amount: 6))
    #expect(zone.modulators == [.init(source: 0x81, generator: 6, amount: 200)])
    let generators = zone.generators(pan: 0, loops: false, sample: 0)
    // Centibels, and timecents.
    #expect(generators.contains { $0 == (13, 60) })
    #expect(generators.contains { $0 == (21, -1_200) })
  }

  @Test("of envelopes shape the gain and the pitch")
  func envelopes() {
    func envelope(_ number: Int, attack: Double, level: Double) -> PropertyList {
      .dictionary([
        "ID": .integer(number),
        "Stages": .array([
          .dictionary(["stage": .integer(1), "time": .real(attack)]),
          .dictionary(["stage": .integer(4), "level": .real(level)]),
        ]),
      ])
    }
    let zone = Self.zone(
      [
        Self.connection(0x2000_0000, Self.gain),
        Self.connection(0x2000_0001, Self.pitch, ["max value": .real(700)]),
      ],
      ["Envelopes": .array([envelope(0, attack: 2, level: 0.5), envelope(1, attack: 1, level: 0)])])
    let generators = zone.generators(pan: 0, loops: false, sample: 0)
    #expect(generators.contains { $0 == (34, 1_200) })
    #expect(generators.contains { $0 == (37, 480) })
    #expect(generators.contains { $0 == (7, 700) })
    #expect(generators.contains { $0 == (26, 0) })
    #expect(generators.contains { $0 == (29, 1_000) })
  }
}
