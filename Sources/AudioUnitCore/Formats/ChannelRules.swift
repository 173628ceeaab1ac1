// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// Checks the channel counts of a unit's buses against its capabilities.
package enum ChannelRules {
  /// Throws `formatNotSupported` unless one entry of `capabilities` allows the counts; without a
  /// list the input and output counts must be equal.
  package static func check(_ inputs: [Int], _ outputs: [Int], _ capabilities: [AUChannelInfo]?)
    throws(AudioError)
  {
    guard let capabilities else {
      guard let input = inputs.first, let output = outputs.first, input != output else { return }
      throw .formatNotSupported.because(
        "\(input) input and \(output) output channels; this unit needs equal numbers")
    }
    guard !capabilities.contains(where: { fits($0, inputs, outputs) }) else { return }
    let (given, made) = (inputs.map(String.init), outputs.map(String.init))
    throw .formatNotSupported.because(
      "channels in: \(given.joined(separator: ", ")); out: \(made.joined(separator: ", ")); "
        + "possible: "
        + capabilities.map(text).joined(separator: "; "))
  }

  /// An entry in words.
  private static func text(_ info: AUChannelInfo) -> String {
    guard (info.inChannels, info.outChannels) != (-1, -1) else { return "as many out as in" }
    func count(_ rule: Int16) -> String {
      switch rule {
      case 0: "none"
      case -1, -2: "any number"
      case ..<(-2): "\(-Int(rule)) together at most"
      default: "\(rule)"
      }
    }
    return "\(count(info.inChannels)) in, \(count(info.outChannels)) out"
  }

  /// Whether an entry allows the channel counts of all buses.
  static func fits(_ info: AUChannelInfo, _ inputs: [Int], _ outputs: [Int]) -> Bool {
    if info.inChannels == -1, info.outChannels == -1 {
      guard let first = inputs.first ?? outputs.first else { return true }
      return (inputs + outputs).allSatisfy { $0 == first }
    }
    return allows(info.inChannels, inputs) && allows(info.outChannels, outputs)
  }

  private static func allows(_ rule: Int16, _ channels: [Int]) -> Bool {
    switch rule {
    case 0: channels.isEmpty
    case -1, -2: true
    case ..<(-2): channels.reduce(0, +) <= -Int(rule)
    default: channels.allSatisfy { $0 == Int(rule) }
    }
  }
}
