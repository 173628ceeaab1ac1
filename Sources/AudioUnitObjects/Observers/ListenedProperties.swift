// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CoreAudio

/// Which property of C units is which property of an object, for listeners and observers.
enum ListenedProperties {
  /// The properties of C units.
  static let ids = Set(all.map(\.id))

  /// The property of C units that a property is for listeners; nil if there is none.
  static func id(of key: String) -> AudioUnitPropertyID? {
    all.first { $0.key == key }?.id
  }

  /// The properties of which a change of a C unit's property tells observers.
  static func keys(_ id: AudioUnitPropertyID) -> [String] {
    switch id {
    case kAudioUnitProperty_ParameterList, kAudioUnitProperty_ElementCount: ["parameterTree"]
    case kAudioUnitProperty_PresentPreset: ["currentPreset", "allParameterValues"]
    default: all.filter { $0.id == id }.map(\.key)
    }
  }

  private static let all: [(key: String, id: AudioUnitPropertyID)] = [
    // Hosts then read all values anew.
    ("allParameterValues", kAudioUnitProperty_ParameterList),
    ("parameterTree", kAudioUnitProperty_ParameterList),
    ("channelCapabilities", kAudioUnitProperty_SupportedNumChannels),
    ("contextName", kAudioUnitProperty_ContextName),
    ("currentPreset", kAudioUnitProperty_PresentPreset),
    ("deviceID", kAudioOutputUnitProperty_CurrentDevice),
    ("factoryPresets", kAudioUnitProperty_FactoryPresets),
    ("latency", kAudioUnitProperty_Latency),
    ("maximumFramesToRender", kAudioUnitProperty_MaximumFramesPerSlice),
    ("renderingOffline", kAudioUnitProperty_OfflineRender),
    ("renderQuality", kAudioUnitProperty_RenderQuality),
    ("running", kAudioOutputUnitProperty_IsRunning),
    ("shouldBypassEffect", kAudioUnitProperty_BypassEffect),
    ("supportsMPE", kAudioUnitProperty_SupportsMPE),
    ("tailTime", kAudioUnitProperty_TailTime),
  ]
}
