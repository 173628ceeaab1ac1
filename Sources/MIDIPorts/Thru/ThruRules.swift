// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI
import MIDIMessages

/// What a thru connection does to messages.
struct ThruRules: Sendable {
  private let channelMap: [UInt8]
  private let notes: Span
  private let velocities: Span
  private let noteNumber: Transform
  private let velocity: Transform
  private let keyPressure: Transform
  private let channelPressure: Transform
  private let program: Transform
  private let bend: Transform
  private let controls: [Control]
  private let dropped: Dropped

  /// Values that pass.
  private struct Span: Equatable, Sendable {
    let low: UInt32
    let high: UInt32

    init(_ low: UInt8, _ high: UInt8) { (self.low, self.high) = (UInt32(low), UInt32(high)) }

    /// Whether a value is from low to high.
    func contains(_ value: UInt32) -> Bool { low <= value && value <= high }

    /// As `contains`, but if low is above high, all values pass except those in between.
    func admits(_ value: UInt32) -> Bool {
      low <= high ? contains(value) : value <= high || value >= low
    }
  }

  /// Kinds of messages that do not pass.
  private struct Dropped: OptionSet {
    let rawValue: Int
    static let systemExclusive = Self(rawValue: 1)
    static let timeCode = Self(rawValue: 2)
    static let clock = Self(rawValue: 4)
    static let tuneRequest = Self(rawValue: 8)
    static let controls = Self(rawValue: 16)

    static func any(_ parameters: MIDIThruConnectionParams) -> Self {
      var result: Self = []
      if parameters.filterOutSysEx != 0 { result.insert(.systemExclusive) }
      if parameters.filterOutMTC != 0 { result.insert(.timeCode) }
      if parameters.filterOutBeatClock != 0 { result.insert(.clock) }
      if parameters.filterOutTuneRequest != 0 { result.insert(.tuneRequest) }
      if parameters.filterOutAllControls != 0 { result.insert(.controls) }
      return result
    }
  }

  /// What happens to a value.
  private enum Transform: Equatable, Sendable {
    case none, drop
    case add(Int), scale(Int), minimum(Int), maximum(Int)
    case map([UInt8])

    init(_ transform: MIDITransform, _ maps: [MIDIValueMap]) {
      let number = Int(transform.param)
      switch transform.transform {
      case .filterOut: self = .drop
      case .add: self = .add(number)
      case .scale: self = .scale(number)
      case .minValue: self = .minimum(number)
      case .maxValue: self = .maximum(number)
      case .mapValue where (1...max(maps.count, 1)).contains(number) && !maps.isEmpty:
        self = withUnsafeBytes(of: maps[number - 1].value) { .map(Array($0)) }
      default: self = .none
      }
    }

    /// The new value; nil if the message does not pass. The numbers of the transform are meant for
    /// values up to the limit, except those of maps.
    func apply(_ value: UInt32, upTo limit: UInt32 = 127) -> UInt32? {
      let number = Int(value)
      let result: Int
      switch self {
      case .none: return value
      case .drop: return nil
      case .add(let term): result = number + term
      case .scale(let factor): result = number * factor / 4096
      case .minimum(let least): result = max(number, least)
      case .maximum(let most): result = min(number, most)
      case .map(let values): result = number < values.count ? Int(values[number]) : number
      }
      return UInt32(clamping: min(max(result, 0), Int(limit)))
    }
  }

  /// What happens to a control.
  private struct Control: Sendable {
    let number: UInt32
    let newNumber: UInt32?
    let value: Transform

    /// The new value. Transforms of controls have numbers of 14 bits, whatever the control has: of
    /// 7 bits, 10 << 7 adds 10. Maps are of 7 bits.
    func apply(_ old: UInt32) -> UInt32? {
      if case .map = value { return value.apply(old) }
      return value.apply(old << 7, upTo: 16_383).map { $0 >> 7 }
    }
  }

