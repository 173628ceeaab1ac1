// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import Synchronization

/// An instrument unit that receives notes and MIDI on any thread, also inside a render.
class MIDIInstrumentUnit: InstrumentUnit, @unchecked Sendable {
  override func receiveMIDIEvent(
    _ status: UInt32, _ data1: UInt32, _ data2: UInt32, offset: UInt32
  ) throws(AudioError) {
    guard (0x80...0xff).contains(status) else {
      throw .invalidArgument.because("status \(status); expected 128 to 255")
    }
    guard data1 < 128, data2 < 128 else {
      throw .invalidArgument.because("data \(data1) and \(data2); expected 0 to 127")
    }
    try checkReady()
    let channel = UInt8(clamping: status & 15)
    let (first, second) = (UInt8(clamping: data1), UInt8(clamping: data2))
    func event(_ kind: NoteEvent.Kind) -> NoteEvent {
      NoteEvent(kind, channel: channel, first, second, at: offset)
    }
    switch status >> 4 {
    case 0x9 where second > 0:
      var on = event(.noteOn)
      on.note = player.nextNote()
      try push(on)
    case 0x8, 0x9: try push(event(.noteOff))
    case 0xA: try push(event(.keyPressure))
    case 0xB where first == 0: select(bank: second, shift: 16, channel)
    case 0xB where first == 32: select(bank: second, shift: 8, channel)
    case 0xB: try push(event(.controller))
    case 0xC: try select(program: first, channel, offset)
    case 0xD: try push(event(.pressure))
    case 0xE: try push(event(.bend))
    default:
      guard status >= 0xf8 else {
        throw .invalidArgument.because(
          "status \(status) is not a channel event; use MusicDeviceSysEx for messages")
      }
      // Other real-time messages are for sequencers.
      if status == 0xff { try resetSystem(offset) }
    }
  }

  private func checkReady() throws(AudioError) {
    guard isInitialized else {
      throw .uninitialized.because("initialize the unit before sending notes and MIDI")
    }
  }

  private func push(_ event: NoteEvent) throws(AudioError) {
    guard player.memory.pointee.events.push(event) else {
      throw .cannotDoInCurrentContext.because(
        "\(EventList.capacity) events are already waiting for the next render")
    }
  }

  // MARK: Programs

  private func select(bank: UInt8, shift: UInt32, _ channel: UInt8) {
    let word = player.memory.pointee.programs + Int(channel)
    let old = word.pointee.load(ordering: .relaxed)
    word.pointee.store(old & ~(0xff << shift) | UInt32(bank) << shift, ordering: .relaxed)
  }

  private func select(program: UInt8, _ channel: UInt8, _ offset: UInt32) throws(AudioError) {
    guard acceptsProgramChanges else { return }
    let word = player.memory.pointee.programs + Int(channel)
    let new = word.pointee.load(ordering: .relaxed) & ~0xff | UInt32(program)
    guard try willSelect(new, on: Int(channel)) else { return }
    word.pointee.store(new, ordering: .relaxed)
    var event = NoteEvent(.program, channel: channel, at: offset)
    event.instrument = new
    try push(event)
  }

  private func resetSystem(_ offset: UInt32) throws(AudioError) {
    for channel in 0..<SynthRack.channelCount {
      player.memory.pointee.programs[channel].store(0, ordering: .relaxed)
    }
    try push(NoteEvent(.reset, at: offset))
  }

  // MARK: Messages

