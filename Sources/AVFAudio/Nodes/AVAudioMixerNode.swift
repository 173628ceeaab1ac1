// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
public import AudioValues

/// Mixes any number of inputs, of any rates and numbers of channels, to one output of one or two
/// channels. Each input has the volume and the pan of its source.
///
/// Its unit is the multichannel mixer. At volume 1 and pan 0, an input with the format of the output
/// passes unchanged to the bit.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  private let mixer: NodeUnit
  private let inputs: MixerInputs

  /// A mixer without connections.
  public init() {
    let mixer = NodeUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    self.mixer = mixer
    inputs = MixerInputs(mixer) { mixer, element, values in
      let scope = kAudioUnitScope_Input
      mixer.set(parameter: kMultiChannelMixerParam_Volume, scope, element, values.volume)
      mixer.set(parameter: kMultiChannelMixerParam_Pan, scope, element, values.pan)
    }
    super.init(mixer, inputs: 1, outputs: 1)
  }

  /// The gain of the output: from 0 to 1, or more to amplify; initially 1. A value that is not a
  /// number changes nothing.
  open var outputVolume: Float {
    get { mixer.parameter(kMultiChannelMixerParam_Volume, kAudioUnitScope_Output) }
    set {
      mixer.set(parameter: kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0, newValue)
    }
  }

  /// The first input that is not connected.
  open var nextAvailableInputBus: AVAudioNodeBus {
    engine?.core.queries.freeInput(of: self) ?? 0
  }

  /// One more than the highest input that is connected, and at least 1.
  open override var numberOfInputs: Int {
    max(1, (engine?.core.queries.lastInput(of: self) ?? 0) + 1)
  }

  // MARK: As a source

  /// The gain at the mixers that it reaches.
  open var volume: Float {
    get { mixing.values.volume }
    set { mixing.set(\.volume, toNumber: newValue) }
  }

  /// The position at the mixers that it reaches.
  open var pan: Float {
    get { mixing.values.pan }
    set { mixing.set(\.pan, toNumber: newValue) }
  }

  /// The values at one input of a mixer; nil if the node does not reach it.
  @discardableResult
  open func destination(
    forMixer mixer: AVAudioNode, bus: AVAudioNodeBus
  ) -> AVAudioMixingDestination? { mixing.destination(mixer, bus) }

  // MARK: For the engine

  override var formatRule: FormatRule { .converts }
  override var mixerInputs: MixerInputs? { inputs }

  override func setMixing(_ values: MixingValues, onInput bus: AVAudioNodeBus) {
    inputs.set(values, bus)
  }
}

extension MixingSource {
  /// The values at one input of a mixer; nil if the source does not reach it.
  func destination(_ mixer: AVAudioNode, _ bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
    let target = Target(mixer: mixer, bus: bus)
    return values(at: target) == nil ? nil : AVAudioMixingDestination(self, target)
  }
}
