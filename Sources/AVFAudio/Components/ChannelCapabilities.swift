// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Which numbers of input and output channels a unit can have.
struct ChannelCapabilities {
  var hasInputs: Bool
  var hasOutputs: Bool
  /// The entries of `kAudioUnitProperty_SupportedNumChannels`; nil if the unit has no such list.
  var entries: [AUChannelInfo]?

  init(hasInputs: Bool, hasOutputs: Bool, entries: [AUChannelInfo]?) {
    self.hasInputs = hasInputs
    self.hasOutputs = hasOutputs
    self.entries = entries
  }

  init(of unit: NodeUnit) {
    hasInputs = unit.busCount(kAudioUnitScope_Input) > 0
    hasOutputs = unit.busCount(kAudioUnitScope_Output) > 0
    entries = unit.values(kAudioUnitProperty_SupportedNumChannels, filler: AUChannelInfo())
  }

  /// Whether buses can have these numbers; a scope without buses has 0 channels. Without a list,
  /// both scopes have the same number.
  func allow(_ inputs: Int, _ outputs: Int) -> Bool {
    guard let entries else {
      return allow(inputs, outputs, by: AUChannelInfo(inChannels: -1, outChannels: -1))
    }
    return entries.contains { allow(inputs, outputs, by: $0) }
  }

  private func allow(_ inputs: Int, _ outputs: Int, by entry: AUChannelInfo) -> Bool {
    if hasInputs, hasOutputs, entry.inChannels == -1, entry.outChannels == -1, inputs != outputs {
      return false
    }
    return Self.allows(inputs, entry.inChannels, hasBuses: hasInputs)
      && Self.allows(outputs, entry.outChannels, hasBuses: hasOutputs)
  }

  /// -1 and -2 stand for any number, and a number below for a total.
  private static func allows(_ channels: Int, _ rule: Int16, hasBuses: Bool) -> Bool {
    guard hasBuses else { return channels == 0 }
    return switch rule {
    case -1, -2: channels > 0
    case ..<(-2): channels > 0 && channels <= -Int(rule)
    default: channels == Int(rule)
    }
  }
}
