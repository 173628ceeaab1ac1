// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CoreMIDI
import Foundation
import Synchronization
import Testing

@Suite("Endpoints of Universal MIDI Packets")
struct UniversalEndpointTests {
  init() { #expect(FirstClient.ref != 0) }

  /// The words that arrive.
  private final class Words: Sendable {
    private let words = Mutex<[UInt32]>([])

    var all: [UInt32] { words.withLock { $0 } }

    func add(_ list: UnsafePointer<MIDIEventList>) {
      words.withLock { words in
        for packet in list.unsafeSequence() { words += Array(packet.words()) }
      }
    }
  }

  private func block(
    _ first: UInt8 = 0, _ count: UInt8 = 1,
    _ direction: MIDIUMPFunctionBlockDirection = .bidirectional, isEnabled: Bool = true
  ) -> MIDIUMPMutableFunctionBlock? {
    MIDIUMPMutableFunctionBlock(
      name: "block", direction: direction, firstGroup: first, totalGroupsSpanned: count,
      maxSysEx8Streams: 0, midi1Info: .notMIDI1, uiHint: .senderReceiver, isEnabled: isEnabled)
  }

  private func endpoint(
    _ protocolID: MIDIProtocolID = ._2_0, name: String = "universal", _ words: Words = Words()
  ) throws -> MIDIUMPMutableEndpoint {
    let info = MIDI2DeviceInfo(
      manufacturerID: MIDI2DeviceManufacturer(sysExIDByte: (0x7d, 0, 0)), family: 0xffff,
      modelNumber: 3, revisionLevel: MIDI2DeviceRevisionLevel(revisionLevel: (1, 2, 3, 4)))
    let made = MIDIUMPMutableEndpoint(
      name: name, deviceInfo: info, productInstanceID: "7", midiProtocol: protocolID,
      destinationCallback: { list, _ in words.add(list) })
    return try #require(made)
  }

  private func number(_ ref: MIDIObjectRef, _ property: CFString) -> Int32? {
    var value: Int32 = 0
    return MIDIObjectGetIntegerProperty(ref, property, &value) == noErr ? value : nil
  }

  @Test("blocks have from one to sixteen groups, all of which exist")
  func groups() throws {
    for (first, count) in [(0, 1), (15, 1), (0, 16), (8, 8)] as [(UInt8, UInt8)] {
      let made = try #require(block(first, count))
      #expect(made.firstGroup == first && made.totalGroupsSpanned == count)
    }
    for (first, count) in [(0, 0), (16, 1), (0, 17), (8, 9), (255, 255)] as [(UInt8, UInt8)] {
      #expect(block(first, count) == nil)
    }
    let made = try #require(block(4, 2))
    #expect(throws: NSError.self) {
      try made.reconfigure(
        firstGroup: 15, direction: .input, midi1Info: .notMIDI1, uiHint: .receiver)
    }
    #expect(made.firstGroup == 4 && made.direction == .bidirectional)
    try made.reconfigure(
      firstGroup: 14, direction: .input, midi1Info: .restrictedBandwidth, uiHint: .receiver)
    #expect(made.firstGroup == 14 && made.direction == .input && made.uiHint == .receiver)
    #expect(made.midi1Info == .restrictedBandwidth && made.umpEndpoint == nil)
  }

  @Test("an endpoint has what it was made with, and is not shown at first")
  func values() throws {
    let endpoint = try endpoint()
    #expect(endpoint.name == "universal" && endpoint.productInstanceID == "7")
    #expect(endpoint.deviceInfo.family == 0x3fff && endpoint.deviceInfo.modelNumber == 3)
    #expect(endpoint.deviceInfo.manufacturerID.sysExIDByte == (0x7d, 0, 0))
    #expect(endpoint.deviceInfo.revisionLevel.revisionLevel == (1, 2, 3, 4))
    #expect(endpoint.midiProtocol == ._2_0 && endpoint.supportedMIDIProtocols == [.MIDI1, .MIDI2])
    #expect(endpoint.midiSource == 0 && endpoint.midiDestination == 0 && !endpoint.isEnabled)
    #expect(endpoint.functionBlocks.isEmpty && endpoint.endpointType == .virtual)
    #expect(!MIDIUMPEndpointManager.shared.umpEndpoints.contains(endpoint))
  }

