// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CCoreMIDI
import CRealTime
import MIDIMessages
import Synchronization

/// A unit that hosts a plug-in with MIDI. It receives notes and messages on any thread, also inside a
/// render.
final class HostedMIDIUnit: HostedUnit, @unchecked Sendable {
  override func receiveMIDIEvent(
    _ status: UInt32, _ data1: UInt32, _ data2: UInt32, offset: UInt32
  ) throws(AudioError) {
    guard
      let message = ShortMessage(
        UInt8(truncatingIfNeeded: status), UInt8(truncatingIfNeeded: data1),
        UInt8(truncatingIfNeeded: data2))
    else { throw .invalidParameterValue.because("\(status) is not the status of a MIDI message") }
    var bytes = (message.status, message.first, message.second)
    try withUnsafeBytes(of: &bytes) { (memory) throws(AudioError) in
      try send(memory, message.length, offset)
    }
  }

  override func receiveMIDIMessage(_ bytes: UnsafeBufferPointer<UInt8>) throws(AudioError) {
    guard bytes.count <= HostedEvent.longest else {
      throw .invalidParameterValue.because(
        "\(bytes.count) bytes; plug-ins get messages of at most \(HostedEvent.longest)")
    }
    try send(UnsafeRawBufferPointer(bytes), bytes.count, 0)
  }

  private func send(_ bytes: UnsafeRawBufferPointer, _ count: Int, _ offset: UInt32)
    throws(AudioError)
  {
    guard plugIn.acceptsMIDI else { throw .unimplemented.because("it does not accept MIDI") }
    guard isInitialized else {
      throw .uninitialized.because("initialize the unit before sending notes and MIDI")
    }
    let message = UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[..<count])
    guard runtime.shared.pointee.events.push(HostedEvent(message, at: offset)) else {
      throw .cannotDoInCurrentContext.because("too many messages wait to be rendered")
    }
  }

  /// What was sent before is dropped; what is sent from now on remains, although the next render resets.
  override func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws(AudioError) {
    let shared = runtime.shared
    shared.pointee.firstNewEvent.store(
      shared.pointee.events.appendedCount(), ordering: .releasing)
    try super.reset(scope, element)
  }

  override func canDo(_ selector: Int) -> Bool {
    super.canDo(selector)
      || plugIn.acceptsMIDI
        && [
          kMusicDeviceMIDIEventSelect, kMusicDeviceSysExSelect, kMusicDeviceStartNoteSelect,
          kMusicDeviceStopNoteSelect,
        ].contains(selector)
  }

  // MARK: Sent messages

  /// What a plug-in sends is delivered by `render`, also if a connected unit pulls.
  override var isPulledDirectly: Bool { !plugIn.sendsMIDI }

  override func render(_ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  {
    let status = super.render(call, into: data)
    if status == noErr, plugIn.sendsMIDI { deliver(at: call.time) }
    return status
  }

  /// [render thread] Passes what the plug-in has sent to the host, message by message.
  private func deliver(at time: UnsafePointer<AudioTimeStamp>) {
    let outbox = runtime.outbox
    guard outbox.pointee.count > 0, let receiver = runtime.receiver.load(),
      let function = receiver.midiOutputCallback
    else { return }
    rt_host_enter()
    defer { rt_host_leave() }
    var list = MIDIPacketList()
    list.numPackets = 1
    for index in 0..<outbox.pointee.count {
      let event = outbox.pointee[index]
      list.packet.timeStamp = MIDITimeStamp(event.pointee.frame)
      list.packet.length = UInt16(event.pointee.count)
      withUnsafeMutableBytes(of: &list.packet.data) { data in
        withUnsafeBytes(of: &event.pointee.bytes) { data.copyMemory(from: $0) }
      }
      _ = function(receiver.userData, time, 0, &list)
    }
    outbox.pointee.removeAll()
  }

  // MARK: Notes

  override func startNote(
    _ instrument: MusicDeviceInstrumentID, group: MusicDeviceGroupID,
    _ parameters: UnsafePointer<MusicDeviceNoteParams>, offset: UInt32
  ) throws(AudioError) -> NoteInstanceID {
    func seven(_ value: Float) -> UInt32 {
      value.isFinite ? UInt32(min(max(value.rounded(), 0), 127)) : 0
    }
    let note = HeldNote(channel: group & 15, key: seven(parameters.pointee.mPitch))
    // Velocity 0 would end the note.
    let velocity = max(seven(parameters.pointee.mVelocity), 1)
    try receiveMIDIEvent(0x90 | note.channel, note.key, velocity, offset: offset)
    return note.id
  }

  override func stopNote(_ note: NoteInstanceID, group: MusicDeviceGroupID, offset: UInt32)
    throws(AudioError)
  {
    guard let held = HeldNote(id: note) else {
      throw .invalidParameterValue.because("note \(note) was not started here")
    }
    try receiveMIDIEvent(0x80 | held.channel, held.key, 64, offset: offset)
  }

  override var properties: [UnitProperty] {
    (plugIn.acceptsMIDI ? Self.instrumentProperties : [])
      + (plugIn.sendsMIDI ? Self.outputProperties : []) + super.properties
  }

  private static let outputProperties = PropertyRow<HostedMIDIUnit>.rows([
    .object(
      kAudioUnitProperty_MIDIOutputCallbackInfo, in: [kAudioUnitScope_Global], type: "CFArray",
      get: { (unit, _) throws(AudioError) in .list(.array([.string(unit.plugIn.name)])) }),
    .value(
      kAudioUnitProperty_MIDIOutputCallback, in: [kAudioUnitScope_Global],
      AUMIDIOutputCallbackStruct.self,
      set: { unit, _, receiver in unit.runtime.receiver.store(receiver) }),
  ])

  /// The plug-in itself is its only instrument.
  private static let instrumentProperties = PropertyRow<HostedMIDIUnit>.rows([
    .value(
      kMusicDeviceProperty_InstrumentCount, in: [kAudioUnitScope_Global],
      reading: { _ in 0 as UInt32 }),
    .value(
      kMusicDeviceProperty_SupportsStartStopNote, in: [kAudioUnitScope_Global],
      reading: { _ in 1 as UInt32 }),
  ])
}

/// A note that was started: its identifier says which one it is.
private struct HeldNote {
  let channel: UInt32
  let key: UInt32

  init(channel: UInt32, key: UInt32) {
    self.channel = channel
    self.key = key
  }

  private static let mark: UInt32 = 0x4e00_0000

  init?(id: NoteInstanceID) {
    guard id & 0xffff_f080 == Self.mark else { return nil }
    self.init(channel: id >> 8 & 15, key: id & 127)
  }

  var id: NoteInstanceID { Self.mark | channel << 8 | key }
}
