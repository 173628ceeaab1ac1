// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import MIDIMessages

/// A parameter of the groups of an instrument: a value that MIDI sets, too. Its number is that of the
/// controller, as for every instrument; the performance parameters are the general purpose controllers.
struct GroupParameter: Sendable {
  /// What sets it.
  private enum Message: Sendable {
    case controller(UInt8)
    /// A message of channel mode, which is no value.
    case mode(UInt8)
    case pressure, bend
  }

  private let message: Message
  let definition: ParameterDefinition

  private init(_ id: AudioUnitParameterID, _ name: String, _ message: Message) {
    self.message = message
    let range: ClosedRange<Float> = if case .bend = message { -8_192...8_191 } else { 0...127 }
    var initial: Float = 0
    if case .controller(let number) = message { initial = Float(GroupValues.initial(Int(number))) }
    var spec = ParameterSpec(
      name, .midiController, range, default: initial, scope: kAudioUnitScope_Group)
    if case .mode = message { spec.options.remove(.flag_IsReadable) }
    definition = ParameterDefinition(id: id, spec: spec)
  }

  /// All, in the order of their numbers.
  static let all: [GroupParameter] =
    [
      (1, "modulation wheel"), (4, "foot controller"), (7, "volume"), (10, "pan"),
      (11, "expression"), (64, "sustain pedal"), (66, "sostenuto pedal"), (67, "soft pedal"),
      (91, "reverberation send"), (93, "chorus send"),
    ].map { GroupParameter(AudioUnitParameterID($0.0), $0.1, .controller(UInt8($0.0))) }
    + [(120, "all sound off"), (121, "reset all controllers"), (123, "all notes off")]
    .map { GroupParameter(AudioUnitParameterID($0.0), $0.1, .mode(UInt8($0.0))) }
    + [
      GroupParameter(208, "channel pressure", .pressure),
      GroupParameter(224, "pitch bend", .bend),
    ]
    + ([16, 17, 18, 19, 80, 81, 82, 83] as [UInt8]).enumerated().map { index, number in
      GroupParameter(
        AudioUnitParameterID(1_000 + index), "performance parameter \(index + 1)",
        .controller(number))
    }

  /// For hosts.
  static let list = ParameterList(all.map(\.definition))

  /// [any thread] The parameter with an address.
  static func at(_ address: ParameterAddress) throws(AudioError) -> GroupParameter {
    guard address.element < AudioUnitElement(SynthRack.channelCount) else {
      throw .invalidElement.because(
        "parameter \(address.id): group \(address.element); groups are MIDI channels, 0 to 15")
    }
    guard let found = all.first(where: { $0.definition.id == address.id }) else {
      throw .invalidParameter.because("parameter \(address.id) is not on the group scope")
    }
    return found
  }

  /// [any thread] Its value in a group; 0 for what is no value.
  func value(_ group: Int, in groups: GroupValues) -> Float {
    switch message {
    case .controller(let number): Float(groups[group, Int(number)])
    case .mode: 0
    case .pressure: Float(groups[group, GroupValues.pressure])
    case .bend: Float(groups[group, GroupValues.bend] - 8_192)
    }
  }

  /// [any thread] The event that sets it. As MIDI has whole numbers, the value is rounded to one within
  /// the range.
  func event(_ value: Float, _ group: UInt8, at frame: UInt32) -> NoteEvent {
    let range = definition.spec.range
    let number = Int(min(max(value, range.lowerBound), range.upperBound).rounded())
    let data = UInt8(clamping: number)
    switch message {
    case .controller(let controller):
      return NoteEvent(.controller, channel: group, controller, data, at: frame)
    case .mode(let controller):
      return NoteEvent(.controller, channel: group, controller, 0, at: frame)
    case .pressure: return NoteEvent(.pressure, channel: group, data, at: frame)
    case .bend:
      let bend = UInt16(clamping: number + 8_192)
      return NoteEvent(
        .bend, channel: group, UInt8(bend & 0x7f), UInt8(clamping: bend >> 7), at: frame)
    }
  }
}
