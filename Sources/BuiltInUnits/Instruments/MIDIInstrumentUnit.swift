// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import MIDIMessages
import Synchronization

/// An instrument unit that receives notes and MIDI on any thread, also inside a render.
class MIDIInstrumentUnit: InstrumentUnit, @unchecked Sendable {
  override func receiveMIDIEvent(
    _ status: UInt32, _ data1: UInt32, _ data2: UInt32, offset: UInt32
  ) throws(AudioError) {
    let event = try NoteEvent(status: status, data1, data2, at: offset)
    try checkReady()
    if let event { try receive(event) }
  }

  override func receiveMIDIMessage(_ bytes: UnsafeBufferPointer<UInt8>) throws(AudioError) {
    let event = try NoteEvent(systemExclusive: bytes)
    try checkReady()
    if let event { try receive(event) }
  }

  override func receiveEventList(
    _ list: UnsafePointer<MIDIEventList>, offset: UInt32
  ) throws(AudioError) {
    try EventListBytes.send(list, offset: offset, to: self) {
      (message, frame) throws(AudioError) in
      guard let event = NoteEvent(message, at: frame) else { return false }
      try checkReady()
      try receive(event)
      return true
    }
  }

  /// Selects banks and programs, and queues other events.
  private func receive(_ event: NoteEvent) throws(AudioError) {
    var event = event
    switch event.kind {
    case .noteOn: event.note = player.nextNote()
    case .controller where event.first == 0: return select(bank: event.second, 16, event.channel)
    case .controller where event.first == 32: return select(bank: event.second, 8, event.channel)
    case .program:
      guard let program = try select(program: event.first, event.channel) else { return }
      event.instrument = program
    case .reset:
      for channel in 0..<SynthRack.channelCount {
        player.memory.pointee.programs[channel].store(0, ordering: .relaxed)
      }
    default: break
    }
    try push(event)
  }

  private func checkReady() throws(AudioError) {
    guard isInitialized else {
      throw .uninitialized.because("initialize the unit before sending notes and MIDI")
    }
  }

  private func push(_ event: NoteEvent) throws(AudioError) {
    guard player.perform(event) else {
      throw .cannotDoInCurrentContext.because(
        "\(EventList.usualCapacity) events are already waiting to be rendered")
    }
  }

  // MARK: Groups

  override func parameter(_ address: ParameterAddress) throws(AudioError)
    -> AudioUnitParameterValue
  {
    guard address.scope == kAudioUnitScope_Group else { return try super.parameter(address) }
    let parameter = try GroupParameter.at(address)
    return parameter.value(Int(address.element), in: player.memory.pointee.groups)
  }

  override func setParameter(
    _ address: ParameterAddress, to value: AudioUnitParameterValue, offset: UInt32
  ) throws(AudioError) {
    guard address.scope == kAudioUnitScope_Group else {
      return try super.setParameter(address, to: value, offset: offset)
    }
    try perform(try event(address, value, offset))
  }

  override func schedule(
    _ events: UnsafeBufferPointer<AudioUnitParameterEvent>
  ) throws(AudioError) {
    guard events.contains(where: { $0.scope == kAudioUnitScope_Group }) else {
      return try super.schedule(events)
    }
    // All are checked first.
    for event in events where event.scope == kAudioUnitScope_Group { _ = try self.event(event) }
    let others = events.filter { $0.scope != kAudioUnitScope_Group }
    try others.withUnsafeBufferPointer { (others) throws(AudioError) in
      try super.schedule(others)
    }
    for event in events where event.scope == kAudioUnitScope_Group {
      try perform(try self.event(event))
    }
  }

  /// The event of a scheduled change.
  private func event(_ event: AudioUnitParameterEvent) throws(AudioError) -> NoteEvent {
    guard event.eventType == .parameterEvent_Immediate else {
      throw .invalidArgument.because(
        "parameter \(event.parameter): parameters of groups do not ramp; schedule immediate events")
    }
    let immediate = event.eventValues.immediate
    return try self.event(
      ParameterAddress(event.parameter, event.scope, event.element), immediate.value,
      immediate.bufferOffset)
  }

  private func event(
    _ address: ParameterAddress, _ value: Float, _ offset: UInt32
  ) throws(AudioError) -> NoteEvent {
    let parameter = try GroupParameter.at(address)
    guard value.isFinite else {
      throw .invalidParameterValue.because("parameter \(address.id): \(value) is not a number")
    }
    return parameter.event(value, UInt8(clamping: address.element), at: offset)
  }

  /// Sets a value, and sends its event if the unit is initialised: the next kernel begins with it.
  private func perform(_ event: NoteEvent) throws(AudioError) {
    guard isInitialized else { return player.memory.pointee.groups.record(event) }
    try push(event)
  }

  override func propertyInfo(_ address: PropertyAddress) throws(AudioError) -> PropertyInfo {
    guard GroupProperties.has(address) else { return try super.propertyInfo(address) }
    return try GroupProperties.table.info(address, of: self)
  }

  override func getProperty(
    _ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    guard GroupProperties.has(address) else {
      return try super.getProperty(address, into: data, size: &size)
    }
    try GroupProperties.table.read(address, of: self, into: data, size: &size)
  }

  override func setProperty(
    _ address: PropertyAddress, _ data: UnsafeRawPointer?, size: UInt32
  ) throws(AudioError) {
    guard GroupProperties.has(address) else {
      return try super.setProperty(address, data, size: size)
    }
    throw .propertyNotWritable.because("an instrument always has the same groups and parameters")
  }

  // MARK: Programs

  private func select(bank: UInt8, _ shift: UInt32, _ channel: UInt8) {
    let word = player.memory.pointee.programs + Int(channel)
    let old = word.pointee.load(ordering: .relaxed)
    word.pointee.store(old & ~(0xff << shift) | UInt32(bank) << shift, ordering: .relaxed)
  }

  /// Selects a program of the current bank; nil if the channel keeps its instrument.
  private func select(program: UInt8, _ channel: UInt8) throws(AudioError) -> UInt32? {
    guard acceptsProgramChanges else { return nil }
    let word = player.memory.pointee.programs + Int(channel)
    let new = word.pointee.load(ordering: .relaxed) & ~0xff | UInt32(program)
    guard try willSelect(new, on: Int(channel)) else { return nil }
    word.pointee.store(new, ordering: .relaxed)
    return new
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
      || (kMusicDeviceMIDIEventSelect...kMusicDeviceMIDIEventListSelect).contains(selector)
  }
}
