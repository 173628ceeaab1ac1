// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

extension UnitDefinition {
  /// `IPodTime` with a wider range of rates.
  static var iPodTimeOther: UnitDefinition {
    UnitDefinition.converter(IPodTime.self).renamed(
      Identity(
        kAudioUnitType_FormatConverter, kAudioUnitSubType_AUiPodTimeOther, "AUiPodTimeOther"),
      range: TimeDomainStretcher.rates, of: IPodTime.Parameter.rate.rawValue)
  }
}
