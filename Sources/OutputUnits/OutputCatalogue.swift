// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

/// The units that play to a device, or take the place of one. A new unit is one line here.
package enum OutputCatalogue {
  private static let units:
    [(subType: UInt32, name: String, make: @Sendable (Component) -> UnitInstance)] = [
      (kAudioUnitSubType_RemoteIO, "AURemoteIO", { OutputUnit(component: $0) }),
      (kAudioUnitSubType_DefaultOutput, "DefaultOutputUnit", { OutputUnit(component: $0) }),
      (kAudioUnitSubType_SystemOutput, "SystemOutputUnit", { OutputUnit(component: $0) }),
      (kAudioUnitSubType_HALOutput, "AudioDeviceOutput", { OutputUnit(component: $0) }),
      (
        kAudioUnitSubType_VoiceProcessingIO, "AUVoiceProcessor",
        { OutputUnit(component: $0, processesVoice: true) }
      ),
      (kAudioUnitSubType_GenericOutput, "GenericOutput", { GenericOutput(component: $0) }),
    ]

  /// [control thread] Registers all of them, once per registry.
  package static func register(in registry: ComponentRegistry) {
    for unit in units {
      registry.register(.init(kAudioUnitType_Output, unit.subType, unit.name), unit.make)
    }
  }
}
