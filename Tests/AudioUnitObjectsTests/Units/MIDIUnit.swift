// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

/// A unit of a program that keeps the MIDI messages that it gets, and sends messages in the next
/// render.
final class MIDIUnit: AUAudioUnit {
  /// A message, or the messages of an event list.
  struct Received: Equatable {
    var time: Int64
    var cable: UInt8 = 0
    /// 0 for bytes.
    var protocolNumber: Int32 = 0
    var bytes: [UInt8] = []
    var words: [UInt32] = []
  }

  /// What the render thread uses.
  final class State: @unchecked Sendable {
    var received: [Received] = []
    /// The messages of the next render: so many frames after its start.
    var bytes: [(frame: Int64, bytes: [UInt8])] = []
    var lists: [(frame: Int64, protocolID: MIDIProtocolID, words: [UInt32])] = []
  }

  let state = State()
  /// The protocol that it wants; nil for bytes.
  var wanted: MIDIProtocolID?
  var profiles: [MIDICIProfile] = []
  private var enabled: [MIDICIProfile] = []
  private var outputs: AUAudioUnitBusArray?

  override init(
    componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions
  ) throws {
    try super.init(componentDescription: componentDescription, options: options)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
  }

  override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }
  override var midiOutputNames: [String] { ["Notes", "Controllers"] }
  override var audioUnitMIDIProtocol: MIDIProtocolID { wanted ?? super.audioUnitMIDIProtocol }

  override func profileState(
    forCable cable: UInt8, channel: MIDIChannelNumber
  ) -> MIDICIProfileState {
    MIDICIProfileState(
      channel: channel, enabledProfiles: enabled,
      disabledProfiles: profiles.filter { !enabled.contains($0) })
  }

  override func enable(
    _ profile: MIDICIProfile, cable: UInt8, onChannel channel: MIDIChannelNumber
  ) throws {
    enabled.append(profile)
    profileChangedBlock?(cable, channel, profile, true)
  }

  override var internalRenderBlock: AUInternalRenderBlock {
    let (bytesBlock, listBlock) = (midiOutputEventBlock, midiOutputEventListBlock)
    return { [state] _, time, frames, _, output, events, _ in
      for buffer in UnsafeMutableAudioBufferListPointer(output) {
        buffer.mData?.assumingMemoryBound(to: Float.self)
          .update(repeating: 0, count: Int(frames))
      }
      var event = events
      while let next = event {
        state.received.append(Received(next))
        event = UnsafePointer(next.pointee.head.next)
      }
      let start = Int64(time.pointee.mSampleTime)
      for (frame, bytes) in state.bytes {
        _ = bytesBlock?(start + frame, 1, bytes.count, bytes)
      }
      for (frame, protocolID, words) in state.lists {
        eventList(protocolID, [(0, words)]) { _ = listBlock?(start + frame, 1, $0) }
      }
      (state.bytes, state.lists) = ([], [])
      return noErr
    }
  }
}

extension MIDIUnit.Received {
  /// The message of an event.
  fileprivate init(_ event: UnsafePointer<AURenderEvent>) {
    self.init(time: event.pointee.head.eventSampleTime)
    let memory = UnsafeRawPointer(event)
    guard event.pointee.head.eventType == .midiEventList else {
      cable = event.pointee.MIDI.cable
      bytes = (0..<Int(event.pointee.MIDI.length)).map {
        memory.load(fromByteOffset: 21 + $0, as: UInt8.self)
      }
      return
    }
    cable = memory.load(fromByteOffset: 18, as: UInt8.self)
    let list = (memory + 20).assumingMemoryBound(to: MIDIEventList.self)
    protocolNumber = list.pointee.protocol.rawValue
    for packet in list.unsafeSequence() { words += Array(packet.sequence()) }
  }
}

/// Calls `body` with an event list of packets.
func eventList(
  _ protocolID: MIDIProtocolID, _ packets: [(time: MIDITimeStamp, words: [UInt32])],
  _ body: (UnsafePointer<MIDIEventList>) -> Void
) {
  let size = 65_536
  let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
  defer { memory.deallocate() }
  let list = memory.bindMemory(to: MIDIEventList.self, capacity: 1)
  var packet = MIDIEventListInit(list, protocolID)
  for (time, words) in packets {
    guard let next = MIDIEventListAdd(list, size, packet, time, words.count, words) else {
      Issue.record("the list is full")
      return
    }
    packet = next
  }
  body(list)
}
