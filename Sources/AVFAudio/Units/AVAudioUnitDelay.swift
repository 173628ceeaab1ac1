// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox

/// Echoes: each follows the previous one after the delay time.
open class AVAudioUnitDelay: AVAudioUnitEffect, @unchecked Sendable {
  /// A delay of one second, of which only the echoes sound.
  public init() {
    super.init(NodeUnit(kAudioUnitType_Effect, kAudioUnitSubType_Delay))
    wetDryMix = 100
  }

  /// The time between echoes in seconds, from 0 to 2; 1 at first.
  open var delayTime: TimeInterval {
    get { TimeInterval(own.parameter(kDelayParam_DelayTime)) }
    set { own.set(parameter: kDelayParam_DelayTime, to: Float(newValue)) }
  }

  /// The level of an echo in the next one, in percent from -100 to 100; 50 at first.
  open var feedback: Float {
    get { own.parameter(kDelayParam_Feedback) }
    set { own.set(parameter: kDelayParam_Feedback, to: newValue) }
  }

  /// The frequency in hertz above which echoes lose their sound, from 10 to half the sample rate;
  /// 15,000 at first.
  open var lowPassCutoff: Float {
    get { own.parameter(kDelayParam_LopassCutoff) }
    set { own.set(parameter: kDelayParam_LopassCutoff, to: newValue) }
  }

  /// How much of the output is echoes, in percent; 100 at first.
  open var wetDryMix: Float {
    get { own.parameter(kDelayParam_WetDryMix) }
    set { own.set(parameter: kDelayParam_WetDryMix, to: newValue) }
  }
}
