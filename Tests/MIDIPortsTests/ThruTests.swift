// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import CCoreMIDI
import MIDIMessages
import MIDIPorts
import Testing

@Suite("Thru connections")
struct ThruTests {
  private let rig: Rig
  private let inbox = Inbox()
  private let source: MIDIEndpointRef
  private let destination: MIDIEndpointRef

  init() throws {
    rig = try Rig()
    source = try rig.setup.createSource(name: "s", of: rig.client, format: .bytes)
    destination = try rig.destination(inbox)
  }

  /// The bytes of parameters from the source to the destination.
  private func parameters(
    controls: [MIDIControlTransform] = [], maps: [MIDIValueMap] = [],
    _ change: (inout MIDIThruConnectionParams) -> Void = { _ in }
  ) -> [UInt8] {
    var parameters = MIDIThruConnectionParams()
    withUnsafeMutableBytes(of: &parameters.channelMap) { map in
      for channel in map.indices { map[channel] = UInt8(channel) }
    }
    parameters.highNote = 127
    parameters.numSources = 1
    parameters.sources.0.endpointRef = source
    parameters.numDestinations = 1
    parameters.destinations.0.endpointRef = destination
    parameters.numControlTransforms = UInt16(controls.count)
    parameters.numMaps = UInt16(maps.count)
    change(&parameters)
    var bytes = withUnsafeBytes(of: parameters) { Array($0) }
    for control in controls { withUnsafeBytes(of: control) { bytes += $0 } }
    for map in maps { withUnsafeBytes(of: map) { bytes += $0 } }
    return bytes
  }

  /// What arrives of messages, and then of a reset, which every connection passes.
  private func passed(_ messages: [[UInt8]], _ parameters: [UInt8]) throws -> [[UInt8]] {
    let connection = try rig.setup.createThruConnection(owner: nil, parameters: parameters)
    for message in messages { try rig.received([(0, message)], from: source) }
    try rig.received([(0, [0xff])], from: source)
    #expect(wait { inbox.bytes.last == [0xff] })
    try rig.setup.disposeThruConnection(connection)
    rig.setup.close()
    return inbox.bytes.dropLast()
  }

  @Test("pass everything unchanged by default")
  func identity() throws {
    let messages: [[UInt8]] = [[0x90, 60, 0], [0xf0, 1, 2, 0xf7], [0xb3, 7, 1], [0xf8]]
    #expect(try passed(messages, parameters()) == messages)
  }

