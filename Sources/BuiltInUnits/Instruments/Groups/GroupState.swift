// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import MIDIMessages

/// The groups of an instrument in its saved state: for each, what differs from the initial values.
struct GroupState {
  static let key = "groups"
  /// The entries of values that have no controller number: these of their parameters, and one for the bus.
  private static let names = [
    GroupValues.pressure: "208", GroupValues.bend: "224", GroupValues.bus: "output",
  ]
  private static let limits = [
    GroupValues.bend: 16_383, GroupValues.bus: SynthRack.channelCount - 1,
  ]

  let player: InstrumentPlayer
  private var groups: GroupValues { player.memory.pointee.groups }

  init(_ player: InstrumentPlayer) { self.player = player }

  private static func name(_ index: Int) -> String { names[index] ?? "\(index)" }

  /// The entry.
  var list: PropertyList {
    .array(
      (0..<SynthRack.channelCount).map { group in
        var entries: [String: PropertyList] = [:]
        for index in 0...GroupValues.bus where groups[group, index] != GroupValues.initial(index) {
          entries[Self.name(index)] = .integer(groups[group, index])
        }
        return .dictionary(entries)
      })
  }

  /// [control thread, under the lock] Restores the groups of a state; one without them changes none.
  /// `sends` says whether a kernel exists, which has to be told.
  func restore(_ state: PropertyList, sends: Bool) {
    guard case .array(let entries)? = state[Self.key] else { return }
    for (group, entry) in entries.prefix(SynthRack.channelCount).enumerated() {
      for index in 0...GroupValues.bus {
        let limit = Self.limits[index] ?? 127
        let saved = entry[Self.name(index)]?.integer ?? GroupValues.initial(index)
        let value = min(max(saved, 0), limit)
        guard value != groups[group, index] else { continue }
        if sends, let event = Self.event(index, value, UInt8(group)) {
          _ = player.perform(event)
        } else {
          groups[group, index] = value
        }
      }
    }
  }

  private static func event(_ index: Int, _ value: Int, _ group: UInt8) -> NoteEvent? {
    switch index {
    case GroupValues.bus: nil
    case GroupValues.pressure:
      NoteEvent(.pressure, channel: group, UInt8(clamping: value), at: 0)
    case GroupValues.bend:
      NoteEvent(
        .bend, channel: group, UInt8(clamping: value & 0x7f), UInt8(clamping: value >> 7), at: 0)
    default:
      NoteEvent(
        .controller, channel: group, UInt8(clamping: index), UInt8(clamping: value), at: 0)
    }
  }
}
