// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CheckedNumbers

// The structures of MusicPlayerTypes.h.
extension EventMessage {
  /// The most bytes of data of one event.
  static var byteLimit: Int { 64 << 20 }
  /// The most controls of an extended note.
  static var controlLimit: Int { 1_024 }

  /// The C constant of its type.
  package var type: MusicEventType {
    switch self {
    case .note: kMusicEventType_MIDINoteMessage
    case .channel: kMusicEventType_MIDIChannelMessage
    case .raw: kMusicEventType_MIDIRawData
    case .meta: kMusicEventType_Meta
    case .user: kMusicEventType_User
    case .tempo: kMusicEventType_ExtendedTempo
    case .parameter: kMusicEventType_Parameter
    case .extendedNote: kMusicEventType_ExtendedNote
    case .preset: kMusicEventType_AUPreset
    }
  }

  /// Reads a structure of the program. Throws if a value in it does not exist.
  package init(_ type: MusicEventType, _ data: UnsafeRawPointer) throws(AudioError) {
    guard !isNull(data) else { throw .null("the data of the event") }
    switch type {
    case kMusicEventType_MIDINoteMessage:
      self = .note(try Self.checked(data.loadUnaligned(as: MIDINoteMessage.self)))
    case kMusicEventType_MIDIChannelMessage:
      self = .channel(try Self.checked(data.loadUnaligned(as: MIDIChannelMessage.self)))
    case kMusicEventType_MIDIRawData:
      self = .raw(try Self.bytes(data, count: 0, start: 4))
    case kMusicEventType_User:
      self = .user(try Self.bytes(data, count: 0, start: 4))
    case kMusicEventType_Meta:
      self = .meta(data.load(as: UInt8.self), try Self.bytes(data, count: 4, start: 8))
    case kMusicEventType_ExtendedTempo:
      self = .tempo(try Self.checked(tempo: data.loadUnaligned(as: Double.self)))
    case kMusicEventType_Parameter:
      let event = data.loadUnaligned(as: ParameterEvent.self)
      guard event.value.isFinite else {
        throw .invalidParameterValue.because("the value of parameter \(event.parameterID)")
      }
      self = .parameter(event)
    case kMusicEventType_ExtendedNote: self = .extendedNote(try Self.extendedNote(data))
    case kMusicEventType_AUPreset:
      let event = data.loadUnaligned(as: AUPresetEvent.self)
      guard !isNull(event.__preset), let list = Bridge.current.propertyList(event.__preset) else {
        throw .invalidArgument.because("the preset is not a property list")
      }
      self = .preset(UnitPreset(scope: event.scope, element: event.element, list))
    default: throw .invalidEventType.because("type \(type)")
    }
  }

  /// A note whose numbers MIDI has.
  package static func checked(_ note: MIDINoteMessage) throws(AudioError) -> MIDINoteMessage {
    guard note.channel < 16, note.note < 128, note.velocity < 128, note.releaseVelocity < 128
    else {
      throw .invalidArgument.because(
        "note \(note.note), velocities \(note.velocity) and \(note.releaseVelocity) on channel "
          + "\(note.channel); expected 0 to 127, on channel 0 to 15")
    }
    guard note.duration >= 0, note.duration < .infinity else {
      throw .invalidArgument.because("a note of \(note.duration) beats")
    }
    return note
  }

  /// A message that MIDI has.
  package static func checked(_ message: MIDIChannelMessage) throws(AudioError)
    -> MIDIChannelMessage
  {
    guard (0x80...0xef).contains(message.status), message.data1 < 128, message.data2 < 128 else {
      throw .invalidArgument.because(
        "status \(message.status) with data \(message.data1) and \(message.data2); expected 128 to "
          + "239, with 0 to 127")
    }
    return message
  }

  /// A tempo that has a length of beats.
  package static func checked(tempo: Double) throws(AudioError) -> Double {
    guard tempo > 1e-6, tempo <= 1e9 else {
      throw .invalidArgument.because("\(tempo) beats per minute")
    }
    return tempo
  }

  /// The bytes at `start`, whose number is at `count`.
  private static func bytes(_ data: UnsafeRawPointer, count: Int, start: Int) throws(AudioError)
    -> [UInt8]
  {
    let length = data.loadUnaligned(fromByteOffset: count, as: UInt32.self)
    guard let length = Outside(length).upTo(byteLimit) else {
      throw .invalidArgument.because("\(length) bytes in one event")
    }
    return Array(UnsafeRawBufferPointer(start: data + start, count: length))
  }

  private static func extendedNote(_ data: UnsafeRawPointer) throws(AudioError) -> ExtendedNote {
    let event = data.loadUnaligned(as: ExtendedNoteOnEvent.self)
    let parameters = event.extendedParams
    guard event.duration >= 0, event.duration < .infinity, parameters.mPitch.isFinite,
      parameters.mVelocity.isFinite
    else { throw .invalidArgument.because("a note of \(event.duration) beats") }
    guard let count = (Outside(parameters.argCount) - 2).upTo(controlLimit) else {
      throw .invalidArgument.because("\(parameters.argCount) arguments; expected 2 or more")
    }
    // The controls follow the two parameters.
    let controls = (0..<count).map {
      data.loadUnaligned(fromByteOffset: 24 + 8 * $0, as: NoteParamsControlValue.self)
    }
    return ExtendedNote(
      instrument: event.instrumentID, group: event.groupID, duration: event.duration,
      pitch: parameters.mPitch, velocity: parameters.mVelocity, controls: controls)
  }

  /// Its structure, in as many bytes as `MusicEventIteratorGetEventInfo` reports. An object in it
  /// belongs to the event.
  package var structure: [UInt8] {
    switch self {
    case .note(let note): Self.plain(note)
    case .channel(let message): Self.plain(message)
    case .raw(let bytes), .user(let bytes):
      Self.plain(UInt32(truncatingIfNeeded: bytes.count)) + bytes
    case .meta(let type, let bytes):
      [type, 0, 0, 0] + Self.plain(UInt32(truncatingIfNeeded: bytes.count)) + bytes
    case .tempo(let tempo): Self.plain(tempo)
    case .parameter(let event): Self.plain(event)
    case .extendedNote(let note):
      Self.plain(note.instrument) + Self.plain(note.group) + Self.plain(note.duration)
        + Self.plain(UInt32(truncatingIfNeeded: 2 + note.controls.count))
        + Self.plain(note.pitch) + Self.plain(note.velocity)
        + (note.controls.isEmpty
          ? [UInt8](repeating: 0, count: 8) : note.controls.flatMap { Self.plain($0) })
    case .preset(let preset):
      Self.plain(preset.scope) + Self.plain(preset.element)
        + Self.plain(UInt(bitPattern: preset.object))
    }
  }

  private static func plain<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }
}
