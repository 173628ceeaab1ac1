// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
import MusicSequences

/// An event of a track. Only its subclasses have instances.
///
/// Channels are 0 to 15, keys and values 0 to 127. An event with other values ends the program when it
/// is added to a track.
open class AVMusicEvent: NSObject {
  override init() {}

  /// What it says; throws if a value does not exist.
  func message() throws(AudioError) -> EventMessage {
    throw .invalidEventType.because("\(Self.self) is no event")
  }

  /// The object of an event.
  static func of(_ message: EventMessage) -> AVMusicEvent {
    switch message {
    case .note(let note):
      AVMIDINoteEvent(
        channel: UInt32(note.channel), key: UInt32(note.note), velocity: UInt32(note.velocity),
        duration: Double(note.duration))
    case .channel(let message): AVMIDIChannelEvent.of(message)
    case .raw(let bytes): AVMIDISysexEvent(data: Data(bytes))
    case .meta(let type, let bytes): AVMIDIMetaEvent(Int(type), Data(bytes))
    case .user(let bytes): AVMusicUserEvent(data: Data(bytes))
    case .tempo(let tempo): AVExtendedTempoEvent(tempo: tempo)
    case .parameter(let event):
      AVParameterEvent(
        parameterID: event.parameterID, scope: event.scope, element: event.element,
        value: event.value)
    case .extendedNote(let note):
      AVExtendedNoteOnEvent(
        midiNote: note.pitch, velocity: note.velocity, instrumentID: note.instrument,
        groupID: note.group, duration: Double(note.duration))
    case .preset(let preset): AVAUPresetEvent(preset)
    }
  }

  /// A number of MIDI, which is not negative and below a limit.
  static func byte(_ value: UInt32, below limit: UInt32, _ name: String) throws(AudioError) -> UInt8
  {
    guard value < limit else {
      throw .invalidArgument.because("\(Self.self): \(name) \(value); expected 0 to \(limit - 1)")
    }
    return UInt8(truncatingIfNeeded: value)
  }
}

/// A note with its length.
open class AVMIDINoteEvent: AVMusicEvent {
  /// The channel, 0 to 15.
  open var channel: UInt32
  /// The key, 0 to 127; 60 is middle C.
  open var key: UInt32
  /// 1 to 127.
  open var velocity: UInt32
  /// In beats.
  open var duration: AVMusicTimeStamp

  /// A note on a channel.
  public init(channel: UInt32, key keyNum: UInt32, velocity: UInt32, duration: AVMusicTimeStamp) {
    (self.channel, key) = (channel, keyNum)
    (self.velocity, self.duration) = (velocity, duration)
    super.init()
  }

  override func message() throws(AudioError) -> EventMessage {
    .note(
      try EventMessage.checked(
        MIDINoteMessage(
          channel: try Self.byte(channel, below: 16, "channel"),
          note: try Self.byte(key, below: 128, "key"),
          velocity: try Self.byte(velocity, below: 128, "velocity"), releaseVelocity: 0,
          duration: Float(duration))))
  }
}

/// An event of the program, for the callback of a sequencer.
open class AVMusicUserEvent: AVMusicEvent {
  private let data: Data

  /// An event with data.
  public init(data: Data) {
    self.data = data
    super.init()
  }

  /// The number of bytes of the data.
  open var sizeInBytes: UInt32 { UInt32(clamping: data.count) }

  override func message() throws(AudioError) -> EventMessage { .user(Array(data)) }
}

/// A tempo, for tempo tracks.
open class AVExtendedTempoEvent: AVMusicEvent {
  /// In beats per minute.
  open var tempo: Double

  /// A tempo in beats per minute.
  public init(tempo: Double) {
    self.tempo = tempo
    super.init()
  }

  override func message() throws(AudioError) -> EventMessage {
    .tempo(try EventMessage.checked(tempo: tempo))
  }
}

