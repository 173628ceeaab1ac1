// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
import MusicSequences

/// An event of a channel. Only its subclasses have instances.
open class AVMIDIChannelEvent: AVMusicEvent {
  /// The channel, from 0 to 15.
  open var channel: UInt32

  init(channel: UInt32) {
    self.channel = channel
    super.init()
  }

  /// The bytes of its message without the channel.
  var bytes: (kind: UInt8, first: UInt32, second: UInt32) { (0, 0, 0) }

  override final func message() throws(AudioError) -> EventMessage {
    let (kind, first, second) = bytes
    return .channel(
      try EventMessage.checked(
        MIDIChannelMessage(
          status: kind | (try Self.byte(channel, below: 16, "channel")),
          data1: try Self.byte(first, below: 128, "value"),
          data2: try Self.byte(second, below: 128, "value"), reserved: 0)))
  }

  /// The object of a message. A note that was added as a message is a poly pressure of its kind in no
  /// case: it becomes bytes.
  static func of(_ message: MIDIChannelMessage) -> AVMusicEvent {
    let channel = UInt32(message.status & 15)
    let (first, second) = (UInt32(message.data1), UInt32(message.data2))
    return switch message.status & 0xf0 {
    case 0xa0: AVMIDIPolyPressureEvent(channel: channel, key: first, pressure: second)
    case 0xb0: AVMIDIControlChangeEvent(channel, Int(first), second)
    case 0xc0: AVMIDIProgramChangeEvent(channel: channel, programNumber: first)
    case 0xd0: AVMIDIChannelPressureEvent(channel: channel, pressure: first)
    case 0xe0: AVMIDIPitchBendEvent(channel: channel, value: second << 7 | first)
    default: AVMIDISysexEvent(data: Data([message.status, message.data1, message.data2]))
    }
  }
}

/// A controller.
open class AVMIDIControlChangeEvent: AVMIDIChannelEvent {
  /// The number of a controller.
  public struct MessageType: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    /// A controller from 0 to 127; nil for other numbers.
    public init?(rawValue: Int) {
      guard (0...127).contains(rawValue) else { return nil }
      self.rawValue = rawValue
    }

    init(_ rawValue: Int) { self.rawValue = rawValue }
  }

  private let controller: (type: MessageType, value: UInt32)

  /// A value of a controller.
  public init(channel: UInt32, messageType: MessageType, value: UInt32) {
    controller = (messageType, value)
    super.init(channel: channel)
  }

  /// The controller.
  open var messageType: MessageType { controller.type }

  /// Its value, from 0 to 127.
  open var value: UInt32 { controller.value }

  convenience init(_ channel: UInt32, _ controller: Int, _ value: UInt32) {
    self.init(channel: channel, messageType: MessageType(controller), value: value)
  }

  override var bytes: (kind: UInt8, first: UInt32, second: UInt32) {
    (0xb0, UInt32(clamping: messageType.rawValue), value)
  }
}

/// The number of a controller.
public typealias AVMIDIControlChangeMessageType = AVMIDIControlChangeEvent.MessageType

/// The names of the MIDI standard.
extension AVMIDIControlChangeEvent.MessageType {
  /// The bank for the next program.
  public static let bankSelect = Self(0)
  /// The modulation wheel.
  public static let modWheel = Self(1)
  /// A breath controller.
  public static let breath = Self(2)
  /// A foot controller.
  public static let foot = Self(4)
  /// How long notes glide.
  public static let portamentoTime = Self(5)
  /// The value of the parameter that RPN_MSB and RPN_LSB select.
  public static let dataEntry = Self(6)
  /// The volume of the channel, 0 to 127.
  public static let volume = Self(7)
  /// The balance of left and right; 64 is the middle.
  public static let balance = Self(8)
  /// The place from left, 0, to right, 127.
  public static let pan = Self(10)
  /// A second volume, for crescendos.
  public static let expression = Self(11)
  /// From 64: notes are held.
  public static let sustain = Self(64)
  /// From 64: notes glide.
  public static let portamento = Self(65)
  /// From 64: the notes that sound now are held.
  public static let sostenuto = Self(66)
  /// From 64: the soft pedal is down.
  public static let soft = Self(67)
  /// From 64: notes follow one another without a new attack.
  public static let legatoPedal = Self(68)
  /// A pedal that lets notes fade instead of ending.
  public static let hold2Pedal = Self(69)
  /// The resonance of the filter.
  public static let filterResonance = Self(71)
  /// How long a note sounds after its end.
  public static let releaseTime = Self(72)
  /// How long a sound takes to begin.
  public static let attackTime = Self(73)
  /// The cutoff of the filter.
  public static let brightness = Self(74)
  /// How long a sound takes to fall to its sustained level.
  public static let decayTime = Self(75)
  /// How fast the vibrato is.
  public static let vibratoRate = Self(76)
  /// How far the vibrato goes.
  public static let vibratoDepth = Self(77)
  /// How long a note sounds before its vibrato.
  public static let vibratoDelay = Self(78)
  /// How much is sent to the reverberation.
  public static let reverbLevel = Self(91)
  /// How much is sent to the chorus.
  public static let chorusLevel = Self(93)
  /// The lower half of the number of a registered parameter.
  public static let RPN_LSB = Self(100)
  /// The upper half of the number of a registered parameter.
  public static let RPN_MSB = Self(101)
  /// Silences the channel at once.
  public static let allSoundOff = Self(120)
  /// Sets all controllers to their defaults.
  public static let resetAllControllers = Self(121)
  /// Ends all notes.
  public static let allNotesOff = Self(123)
  /// Only the messages of one channel.
  public static let omniModeOff = Self(124)
  /// The messages of all channels.
  public static let omniModeOn = Self(125)
  /// One note at a time.
  public static let monoModeOn = Self(126)
  /// Several notes at once.
  public static let monoModeOff = Self(127)
}

