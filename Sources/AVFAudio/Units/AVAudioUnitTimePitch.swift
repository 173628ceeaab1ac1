// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Changes the speed without the pitch, and the pitch without the speed.
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect, @unchecked Sendable {
  /// An effect that changes neither speed nor pitch yet.
  public init() {
    super.init(NodeUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch))
  }

  /// The speed, from 1/32 to 32; 1 at first.
  open var rate: Float {
    get { own.parameter(kNewTimePitchParam_Rate) }
    set { own.set(parameter: kNewTimePitchParam_Rate, to: newValue) }
  }

  /// The change of the pitch in cents, from -2,400 to 2,400; 0 at first.
  open var pitch: Float {
    get { own.parameter(kNewTimePitchParam_Pitch) }
    set { own.set(parameter: kNewTimePitchParam_Pitch, to: newValue) }
  }

  /// How many segments of the input overlap, from 3 to 32; 8 at first.
  open var overlap: Float {
    get { own.parameter(kNewTimePitchParam_Overlap) }
    set { own.set(parameter: kNewTimePitchParam_Overlap, to: newValue) }
  }
}

/// Changes the speed and the pitch together, as a tape does.
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect, @unchecked Sendable {
  /// An effect that does not change the speed yet.
  public init() {
    super.init(NodeUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed))
  }

  /// The speed, from 0.25 to 4; 1 at first.
  open var rate: Float {
    get { own.parameter(kVarispeedParam_PlaybackRate) }
    set { own.set(parameter: kVarispeedParam_PlaybackRate, to: newValue) }
  }
}