  override func receiveMIDIMessage(_ bytes: UnsafeBufferPointer<UInt8>) throws(AudioError) {
    guard bytes.count >= 3, bytes.first == 0xf0, bytes.last == 0xf7 else {
      throw .invalidArgument.because("a message begins with 0xF0 and ends with 0xF7")
    }
    for index in 1..<bytes.count - 1 where bytes[index] > 127 {
      throw .invalidArgument.because("byte \(index) is \(bytes[index]); expected 0 to 127")
    }
    try checkReady()
    if bytes.count == 6, bytes[1] == 0x7e, bytes[3] == 0x09 { return try resetSystem(0) }
    if Self.matches(bytes, Self.gsReset) || Self.matches(bytes, Self.xgReset) {
      return try resetSystem(0)
    }
    guard bytes.count == 8, bytes[1] == 0x7f, bytes[3] == 0x04 else { return }
    let value = Float(Int(bytes[6]) << 7 | Int(bytes[5]))
    switch bytes[4] {
    case 1:
      var event = NoteEvent(.masterVolume, at: 0)
      event.value = (value / 16_383) * (value / 16_383)
      try push(event)
    case 3:
      var event = NoteEvent(.masterTuning, at: 0)
      event.value = (value - 8192) / 8192 * 100
      try push(event)
    case 4:
      var event = NoteEvent(.masterTuning, 1, at: 0)
      event.value = Float(Int(bytes[6]) - 64) * 100
      try push(event)
    default: break
    }
  }

  /// The reset messages of GS and XG. 0xFF stands for any device number.
  private static let gsReset: [UInt8] = [
    0xf0, 0x41, 0xff, 0x42, 0x12, 0x40, 0x00, 0x7f, 0x00, 0x41, 0xf7,
  ]
  private static let xgReset: [UInt8] = [0xf0, 0x43, 0xff, 0x4c, 0x00, 0x00, 0x7e, 0x00, 0xf7]

  private static func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ message: [UInt8]) -> Bool {
    guard bytes.count == message.count else { return false }
    for index in message.indices where message[index] != 0xff && message[index] != bytes[index] {
      return false
    }
    return true
  }

  // MARK: Notes

  override func startNote(
    _ instrument: MusicDeviceInstrumentID, group: MusicDeviceGroupID,
    _ parameters: UnsafePointer<MusicDeviceNoteParams>, offset: UInt32
  ) throws(AudioError) -> NoteInstanceID {
    try checkGroup(group)
    let (count, pitch) = (parameters.pointee.argCount, parameters.pointee.mPitch)
    let velocity = parameters.pointee.mVelocity
    guard count == 2 else {
      throw .invalidArgument.because(
        "\(count) arguments; expected 2: notes have no controls")
    }
    guard pitch >= 0, pitch < 127.5, velocity >= 0, velocity <= 127 else {
      throw .invalidArgument.because(
        "pitch \(pitch) and velocity \(velocity); expected 0 to 127")
    }
    try checkReady()
    let key = pitch.rounded()
    var event = NoteEvent(
      .noteOn, channel: UInt8(clamping: group), UInt8(key), max(1, UInt8(velocity.rounded())),
      at: offset)
    event.note = player.nextNote()
    event.value = pitch - key
    if instrument != kMusicNoteEvent_UseGroupInstrument {
      event.instrument =
        instrument & 0x8000_0000 != 0
        ? 120 << 16 | instrument & 0x7f
        : instrument & 0x7f_0000 | instrument & 0x7f00 | instrument & 0x7f
    }
    try push(event)
    return event.note
  }

  override func stopNote(_ note: NoteInstanceID, group: MusicDeviceGroupID, offset: UInt32)
    throws(AudioError)
  {
    try checkGroup(group)
    try checkReady()
    var event = NoteEvent(.stop, channel: UInt8(clamping: group), at: offset)
    event.note = note
    try push(event)
  }

  private func checkGroup(_ group: MusicDeviceGroupID) throws(AudioError) {
    guard group < MusicDeviceGroupID(clamping: SynthRack.channelCount) else {
      throw .invalidElement.because("group \(group); groups are MIDI channels, 0 to 15")
    }
  }

  override func canDo(_ selector: Int) -> Bool {
    super.canDo(selector)
      || (kMusicDeviceMIDIEventSelect...kMusicDeviceStopNoteSelect).contains(selector)
  }
}