/// The pressure of a key.
open class AVMIDIPolyPressureEvent: AVMIDIChannelEvent {
  /// The key, 0 to 127.
  open var key: UInt32
  /// Its pressure, 0 to 127.
  open var pressure: UInt32

  /// A pressure of a key.
  public init(channel: UInt32, key: UInt32, pressure: UInt32) {
    (self.key, self.pressure) = (key, pressure)
    super.init(channel: channel)
  }

  override var bytes: (kind: UInt8, first: UInt32, second: UInt32) { (0xa0, key, pressure) }
}

/// A program.
open class AVMIDIProgramChangeEvent: AVMIDIChannelEvent {
  /// The program, 0 to 127.
  open var programNumber: UInt32

  /// A program of the current bank.
  public init(channel: UInt32, programNumber: UInt32) {
    self.programNumber = programNumber
    super.init(channel: channel)
  }

  override var bytes: (kind: UInt8, first: UInt32, second: UInt32) { (0xc0, programNumber, 0) }
}

/// The pressure of a channel.
open class AVMIDIChannelPressureEvent: AVMIDIChannelEvent {
  /// The pressure, 0 to 127.
  open var pressure: UInt32

  /// A pressure of all keys of a channel.
  public init(channel: UInt32, pressure: UInt32) {
    self.pressure = pressure
    super.init(channel: channel)
  }

  override var bytes: (kind: UInt8, first: UInt32, second: UInt32) { (0xd0, pressure, 0) }
}

/// The pitch bend of a channel.
open class AVMIDIPitchBendEvent: AVMIDIChannelEvent {
  /// From 0 to 16,383; 8,192 is the pitch of the notes.
  open var value: UInt32

  /// A pitch bend.
  public init(channel: UInt32, value: UInt32) {
    self.value = value
    super.init(channel: channel)
  }

  override var bytes: (kind: UInt8, first: UInt32, second: UInt32) {
    (0xe0, value & 0x7f, value >> 7)
  }
}

/// Bytes of MIDI: a system-exclusive message from its 0xF0 to its 0xF7.
open class AVMIDISysexEvent: AVMusicEvent {
  private let data: Data

  /// A message.
  public init(data: Data) {
    self.data = data
    super.init()
  }

  /// The number of bytes.
  open var sizeInBytes: UInt32 { UInt32(clamping: data.count) }

  override func message() throws(AudioError) -> EventMessage { .raw(Array(data)) }
}

/// A meta event of a MIDI file.
open class AVMIDIMetaEvent: AVMusicEvent {
  /// The type of a meta event.
  public struct EventType: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    /// A type from 0 to 127; nil for other numbers.
    public init?(rawValue: Int) {
      guard (0...127).contains(rawValue) else { return nil }
      self.rawValue = rawValue
    }

    init(_ rawValue: Int) { self.rawValue = rawValue }
  }

  private let event: (type: EventType, data: Data)

  /// An event with data.
  public init(type: EventType, data: Data) {
    event = (type, data)
    super.init()
  }

  /// Its type.
  open var type: EventType { event.type }

  convenience init(_ type: Int, _ data: Data) { self.init(type: EventType(type), data: data) }

  override func message() throws(AudioError) -> EventMessage {
    .meta(UInt8(clamping: type.rawValue), Array(event.data))
  }
}

/// The type of a meta event.
public typealias AVMIDIMetaEventType = AVMIDIMetaEvent.EventType

/// The names of Standard MIDI Files.
extension AVMIDIMetaEvent.EventType {
  /// The number of the sequence.
  public static let sequenceNumber = Self(0x00)
  /// Any text.
  public static let text = Self(0x01)
  /// Who has the rights: text.
  public static let copyright = Self(0x02)
  /// The name of the sequence or track: text.
  public static let trackName = Self(0x03)
  /// The instrument of the track: text.
  public static let instrument = Self(0x04)
  /// A syllable to sing: text.
  public static let lyric = Self(0x05)
  /// The name of a part, such as "Chorus": text.
  public static let marker = Self(0x06)
  /// What happens in a film or on a stage: text.
  public static let cuePoint = Self(0x07)
  /// The channel of the events that follow.
  public static let midiChannel = Self(0x20)
  /// The port of the track.
  public static let midiPort = Self(0x21)
  /// The end of the track.
  public static let endOfTrack = Self(0x2f)
  /// Microseconds of a quarter note.
  public static let tempo = Self(0x51)
  /// The SMPTE time at which the track begins.
  public static let smpteOffset = Self(0x54)
  /// The time signature, and the clicks of a metronome.
  public static let timeSignature = Self(0x58)
  /// The number of sharps or flats, and whether it is minor.
  public static let keySignature = Self(0x59)
  /// Data of a manufacturer.
  public static let proprietaryEvent = Self(0x7f)
}
