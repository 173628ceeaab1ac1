// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The numbers under which a plug-in interface offers its functions.
enum Selectors {
  /// The selectors that every native unit implements.
  static let ofEveryUnit: Set<Int> = [
    kAudioUnitInitializeSelect, kAudioUnitUninitializeSelect,
    kAudioUnitGetPropertyInfoSelect, kAudioUnitGetPropertySelect,
    kAudioUnitSetPropertySelect, kAudioUnitAddPropertyListenerSelect,
    kAudioUnitRemovePropertyListenerSelect,
    kAudioUnitRemovePropertyListenerWithUserDataSelect,
    kAudioUnitAddRenderNotifySelect, kAudioUnitRemoveRenderNotifySelect,
    kAudioUnitGetParameterSelect, kAudioUnitSetParameterSelect,
    kAudioUnitScheduleParametersSelect, kAudioUnitRenderSelect,
    kAudioUnitResetSelect,
  ]
}