  @Test("blocks belong to one endpoint, are replaced while it is not enabled, and static ones stay")
  func registration() throws {
    let (one, other) = (try endpoint(), try endpoint(name: "other"))
    let blocks = try (0..<33 as Range<UInt8>).map { try #require(block($0 % 16)) }
    #expect(throws: NSError.self) { try one.registerFunctionBlocks(blocks, markAsStatic: false) }
    #expect(one.functionBlocks.isEmpty && blocks[0].umpEndpoint == nil)
    try one.registerFunctionBlocks(Array(blocks[0..<2]), markAsStatic: false)
    #expect(one.functionBlocks.map(\.functionBlockID) == [0, 1])
    #expect(blocks[1].umpEndpoint === one)
    for refused in [[blocks[1]], [blocks[3], blocks[3]]] {
      #expect(throws: NSError.self) {
        try other.registerFunctionBlocks(refused, markAsStatic: false)
      }
    }
    try one.registerFunctionBlocks([blocks[2], blocks[1]], markAsStatic: false)
    #expect(blocks[0].umpEndpoint == nil && blocks[1].functionBlockID == 1)
    try one.setEnabled(true)
    #expect(throws: NSError.self) { try one.registerFunctionBlocks([], markAsStatic: false) }
    try one.setEnabled(false)
    let off = try #require(block(isEnabled: false))
    #expect(throws: NSError.self) { try other.registerFunctionBlocks([off], markAsStatic: true) }
    try other.registerFunctionBlocks([blocks[3]], markAsStatic: true)
    #expect(other.hasStaticFunctionBlocks)
    #expect(throws: NSError.self) { try blocks[3].setName("new") }
    #expect(throws: NSError.self) { try blocks[3].setEnabled(false) }
    #expect(throws: NSError.self) { try other.registerFunctionBlocks([], markAsStatic: false) }
    #expect(blocks[3].name == "block" && blocks[3].isEnabled)
  }