  @Test("move and drop channels")
  func channels() throws {
    let bytes = parameters { parameters in
      parameters.channelMap.0 = 5
      parameters.channelMap.1 = 0xff
    }
    #expect(
      try passed([[0x90, 60, 1], [0x91, 61, 1], [0x92, 62, 1]], bytes) == [
        [0x95, 60, 1], [0x92, 62, 1],
      ])
  }

  @Test("drop kinds of messages")
  func filters() throws {
    let bytes = parameters { parameters in
      parameters.filterOutSysEx = 1
      parameters.filterOutMTC = 1
      parameters.filterOutBeatClock = 1
      parameters.filterOutTuneRequest = 1
      parameters.filterOutAllControls = 1
    }
    #expect(
      try passed(
        [
          [0xf0, 1, 0xf7], [0xf1, 1], [0xf8], [0xfa], [0xf6], [0xb0, 7, 1], [0xb0, 123, 0],
          [0xf3, 1],
        ], bytes) == [[0xb0, 123, 0], [0xf3, 1]])
  }

  @Test("pass notes of a range, or outside of it if it is inverted")
  func ranges() throws {
    let bytes = parameters { parameters in
      parameters.lowNote = 70
      parameters.highNote = 50
      parameters.lowVelocity = 10
      parameters.highVelocity = 20
    }
    #expect(
      try passed(
        [
          [0x90, 60, 15], [0x90, 50, 15], [0x90, 70, 9], [0x90, 70, 20], [0x80, 70, 0],
          [0x80, 60, 0],
        ], bytes) == [[0x90, 50, 15], [0x90, 70, 20], [0x80, 70, 0]])
  }

  @Test("pass no note if the range of velocities is empty, and ignore that of notes with a map")
  func emptyRanges() throws {
    var map = MIDIValueMap()
    withUnsafeMutableBytes(of: &map) { bytes in
      for value in bytes.indices { bytes[value] = UInt8(127 - value) }
    }
    let bytes = parameters(maps: [map]) { parameters in
      parameters.lowNote = 60
      parameters.highNote = 60
      parameters.noteNumber = MIDITransform(transform: .mapValue, param: 1)
      parameters.lowVelocity = 20
      parameters.highVelocity = 10
    }
    #expect(
      try passed([[0x90, 50, 5], [0x90, 50, 15], [0x90, 50, 25], [0x80, 50, 0]], bytes) == [
        [0x80, 77, 0]
      ])
  }

  @Test("change values")
  func values() throws {
    var map = MIDIValueMap()
    withUnsafeMutableBytes(of: &map) { bytes in
      for value in bytes.indices { bytes[value] = UInt8(127 - value) }
    }
    let bytes = parameters(maps: [map]) { parameters in
      parameters.noteNumber = MIDITransform(transform: .add, param: -12)
      parameters.velocity = MIDITransform(transform: .scale, param: 8192)
      parameters.keyPressure = MIDITransform(transform: .maxValue, param: 10)
      parameters.channelPressure = MIDITransform(transform: .minValue, param: 90)
      parameters.programChange = MIDITransform(transform: .mapValue, param: 1)
      parameters.pitchBend = MIDITransform(transform: .filterOut, param: 0)
    }
    #expect(
      try passed(
        [
          [0x90, 60, 30], [0x90, 5, 100], [0xa0, 60, 20], [0xd0, 3], [0xc0, 7], [0xe0, 1, 2],
        ], bytes) == [
          [0x90, 48, 60], [0x90, 0, 127], [0xa0, 48, 10], [0xd0, 90], [0xc0, 120],
        ])
  }

  @Test("change controls")
  func controls() throws {
    func control(_ number: UInt16, _ type: MIDITransformType, _ value: Int16)
      -> MIDIControlTransform
    {
      MIDIControlTransform(
        controlType: .controlType_7Bit, remappedControlType: .controlType_7Bit,
        controlNumber: number, transform: type, param: value)
    }
    let bytes = parameters(controls: [
      control(1, .mapControl, 11), control(7, .filterOut, 0), control(10, .add, 5 << 7),
      control(13, .add, 10 << 7), control(1, .minValue, 8 << 7), control(13, .maxValue, 20 << 7),
    ])
    #expect(
      try passed(
        [
          [0xb0, 1, 9], [0xb0, 1, 7], [0xb0, 7, 9], [0xb0, 10, 125], [0xb0, 10, 1], [0xb0, 12, 9],
          [0xb0, 13, 5], [0xb0, 13, 15],
        ], bytes) == [
          [0xb0, 11, 9], [0xb0, 11, 8], [0xb0, 10, 127], [0xb0, 10, 6], [0xb0, 12, 9],
          [0xb0, 13, 15], [0xb0, 13, 20],
        ])
  }

  @Test("hold messages back until their time")
  func schedule() throws {
    let connection = try rig.setup.createThruConnection(owner: nil, parameters: parameters())
    let start = hostTime() + 20_000_000
    try rig.received([(start, [0xfa])], from: source)
    try rig.received([(0, [0xf8])], from: source)
    #expect(inbox.wait(for: 2))
    #expect(inbox.packets.allSatisfy { $0.arrival >= $0.time })
    try rig.setup.disposeThruConnection(connection)
    rig.setup.close()
  }

  @Test("are found by their owner, and return their parameters")
  func owners() throws {
    let setup = rig.setup
    let bytes = parameters()
    let connection = try setup.createThruConnection(owner: "me", parameters: bytes)
    #expect(setup.thruConnections(of: "me") == [connection])
    #expect(setup.thruConnections(of: "you").isEmpty)
    let found = try setup.thruParameters(of: connection)
    let id = try #require(setup.property("uniqueID", of: source, .integer).integer)
    #expect(found.count == 204)
    found.withUnsafeBytes { bytes in
      #expect(bytes.load(fromByteOffset: 8, as: UInt32.self) == source)
      #expect(bytes.load(fromByteOffset: 12, as: Int32.self) == Int32(id))
    }
    try setup.disposeThruConnection(connection)
    #expect(setup.thruConnections(of: "me").isEmpty)
  }

  @Test("wait for an endpoint that they know by its unique identifier")
  func later() throws {
    let bytes = parameters { parameters in
      parameters.destinations.0.endpointRef = 0
      parameters.destinations.0.uniqueID = 4711
    }
    let connection = try rig.setup.createThruConnection(owner: nil, parameters: bytes)
    try rig.received([(0, [0xf8])], from: source)
    try rig.setup.setProperty("uniqueID", of: destination, to: .integer(4711))
    try rig.received([(0, [0xfa])], from: source)
    #expect(wait { inbox.bytes.last == [0xfa] })
    #expect(inbox.bytes == [[0xfa]] || inbox.bytes == [[0xf8], [0xfa]])
    try rig.setup.disposeThruConnection(connection)
    rig.setup.close()
  }

  @Test("have no number of an end that is gone, and find its successor by its unique identifier")
  func successor() throws {
    let setup = rig.setup
    let connection = try setup.createThruConnection(owner: nil, parameters: parameters())
    let id = try #require(setup.property("uniqueID", of: destination, .integer).integer)
    func end() throws -> [Int] {
      let found = try setup.thruParameters(of: connection)
      return found.withUnsafeBytes { bytes in
        [
          Int(bytes.load(fromByteOffset: 76, as: UInt32.self)),
          Int(bytes.load(fromByteOffset: 80, as: Int32.self)),
        ]
      }
    }
    #expect(try end() == [Int(destination), id])
    try setup.disposeEndpoint(destination)
    #expect(try end() == [0, id])
    let successor = try rig.destination(inbox)
    try setup.setProperty("uniqueID", of: successor, to: .integer(id))
    #expect(try end() == [Int(successor), id])
    try rig.received([(0, [0xf8])], from: source)
    #expect(inbox.wait(for: 1))
    setup.close()
  }

  @Test("refuse parameters that are too short, or of which too much is claimed")
  func hostile() throws {
    let good = parameters()
    func isRefused(_ bytes: [UInt8]) -> Bool {
      (try? rig.setup.createThruConnection(owner: nil, parameters: bytes)) == nil
    }
    for count in 0..<204 { #expect(isRefused(Array(good.prefix(count)))) }
    #expect(isRefused(parameters { $0.numSources = 9 }))
    #expect(isRefused(parameters { $0.numDestinations = .max }))
    #expect(isRefused(parameters { $0.numControlTransforms = 1 }))
    #expect(isRefused(parameters { $0.numMaps = .max }))
    #expect(isRefused(parameters { $0.version = 1 }))
    #expect(!isRefused(good))
  }
}
