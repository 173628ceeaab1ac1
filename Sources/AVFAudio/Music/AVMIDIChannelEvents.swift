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
  public static let bankSelect = Self(0)
  public static let modWheel = Self(1)
  public static let breath = Self(2)
  public static let foot = Self(4)
  public static let portamentoTime = Self(5)
  public static let dataEntry = Self(6)
  public static let volume = Self(7)
  public static let balance = Self(8)
  public static let pan = Self(10)
  public static let expression = Self(11)
  public static let sustain = Self(64)
  public static let portamento = Self(65)
  public static let sostenuto = Self(66)
  public static let soft = Self(67)
  public static let legatoPedal = Self(68)
  public static let hold2Pedal = Self(69)
  public static let filterResonance = Self(71)
  public static let releaseTime = Self(72)
  public static let attackTime = Self(73)
  public static let brightness = Self(74)
  public static let decayTime = Self(75)
  public static let vibratoRate = Self(76)
  public static let vibratoDepth = Self(77)
  public static let vibratoDelay = Self(78)
  public static let reverbLevel = Self(91)
  public static let chorusLevel = Self(93)
  public static let RPN_LSB = Self(100)
  public static let RPN_MSB = Self(101)
  public static let allSoundOff = Self(120)
  public static let resetAllControllers = Self(121)
  public static let allNotesOff = Self(123)
  public static let omniModeOff = Self(124)
  public static let omniModeOn = Self(125)
  public static let monoModeOn = Self(126)
  public static let monoModeOff = Self(127)
}

/// The pressure of a key.
open class AVMIDIPolyPressureEvent: AVMIDIChannelEvent {
  open var key: UInt32
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
  public static let sequenceNumber = Self(0x00)
  public static let text = Self(0x01)
  public static let copyright = Self(0x02)
  public static let trackName = Self(0x03)
  public static let instrument = Self(0x04)
  public static let lyric = Self(0x05)
  public static let marker = Self(0x06)
  public static let cuePoint = Self(0x07)
  public static let midiChannel = Self(0x20)
  public static let midiPort = Self(0x21)
  public static let endOfTrack = Self(0x2f)
  public static let tempo = Self(0x51)
  public static let smpteOffset = Self(0x54)
  public static let timeSignature = Self(0x58)
  public static let keySignature = Self(0x59)
  public static let proprietaryEvent = Self(0x7f)
}