  @Test("an enabled endpoint receives in its protocol, and sends")
  func messages() throws {
    let (received, sent) = (Words(), Words())
    let endpoint = try endpoint(._2_0, received)
    try endpoint.setEnabled(true)
    #expect(endpoint.isEnabled)
    #expect(MIDIUMPEndpointManager.shared.umpEndpoints.contains(endpoint))
    #expect(string(endpoint.midiSource, kMIDIPropertyName) == "universal")
    var (output, input) = (MIDIPortRef(), MIDIPortRef())
    #expect(MIDIOutputPortCreate(FirstClient.ref, "out" as CFString, &output) == noErr)
    #expect(
      MIDIInputPortCreateWithProtocol(FirstClient.ref, "in" as CFString, ._2_0, &input) { list, _ in
        sent.add(list)
      } == noErr)
    defer {
      MIDIPortDispose(output)
      MIDIPortDispose(input)
    }
    func list(_ protocolID: MIDIProtocolID, _ words: [UInt32]) -> MIDIEventList {
      var list = MIDIEventList()
      let packet = MIDIEventListInit(&list, protocolID)
      _ = MIDIEventListAdd(
        &list, MemoryLayout<MIDIEventList>.size, packet, 0, words.count, words)
      return list
    }
    var note = list(._1_0, [0x2090_3c7f])
    #expect(MIDISendEventList(output, endpoint.midiDestination, &note) == noErr)
    #expect(wait { received.all == [0x4090_3c00, 0xffff_0000] })
    #expect(MIDIPortConnectSource(input, endpoint.midiSource, nil) == noErr)
    var reply = list(._2_0, [0x4090_4000, 0x8000_0000])
    #expect(MIDIReceivedEventList(endpoint.midiSource, &reply) == noErr)
    #expect(wait { sent.all == [0x4090_4000, 0x8000_0000] })
    let (source, destination) = (endpoint.midiSource, endpoint.midiDestination)
    try endpoint.setEnabled(false)
    #expect(endpoint.midiSource == 0)
    #expect(MIDISendEventList(output, destination, &note) == kMIDIUnknownEndpoint)
    #expect(MIDIReceivedEventList(source, &reply) == kMIDIUnknownEndpoint)
    #expect(!MIDIUMPEndpointManager.shared.umpEndpoints.contains(endpoint))
  }

  @Test("source and destination show the groups of the blocks that are enabled")
  func activeGroups() throws {
    let endpoint = try endpoint()
    let (both, input) = (try #require(block(0, 2)), try #require(block(4, 1, .input)))
    let output = try #require(block(15, 1, .output, isEnabled: false))
    try endpoint.registerFunctionBlocks([both, input, output], markAsStatic: false)
    try endpoint.setEnabled(true)
    defer { try? endpoint.setEnabled(false) }
    func bits() -> [Int32?] {
      [endpoint.midiSource, endpoint.midiDestination].map {
        number($0, kMIDIPropertyUMPActiveGroupBitmap)
      }
    }
    #expect(bits() == [0x3, 0x13])
    try output.setEnabled(true)
    #expect(bits() == [0x8003, 0x13])
    try both.reconfigure(
      firstGroup: 8, direction: .output, midi1Info: .notMIDI1, uiHint: .sender)
    #expect(bits() == [0x8300, 0x10])
  }

  @Test("programs are notified of endpoints and blocks")
  func notifications() throws {
    let endpoint = try endpoint()
    let changed = try #require(block())
    try endpoint.registerFunctionBlocks([changed], markAsStatic: false)
    let names = Mutex<[Notification.Name]>([])
    let kinds: [Notification.Name] = [
      .MIDIUMPEndpointWasAdded, .MIDIUMPEndpointWasRemoved, .MIDIUMPEndpointWasUpdated,
      .MIDIUMPFunctionBlockWasUpdated,
    ]
    let tokens = kinds.map { kind in
      NotificationCenter.default.addObserver(
        forName: kind, object: MIDIUMPEndpointManager.shared, queue: nil
      ) { notification in
        guard notification.userInfo?[MIDIUMPEndpointObjectKey] as? MIDIUMPEndpoint === endpoint
        else {
          return
        }
        let block = notification.userInfo?[MIDIUMPFunctionBlockObjectKey] as? MIDIUMPFunctionBlock
        let isRight = (block === changed) == (kind == .MIDIUMPFunctionBlockWasUpdated)
        if isRight { names.withLock { $0.append(kind) } }
      }
    }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    try changed.setName("before")
    try endpoint.setEnabled(true)
    try endpoint.setEnabled(true)
    try endpoint.setName("renamed")
    #expect(string(endpoint.midiDestination, kMIDIPropertyName) == "renamed")
    try changed.setName("after")
    try endpoint.setEnabled(false)
    #expect(
      names.withLock { $0 } == [
        .MIDIUMPEndpointWasAdded, .MIDIUMPEndpointWasUpdated, .MIDIUMPFunctionBlockWasUpdated,
        .MIDIUMPEndpointWasRemoved,
      ])
  }

  @Test("an endpoint ends with the last reference to it")
  func end() throws {
    var destination: MIDIEndpointRef = 0
    do {
      let endpoint = try endpoint(name: "short")
      try endpoint.setEnabled(true)
      destination = endpoint.midiDestination
      #expect(string(destination, kMIDIPropertyName) == "short")
    }
    #expect(number(destination, kMIDIPropertyUMPActiveGroupBitmap) == nil)
    #expect(!MIDIUMPEndpointManager.shared.umpEndpoints.contains { $0.name == "short" })
  }
}