/// A value of a parameter, for tracks that use automated parameters: a point of its curve.
open class AVParameterEvent: AVMusicEvent {
  /// The identifier of the parameter.
  open var parameterID: UInt32
  /// The scope of the parameter.
  open var scope: UInt32
  /// The element of the parameter.
  open var element: UInt32
  /// The value from its time on.
  open var value: Float

  /// A value of a parameter of the destination's unit.
  public init(parameterID: UInt32, scope: UInt32, element: UInt32, value: Float) {
    (self.parameterID, self.scope, self.element) = (parameterID, scope, element)
    self.value = value
    super.init()
  }

  override func message() throws(AudioError) -> EventMessage {
    guard value.isFinite else { throw .invalidParameterValue.because("\(Self.self): \(value)") }
    return .parameter(
      ParameterEvent(parameterID: parameterID, scope: scope, element: element, value: value))
  }
}

/// A note of `MusicDeviceStartNote`, whose pitch may lie between two keys.
open class AVExtendedNoteOnEvent: AVMusicEvent {
  /// The pitch as a key; 60.5 lies between two.
  open var midiNote: Float
  /// 0 to 127.
  open var velocity: Float
  /// The instrument, or `defaultInstrument`.
  open var instrumentID: UInt32
  /// The group: a MIDI channel.
  open var groupID: UInt32
  /// In beats.
  open var duration: AVMusicTimeStamp

  /// A note of the instrument of its group.
  public init(midiNote: Float, velocity: Float, groupID: UInt32, duration: AVMusicTimeStamp) {
    (self.midiNote, self.velocity, instrumentID) = (midiNote, velocity, Self.defaultInstrument)
    (self.groupID, self.duration) = (groupID, duration)
    super.init()
  }

  /// A note of an instrument.
  public init(
    midiNote: Float, velocity: Float, instrumentID: UInt32, groupID: UInt32,
    duration: AVMusicTimeStamp
  ) {
    (self.midiNote, self.velocity, self.instrumentID) = (midiNote, velocity, instrumentID)
    (self.groupID, self.duration) = (groupID, duration)
    super.init()
  }

  /// The instrument of the group.
  public static let defaultInstrument: UInt32 = 0xffff_ffff

  override func message() throws(AudioError) -> EventMessage {
    guard midiNote.isFinite, velocity.isFinite, duration >= 0, duration < .infinity else {
      throw .invalidArgument.because("\(Self.self): key \(midiNote) for \(duration) beats")
    }
    return .extendedNote(
      ExtendedNote(
        instrument: instrumentID, group: groupID, duration: Float(duration), pitch: midiNote,
        velocity: velocity))
  }
}

/// The instrument of the group of a note.
public let AVExtendedNoteOnEventDefaultInstrument: UInt32 = 0xffff_ffff

/// A state of a unit.
open class AVAUPresetEvent: AVMusicEvent {
  /// The scope of the state.
  open var scope: UInt32
  /// The element of the state.
  open var element: UInt32
  /// The state, as `kAudioUnitProperty_ClassInfo` has it.
  open private(set) var presetDictionary: [AnyHashable: Any]

  /// A state, which is copied.
  public init(scope: UInt32, element: UInt32, dictionary presetDictionary: [AnyHashable: Any]) {
    (self.scope, self.element) = (scope, element)
    self.presetDictionary = presetDictionary
    super.init()
  }

  convenience init(_ preset: UnitPreset) {
    let object = Unmanaged<NSDictionary>.fromOpaque(preset.object).takeUnretainedValue()
    self.init(
      scope: preset.scope, element: preset.element,
      dictionary: object as? [AnyHashable: Any] ?? [:])
  }

  override func message() throws(AudioError) -> EventMessage {
    let object = presetDictionary as NSDictionary
    let list = withExtendedLifetime(object) {
      Bridge.current.propertyList(Unmanaged.passUnretained(object).toOpaque())
    }
    guard let list else { throw .invalidArgument.because("\(Self.self): no property list") }
    return .preset(UnitPreset(scope: scope, element: element, list))
  }
}
