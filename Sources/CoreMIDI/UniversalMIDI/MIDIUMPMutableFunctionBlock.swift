// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Foundation

/// A function block of a program.
///
/// The blocks of an endpoint that are marked as static do not change.
open class MIDIUMPMutableFunctionBlock: MIDIUMPFunctionBlock, @unchecked Sendable {
  /// A block without an endpoint; nil if it does not have from 1 to 16 groups, among 0 to 15.
  public init?(
    name: String, direction: MIDIUMPFunctionBlockDirection, firstGroup: MIDIUMPGroupNumber,
    totalGroupsSpanned: UInt8, maxSysEx8Streams: UInt8, midi1Info: MIDIUMPFunctionBlockMIDI1Info,
    uiHint: MIDIUMPFunctionBlockUIHint, isEnabled: Bool
  ) {
    guard Self.hasGroups(firstGroup, totalGroupsSpanned) else { return nil }
    super.init(
      State(
        name: name, direction: direction, firstGroup: firstGroup, groupCount: totalGroupsSpanned,
        maxSysEx8Streams: maxSysEx8Streams, midi1Info: midi1Info, uiHint: uiHint,
        isEnabled: isEnabled))
  }

  private static func hasGroups(_ first: MIDIUMPGroupNumber, _ count: UInt8) -> Bool {
    count > 0 && Int(first) + Int(count) <= 16
  }

  /// Begins or ends its use.
  open func setEnabled(_ isEnabled: Bool) throws { try change { $0.isEnabled = isEnabled } }

  /// Renames it.
  open func setName(_ name: String) throws { try change { $0.name = name } }

  /// Moves it to other groups, as many as it has, and changes its purpose.
  open func reconfigure(
    firstGroup: MIDIUMPGroupNumber, direction: MIDIUMPFunctionBlockDirection,
    midi1Info: MIDIUMPFunctionBlockMIDI1Info, uiHint: MIDIUMPFunctionBlockUIHint
  ) throws {
    let count = totalGroupsSpanned
    guard Self.hasGroups(firstGroup, count) else {
      throw refusal(
        AudioError.invalidArgument.status,
        "\(count) groups from \(firstGroup) on; groups are 0 to 15")
    }
    try change {
      $0.firstGroup = firstGroup
      $0.direction = direction
      $0.midi1Info = midi1Info
      $0.uiHint = uiHint
    }
  }

  private func change(_ body: (inout State) -> Void) throws {
    guard umpEndpoint?.hasStaticFunctionBlocks != true else {
      throw refusal(kMIDINotPermitted, "the function blocks of this endpoint are static")
    }
    let changed = state.withLock { state in
      body(&state)
      return state.changed
    }
    changed?(self)
  }
}
