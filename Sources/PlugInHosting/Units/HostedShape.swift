// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The buses of the unit that hosts a plug-in.
struct HostedShape: Sendable {
  /// The channels of each output bus. A plug-in without sound has one that is silent; one that only has
  /// inputs has one that passes its main input through.
  let outputs: [Int]
  let inputs: [Int]
  /// The output that is not the plug-in's own.
  let passesInputOn: Bool
  let isSilent: Bool
  /// Whether the unit is an effect with the core's bypass: others have several buses, control signals, or
  /// numbers of channels that differ.
  let isEffect: Bool
  /// Whether every channel gets an instance of its own.
  let isMono: Bool

  /// The channels of the main input that replace the main output of a bypassed unit; 0 if the plug-in or
  /// the core does that, or if there is no sound to pass on.
  let bypassedInputs: Int

  /// How many channels a plug-in for one channel can have.
  static let monoChannels = 1...8

  init(_ plugIn: PlugInDescription) {
    inputs = plugIn.inputs.map(\.channelCount)
    passesInputOn = plugIn.outputs.isEmpty && !inputs.isEmpty
    isSilent = plugIn.outputs.isEmpty && inputs.isEmpty
    outputs =
      passesInputOn
      ? [inputs[0]] : isSilent ? [2] : plugIn.outputs.map(\.channelCount)
    let fadesItself = plugIn.parameters.contains { [.enabled, .bypass].contains($0.purpose) }
    isEffect =
      inputs.count == 1 && inputs == outputs && !passesInputOn
      && (plugIn.inputs + plugIn.outputs).allSatisfy { $0.role == .sound }
    bypassedInputs =
      fadesItself || isEffect || passesInputOn || isSilent || plugIn.inputs.first?.role != .sound
      ? 0 : inputs.first ?? 0
    isMono =
      isEffect && inputs == [1] && !plugIn.acceptsMIDI
      && !plugIn.sendsMIDI && plugIn.format != .clap
  }

  /// The combinations of channels that a host can choose.
  var channels: [AUChannelInfo] {
    if isMono {
      return Self.monoChannels.map { .init(inChannels: Int16($0), outChannels: Int16($0)) }
    }
    guard inputs.count <= 1, outputs.count == 1 else {
      // Each bus has its number; see `HostedUnit.check`.
      return [.init(inChannels: -1, outChannels: -2)]
    }
    return [mainChannels]
  }

  /// The channels of the main buses.
  var mainChannels: AUChannelInfo {
    .init(
      inChannels: Int16(clamping: inputs.first ?? 0), outChannels: Int16(clamping: outputs[0]))
  }
}
