// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CoreMIDI
import Synchronization
import Testing

@Suite("The functions of CoreMIDI")
struct FunctionTests {
  init() { #expect(FirstClient.ref != 0) }

  @Test("show a device with an entity, a source and a destination, and join their names")
  func objects() {
    #expect(MIDIGetNumberOfDevices() >= 1)
    let device = MIDIGetDevice(0)
    #expect(MIDIDeviceGetNumberOfEntities(device) >= 1)
    let entity = MIDIDeviceGetEntity(device, 0)
    let source = MIDIEntityGetSource(entity, 0)
    #expect(MIDIEntityGetNumberOfSources(entity) == 1)
    #expect(MIDIEntityGetNumberOfDestinations(entity) == 1)
    #expect(MIDIEntityGetDestination(entity, 0) == MIDIGetDestination(0))
    #expect(source == MIDIGetSource(0))
    var found = MIDIObjectRef()
    #expect(MIDIEntityGetDevice(entity, &found) == noErr)
    #expect(found == device)
    #expect(MIDIEndpointGetEntity(source, &found) == noErr)
    #expect(found == entity)
    #expect(string(device, kMIDIPropertyName) == "Bus")
    #expect(string(source, kMIDIPropertyDisplayName) == "Bus Port 1")
    var offline: Int32 = 7
    #expect(MIDIObjectGetIntegerProperty(source, kMIDIPropertyOffline, &offline) == noErr)
    #expect(offline == 0)
    for index in [-1, 1_000_000, Int.max, Int.min] {
      #expect(MIDIGetDevice(index) == 0 && MIDIGetSource(index) == 0)
      #expect(MIDIGetDestination(index) == 0 && MIDIGetExternalDevice(index) == 0)
    }
  }

  @Test("send to a virtual destination with a function, with its context")
  func readProc() throws {
    let client = TestClient()
    let received = Collected<[UInt8]>()
    var destination = MIDIEndpointRef()
    let status = MIDIDestinationCreate(
      client.ref, "with a function" as CFString,
      { list, context, connection in
        guard let context, connection == nil else { return }
        let received = Unmanaged<Collected<[UInt8]>>.fromOpaque(context).takeUnretainedValue()
        for packet in list.unsafeSequence() { received.append(Array(packet.bytes())) }
      }, Unmanaged.passUnretained(received).toOpaque(), &destination)
    #expect(status == noErr)
    #expect(client.send([0x90, 60, 100], to: destination) == noErr)
    #expect(received.wait(for: 1))
    #expect(received.all == [[0x90, 60, 100]])
    MIDIEndpointDispose(destination)
    #expect(client.send([0xf8], to: destination) == kMIDIUnknownEndpoint)
  }

  @Test("receive events of MIDI 2.0 from a source of MIDI 1.0")
  func protocols() throws {
    let client = TestClient()
    let received = Collected<[UInt32]>()
    var (source, port) = (MIDIEndpointRef(), MIDIPortRef())
    MIDISourceCreateWithProtocol(client.ref, "events" as CFString, ._1_0, &source)
    let status = MIDIInputPortCreateWithProtocol(client.ref, "in" as CFString, ._2_0, &port) {
      list, connection in
      guard connection == UnsafeMutableRawPointer(bitPattern: 42) else { return }
      for packet in list.unsafeSequence() { received.append(Array(packet.words())) }
    }
    #expect(status == noErr)
    #expect(MIDIPortConnectSource(port, source, UnsafeMutableRawPointer(bitPattern: 42)) == noErr)
    let builder = MIDIEventList.Builder(inProtocol: ._1_0, wordSize: 4)
    builder.append(timestamp: 0, words: MIDI1UPNoteOn(0, 0, 60, 127))
    #expect(builder.withUnsafePointer { MIDIReceivedEventList(source, $0) } == noErr)
    #expect(received.wait(for: 1))
    let expected = MIDI2NoteOn(0, 0, 60, 0, 0, 0xffff)
    #expect(received.all == [[expected.word0, expected.word1]])
    var protocolID: Int32 = 0
    MIDIObjectGetIntegerProperty(source, kMIDIPropertyProtocolID, &protocolID)
    #expect(protocolID == MIDIProtocolID._1_0.rawValue)
    let unknown = try #require(MIDIProtocolID(rawValue: 3))
    var other = MIDIEndpointRef()
    #expect(MIDISourceCreateWithProtocol(client.ref, "3" as CFString, unknown, &other) != noErr)
    #expect(other == 0)
  }

  @Test("notify a function on the run loop of the first client")
  func runLoop() async {
    // In a process of its own, in which no other test has created the first client.
    await #expect(processExitsWith: .success) { Self.createAndRemove() }
  }

  private static func createAndRemove() {
    #expect(FirstClient.ref != 0)
    let received = Collected<String>()
    var (client, source) = (MIDIClientRef(), MIDIEndpointRef())
    MIDIClientCreate(
      "run loop" as CFString,
      { message, context in
        guard let context, message.pointee.messageID == .msgObjectRemoved else { return }
        message.withMemoryRebound(to: MIDIObjectAddRemoveNotification.self, capacity: 1) {
          Unmanaged<Collected<String>>.fromOpaque(context).takeUnretainedValue()
            .append("\($0.pointee.child) \(FirstClient.isOnThread)")
        }
      }, Unmanaged.passUnretained(received).toOpaque(), &client)
    MIDISourceCreate(client, "run loop" as CFString, &source)
    MIDIEndpointDispose(source)
    #expect(wait { received.all.contains("\(source) true") })
    MIDIClientDispose(client)
  }

  @Test("notify a closure on a thread of the library, in the order of the changes")
  func notifications() {
    let received = Collected<MIDINotificationMessageID>()
    let names = Collected<String>()
    var client = MIDIClientRef()
    let status = MIDIClientCreateWithBlock("notified" as CFString, &client) { message in
      received.append(message.pointee.messageID)
      guard message.pointee.messageID == .msgPropertyChanged else { return }
      message.withMemoryRebound(to: MIDIObjectPropertyChangeNotification.self, capacity: 1) {
        names.append(String(describing: $0.pointee.propertyName.takeUnretainedValue()))
      }
    }
    #expect(status == noErr)
    var source = MIDIEndpointRef()
    MIDISourceCreate(client, "notified" as CFString, &source)
    #expect(received.wait(for: 3))
    #expect(received.all.contains(.msgObjectAdded) && received.all.contains(.msgSetupChanged))
    #expect(names.all.contains("name"))
    MIDIClientDispose(client)
  }

  @Test("keep text, data and dictionaries as properties")
  func properties() throws {
    let client = TestClient()
    var source = MIDIEndpointRef()
    MIDISourceCreate(client.ref, "properties" as CFString, &source)
    let name = "Klavier \u{1f3b9}"
    #expect(MIDIObjectSetStringProperty(source, kMIDIPropertyName, name as CFString) == noErr)
    #expect(string(source, kMIDIPropertyName) == name)
    #expect(
      MIDIObjectSetDataProperty(
        source, kMIDIPropertyConnectionUniqueID, NSData(data: Data([0, 0, 0, 9]))) == noErr)
    var data: Unmanaged<CFData>?
    #expect(MIDIObjectGetDataProperty(source, kMIDIPropertyConnectionUniqueID, &data) == noErr)
    #expect(data?.takeRetainedValue().count == 4)
    let names = NSDictionary(dictionary: ["a": "b"])
    #expect(
      MIDIObjectSetDictionaryProperty(source, kMIDIPropertyNameConfiguration, names) == noErr)
    var dictionary: Unmanaged<CFDictionary>?
    #expect(
      MIDIObjectGetDictionaryProperty(source, kMIDIPropertyNameConfiguration, &dictionary) == noErr)
    #expect(dictionary?.takeRetainedValue()["a"] as? String == "b")
    var all: Unmanaged<CFPropertyList>?
    #expect(MIDIObjectGetProperties(source, &all, true) == noErr)
    #expect((all?.takeRetainedValue() as? NSDictionary)?["name"] as? String == name)
    var number: Int32 = 0
    #expect(
      MIDIObjectGetIntegerProperty(source, kMIDIPropertyName, &number) == kMIDIWrongPropertyType)
    #expect(MIDIObjectRemoveProperty(source, kMIDIPropertyNameConfiguration) == noErr)
    #expect(
      MIDIObjectGetDictionaryProperty(source, kMIDIPropertyNameConfiguration, &dictionary)
        == kMIDIUnknownProperty)
    var id: Int32 = 0
    #expect(MIDIObjectGetIntegerProperty(source, kMIDIPropertyUniqueID, &id) == noErr)
    var (object, type) = (MIDIObjectRef(), MIDIObjectType.other)
    #expect(MIDIObjectFindByUniqueID(id, &object, &type) == noErr)
    #expect(object == source && type == .source)
  }

  @Test("explain why they fail")
  func explanations() {
    #expect(MIDIClientDispose(0) == kMIDIInvalidClient)
    let reason =
      AUDiagnosticsCopyLastExplanation()
      .map { String(describing: $0.takeRetainedValue()) } ?? ""
    #expect(reason.contains("kMIDIInvalidClient") && reason.contains("0 is not"))
  }

  @Test("harm nobody when a client's parts are disposed of after it")
  func disposal() {
    var (client, port, endpoint) = (MIDIClientRef(), MIDIPortRef(), MIDIEndpointRef())
    MIDIClientCreate("disposed" as CFString, nil, nil, &client)
    MIDIOutputPortCreate(client, "p" as CFString, &port)
    MIDISourceCreate(client, "s" as CFString, &endpoint)
    #expect(MIDIClientDispose(client) == noErr)
    #expect(MIDIPortDispose(port) == kMIDIInvalidPort)
    #expect(MIDIEndpointDispose(endpoint) == kMIDIUnknownEndpoint)
    #expect(MIDIClientDispose(client) == kMIDIInvalidClient)
  }

  @Test("send a system exclusive request, and call its function at the end")
  func systemExclusive() {
    let client = TestClient()
    let received = Collected<[UInt8]>()
    var destination = MIDIEndpointRef()
    MIDIDestinationCreateWithBlock(client.ref, "sysex" as CFString, &destination) { list, _ in
      for packet in list.unsafeSequence() { received.append(Array(packet.bytes())) }
    }
    let message = [0xf0] + [UInt8](repeating: 5, count: 10_000) + [0xf7]
    let isDone = Collected<Bool>()
    message.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      let request = UnsafeMutablePointer<MIDISysexSendRequest>.allocate(capacity: 1)
      request.initialize(
        to: MIDISysexSendRequest(
          destination: destination, data: start, bytesToSend: UInt32(bytes.count),
          complete: false, reserved: (0, 0, 0),
          completionProc: { request in
            guard let context = request.pointee.completionRefCon else { return }
            Unmanaged<Collected<Bool>>.fromOpaque(context).takeUnretainedValue()
              .append(request.pointee.complete)
          }, completionRefCon: Unmanaged.passUnretained(isDone).toOpaque()))
      #expect(MIDISendSysex(request) == noErr)
      #expect(isDone.wait(for: 1))
      request.deallocate()
    }
    #expect(isDone.all == [true])
    #expect(received.all.flatMap(\.self) == message)
    #expect(received.all.count > 1)
  }

  @Test("connect endpoints by thru connections, which their owner finds")
  func thru() throws {
    let client = TestClient()
    let received = Collected<[UInt8]>()
    var (source, destination) = (MIDIEndpointRef(), MIDIEndpointRef())
    MIDISourceCreate(client.ref, "thru source" as CFString, &source)
    MIDIDestinationCreateWithBlock(client.ref, "thru" as CFString, &destination) { list, _ in
      for packet in list.unsafeSequence() { received.append(Array(packet.bytes())) }
    }
    var parameters = MIDIThruConnectionParams()
    MIDIThruConnectionParamsInitialize(&parameters)
    #expect(MIDIThruConnectionParamsSize(&parameters) == 204)
    parameters.numSources = 1
    parameters.sources.0.endpointRef = source
    parameters.numDestinations = 1
    parameters.destinations.0.endpointRef = destination
    let data = withUnsafeBytes(of: parameters) { NSData(data: Data($0)) }
    var connection = MIDIThruConnectionRef()
    let owner = "tests.\(source)" as CFString
    #expect(MIDIThruConnectionCreate(owner, data, &connection) == noErr)
    var list = Unmanaged.passRetained(NSData())
    #expect(MIDIThruConnectionFind(owner, &list) == noErr)
    #expect(list.takeRetainedValue().count == 4)
    let builder = MIDIPacketList.Builder(byteSize: 64)
    builder.append(timestamp: 0, data: 0x90, 60, 100)
    builder.withUnsafePointer { _ = MIDIReceived(source, $0) }
    #expect(received.wait(for: 1))
    #expect(MIDIThruConnectionDispose(connection) == noErr)
    #expect(MIDIThruConnectionDispose(connection) == kMIDIObjectNotFound)
    #expect(MIDIThruConnectionFind("nobody" as CFString, &list) == noErr)
    #expect(list.takeRetainedValue().count == 0)
  }
}
