// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import PlainText

/// The names of the constants for the codes of components, as programs write them.
enum ComponentKeys {
  /// The constant for a type, a subtype or a manufacturer; nil if there is none.
  static func type(_ code: OSType) -> String? { types.first { $0.1 == code }?.0 }
  static func subtype(_ code: OSType) -> String? { subtypes.first { $0.1 == code }?.0 }
  static func manufacturer(_ code: OSType) -> String? { manufacturers.first { $0.1 == code }?.0 }

  /// The codes that constants stand for, as text: "ipeq" for kAudioUnitSubType_AUiPodEQ; nil if a word
  /// is not such a constant.
  static func codes(named text: String) -> String? {
    let all = types + subtypes + manufacturers
    let words = text.split(separator: " ").map { word in
      all.first { $0.0 == word }.map { FourCharacterCode($0.1).description }
    }
    let found = words.compactMap(\.self)
    return found.count == words.count ? found.joined(separator: " ") : nil
  }

  /// All of them.
  static var names: [String] { (types + subtypes + manufacturers).map(\.0) }

  private static let types: [(String, OSType)] = [
    ("kAudioUnitType_Output", kAudioUnitType_Output),
    ("kAudioUnitType_MusicDevice", kAudioUnitType_MusicDevice),
    ("kAudioUnitType_MusicEffect", kAudioUnitType_MusicEffect),
    ("kAudioUnitType_FormatConverter", kAudioUnitType_FormatConverter),
    ("kAudioUnitType_Effect", kAudioUnitType_Effect),
    ("kAudioUnitType_Mixer", kAudioUnitType_Mixer),
    ("kAudioUnitType_Panner", kAudioUnitType_Panner),
    ("kAudioUnitType_Generator", kAudioUnitType_Generator),
    ("kAudioUnitType_OfflineEffect", kAudioUnitType_OfflineEffect),
    ("kAudioUnitType_MIDIProcessor", kAudioUnitType_MIDIProcessor),
    ("kAudioUnitType_SpeechSynthesizer", kAudioUnitType_SpeechSynthesizer),
    ("kAudioUnitType_RemoteEffect", kAudioUnitType_RemoteEffect),
    ("kAudioUnitType_RemoteGenerator", kAudioUnitType_RemoteGenerator),
    ("kAudioUnitType_RemoteInstrument", kAudioUnitType_RemoteInstrument),
    ("kAudioUnitType_RemoteMusicEffect", kAudioUnitType_RemoteMusicEffect),
  ]

  private static let subtypes: [(String, OSType)] = [
    ("kAudioUnitSubType_ToneGenerator", kAudioUnitSubType_ToneGenerator),
    ("kAudioUnitSubType_LowPassFilter", kAudioUnitSubType_LowPassFilter),
    ("kAudioUnitSubType_HighPassFilter", kAudioUnitSubType_HighPassFilter),
    ("kAudioUnitSubType_BandPassFilter", kAudioUnitSubType_BandPassFilter),
    ("kAudioUnitSubType_HighShelfFilter", kAudioUnitSubType_HighShelfFilter),
    ("kAudioUnitSubType_LowShelfFilter", kAudioUnitSubType_LowShelfFilter),
    ("kAudioUnitSubType_ParametricEQ", kAudioUnitSubType_ParametricEQ),
    ("kAudioUnitSubType_NBandEQ", kAudioUnitSubType_NBandEQ),
    ("kAudioUnitSubType_GraphicEQ", kAudioUnitSubType_GraphicEQ),
    ("kAudioUnitSubType_AUiPodEQ", kAudioUnitSubType_AUiPodEQ),
    ("kAudioUnitSubType_GenericOutput", kAudioUnitSubType_GenericOutput),
    ("kAudioUnitSubType_HALOutput", kAudioUnitSubType_HALOutput),
    ("kAudioUnitSubType_DefaultOutput", kAudioUnitSubType_DefaultOutput),
    ("kAudioUnitSubType_SystemOutput", kAudioUnitSubType_SystemOutput),
    ("kAudioUnitSubType_RemoteIO", kAudioUnitSubType_RemoteIO),
    ("kAudioUnitSubType_VoiceProcessingIO", kAudioUnitSubType_VoiceProcessingIO),
    ("kAudioUnitSubType_MultiBandCompressor", kAudioUnitSubType_MultiBandCompressor),
    ("kAudioUnitSubType_Distortion", kAudioUnitSubType_Distortion),
    ("kAudioUnitSubType_DynamicsProcessor", kAudioUnitSubType_DynamicsProcessor),
    ("kAudioUnitSubType_PeakLimiter", kAudioUnitSubType_PeakLimiter),
    ("kAudioUnitSubType_MultiChannelMixer", kAudioUnitSubType_MultiChannelMixer),
    ("kAudioUnitSubType_MatrixMixer", kAudioUnitSubType_MatrixMixer),
    ("kAudioUnitSubType_StereoMixer", kAudioUnitSubType_StereoMixer),
    ("kAudioUnitSubType_3DMixer", kAudioUnitSubType_3DMixer),
    ("kAudioUnitSubType_SpatialMixer", kAudioUnitSubType_SpatialMixer),
    ("kAudioUnitSubType_MultiSplitter", kAudioUnitSubType_MultiSplitter),
    ("kAudioUnitSubType_ScheduledSoundPlayer", kAudioUnitSubType_ScheduledSoundPlayer),
    ("kAudioUnitSubType_AudioFilePlayer", kAudioUnitSubType_AudioFilePlayer),
    ("kAudioUnitSubType_DLSSynth", kAudioUnitSubType_DLSSynth),
    ("kAudioUnitSubType_MIDISynth", kAudioUnitSubType_MIDISynth),
    ("kAudioUnitSubType_Sampler", kAudioUnitSubType_Sampler),
    ("kAudioUnitSubType_Varispeed", kAudioUnitSubType_Varispeed),
    ("kAudioUnitSubType_AUConverter", kAudioUnitSubType_AUConverter),
    ("kAudioUnitSubType_TimePitch", kAudioUnitSubType_TimePitch),
    ("kAudioUnitSubType_NewTimePitch", kAudioUnitSubType_NewTimePitch),
    ("kAudioUnitSubType_AUiPodTime", kAudioUnitSubType_AUiPodTime),
    ("kAudioUnitSubType_AUiPodTimeOther", kAudioUnitSubType_AUiPodTimeOther),
    ("kAudioUnitSubType_DeferredRenderer", kAudioUnitSubType_DeferredRenderer),
    ("kAudioUnitSubType_RoundTripAAC", kAudioUnitSubType_RoundTripAAC),
    ("kAudioUnitSubType_Splitter", kAudioUnitSubType_Splitter),
    ("kAudioUnitSubType_Merger", kAudioUnitSubType_Merger),
    ("kAudioUnitSubType_Delay", kAudioUnitSubType_Delay),
    ("kAudioUnitSubType_SampleDelay", kAudioUnitSubType_SampleDelay),
    ("kAudioUnitSubType_Reverb2", kAudioUnitSubType_Reverb2),
    ("kAudioUnitSubType_MatrixReverb", kAudioUnitSubType_MatrixReverb),
  ]

  private static let manufacturers: [(String, OSType)] = [
    ("kAudioUnitManufacturer_SwiftAudioToolbox", kAudioUnitManufacturer_SwiftAudioToolbox),
    ("kAudioUnitManufacturer_Apple", kAudioUnitManufacturer_Apple),
  ]
}