  init(
    _ parameters: MIDIThruConnectionParams, controls: [MIDIControlTransform],
    maps: [MIDIValueMap]
  ) {
    channelMap = withUnsafeBytes(of: parameters.channelMap) { Array($0) }
    let noteNumber = Transform(parameters.noteNumber, maps)
    self.noteNumber = noteNumber
    // A map replaces the range.
    if case .map = noteNumber {
      notes = Span(0, 127)
    } else {
      notes = Span(parameters.lowNote, parameters.highNote)
    }
    // Zeros are what a new structure has: all velocities pass.
    velocities =
      parameters.lowVelocity == 0 && parameters.highVelocity == 0
      ? Span(0, 127) : Span(parameters.lowVelocity, parameters.highVelocity)
    velocity = Transform(parameters.velocity, maps)
    keyPressure = Transform(parameters.keyPressure, maps)
    channelPressure = Transform(parameters.channelPressure, maps)
    program = Transform(parameters.programChange, maps)
    bend = Transform(parameters.pitchBend, maps)
    dropped = .any(parameters)
    self.controls = controls.map { control in
      let isMoved = control.transform == .mapControl
      return Control(
        number: UInt32(control.controlNumber),
        newNumber: isMoved ? UInt32(clamping: control.param) & 127 : nil,
        value: Transform(
          MIDITransform(transform: isMoved ? .none : control.transform, param: control.param), maps)
      )
    }
  }

  /// Whether all messages pass unchanged.
  var isIdentity: Bool {
    channelMap == Array(0..<16) && notes == Span(0, 127) && velocities == Span(0, 127)
      && [noteNumber, velocity, keyPressure, channelPressure, program, bend].allSatisfy {
        $0 == .none
      } && controls.isEmpty && dropped.isEmpty
  }

  /// [delivery thread] What passes of a list of format `events1`, changed as the rules say; nil if
  /// nothing does.
  func apply(to list: MessageList) -> MessageList? {
    var result = MessageListWriter(.events1)
    list.forEachEvent { time, words in
      var passed: [UInt32] = []
      UniversalMessage.forEach(in: words) { message in
        if let message = apply(to: message) { passed.append(message) }
      }
      passed.withUnsafeBufferPointer { result.add($0, at: time) }
    }
    return result.isEmpty ? nil : result.list()
  }

  private func apply(to message: UniversalMessage) -> UniversalMessage? {
    switch message.type {
    case 1: isDropped(status: message.words[0] >> 16 & 0xff) ? nil : message
    case 2: apply(toVoice: message)
    case 3: dropped.contains(.systemExclusive) ? nil : message
    default: message
    }
  }

  private func isDropped(status: UInt32) -> Bool {
    switch status {
    case 0xf1: dropped.contains(.timeCode)
    case 0xf6: dropped.contains(.tuneRequest)
    case 0xf8, 0xfa, 0xfb, 0xfc: dropped.contains(.clock)
    default: false
    }
  }

  private func apply(toVoice message: UniversalMessage) -> UniversalMessage? {
    let channel = UInt32(channelMap[Int(message.channel)])
    guard channel < 16 else { return nil }
    let values: (UInt32, UInt32)?
    switch message.status {
    case 0x8, 0x9, 0xa: values = note(message)
    case 0xb: values = control(message)
    case 0xc: values = program.apply(message.first).map { ($0, 0) }
    case 0xd: values = channelPressure.apply(message.first).map { ($0, 0) }
    default:
      values = bend.apply(message.second << 7 | message.first, upTo: 16_383).map {
        ($0 & 127, $0 >> 7)
      }
    }
    return values.map { first, second in
      .channelVoice1(
        group: message.group, status: message.status, channel: channel, first, second)
    }
  }

  private func note(_ message: UniversalMessage) -> (UInt32, UInt32)? {
    guard notes.admits(message.first), let number = noteNumber.apply(message.first) else {
      return nil
    }
    switch message.status {
    // The end of a note always passes, whatever its beginning was.
    case 0x8: return (number, message.second)
    case 0x9 where message.second == 0: return (number, 0)
    case 0x9:
      guard velocities.contains(message.second) else { return nil }
      return velocity.apply(message.second).map { (number, max($0, 1)) }
    default: return keyPressure.apply(message.second).map { (number, $0) }
    }
  }

  private func control(_ message: UniversalMessage) -> (UInt32, UInt32)? {
    // The numbers from 120 on are not controls: they end notes.
    guard message.first < 120 else { return (message.first, message.second) }
    guard !dropped.contains(.controls) else { return nil }
    var (number, value) = (message.first, message.second)
    for control in controls where control.number == message.first {
      guard let changed = control.apply(value) else { return nil }
      (number, value) = (control.newNumber ?? number, changed)
    }
    return (number, value)
  }
}
