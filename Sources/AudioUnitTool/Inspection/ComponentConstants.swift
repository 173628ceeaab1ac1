// SPDX-License-Identifier: Apache-2.0
// Written by Scripts/component-keys from the headers in Sources/CAudioToolbox.
import AudioToolbox

/// A constant for one of the codes of components, with the sentence that its header has.
struct ComponentConstant {
  let name: String
  let code: OSType
  let sentence: String

  private init(_ name: String, _ code: OSType, _ sentence: String) {
    (self.name, self.code, self.sentence) = (name, code, sentence)
  }

  static let types: [ComponentConstant] = [
    .init(
      "kAudioUnitType_Output", kAudioUnitType_Output,
      "The end of a chain, which pulls the other units: for a device, or for a caller."),
    .init("kAudioUnitType_MusicDevice", kAudioUnitType_MusicDevice, "Notes in, sound out."),
    .init(
      "kAudioUnitType_MusicEffect", kAudioUnitType_MusicEffect,
      "An effect that also plays notes."),
    .init(
      "kAudioUnitType_FormatConverter", kAudioUnitType_FormatConverter,
      "May pull a different number of frames than it outputs."),
    .init("kAudioUnitType_Effect", kAudioUnitType_Effect, "As many frames out as in."),
    .init("kAudioUnitType_Mixer", kAudioUnitType_Mixer, "Several inputs, one or more outputs."),
    .init(
      "kAudioUnitType_Panner", kAudioUnitType_Panner,
      "One input, placed in space in one output."),
    .init("kAudioUnitType_Generator", kAudioUnitType_Generator, "Sound out, no input."),
    .init(
      "kAudioUnitType_OfflineEffect", kAudioUnitType_OfflineEffect,
      "Needs its whole input in advance."),
    .init("kAudioUnitType_MIDIProcessor", kAudioUnitType_MIDIProcessor, "Notes in, notes out."),
    .init(
      "kAudioUnitType_SpeechSynthesizer", kAudioUnitType_SpeechSynthesizer,
      "Makes speech of text."),
    .init(
      "kAudioUnitType_RemoteEffect", kAudioUnitType_RemoteEffect,
      "An effect of another program."),
    .init(
      "kAudioUnitType_RemoteGenerator", kAudioUnitType_RemoteGenerator,
      "A generator of another program."),
    .init(
      "kAudioUnitType_RemoteInstrument", kAudioUnitType_RemoteInstrument,
      "An instrument of another program."),
    .init(
      "kAudioUnitType_RemoteMusicEffect", kAudioUnitType_RemoteMusicEffect,
      "An effect of another program that receives MIDI."),
  ]

  static let subtypes: [ComponentConstant] = [
    .init(
      "kAudioUnitSubType_ToneGenerator", kAudioUnitSubType_ToneGenerator,
      "A generator of one tone or noise."),
    .init(
      "kAudioUnitSubType_LowPassFilter", kAudioUnitSubType_LowPassFilter,
      "Passes frequencies below a cutoff."),
    .init(
      "kAudioUnitSubType_HighPassFilter", kAudioUnitSubType_HighPassFilter,
      "Passes frequencies above a cutoff."),
    .init(
      "kAudioUnitSubType_BandPassFilter", kAudioUnitSubType_BandPassFilter,
      "Passes a band around a frequency."),
    .init(
      "kAudioUnitSubType_HighShelfFilter", kAudioUnitSubType_HighShelfFilter,
      "Boosts or cuts frequencies above a cutoff."),
    .init(
      "kAudioUnitSubType_LowShelfFilter", kAudioUnitSubType_LowShelfFilter,
      "Boosts or cuts frequencies below a cutoff."),
    .init(
      "kAudioUnitSubType_ParametricEQ", kAudioUnitSubType_ParametricEQ,
      "Boosts or cuts a band around a frequency."),
    .init(
      "kAudioUnitSubType_NBandEQ", kAudioUnitSubType_NBandEQ,
      "Many bands, each one of eleven kinds of filter."),
    .init(
      "kAudioUnitSubType_GraphicEQ", kAudioUnitSubType_GraphicEQ,
      "Gains at ten or 31 fixed frequencies."),
    .init("kAudioUnitSubType_AUiPodEQ", kAudioUnitSubType_AUiPodEQ, "A choice of named curves."),
    .init(
      "kAudioUnitSubType_GenericOutput", kAudioUnitSubType_GenericOutput,
      "No device: the caller pulls. Converts linear PCM between its input and output."),
    .init(
      "kAudioUnitSubType_HALOutput", kAudioUnitSubType_HALOutput,
      "A device for output, input or both."),
    .init(
      "kAudioUnitSubType_DefaultOutput", kAudioUnitSubType_DefaultOutput,
      "The device that the user chose for sound."),
    .init(
      "kAudioUnitSubType_SystemOutput", kAudioUnitSubType_SystemOutput,
      "The device that the user chose for alerts."),
    .init(
      "kAudioUnitSubType_RemoteIO", kAudioUnitSubType_RemoteIO,
      "The device of the audio session, for output, input or both."),
    .init(
      "kAudioUnitSubType_VoiceProcessingIO", kAudioUnitSubType_VoiceProcessingIO,
      "Like RemoteIO; also removes the echo of the playback and steady noise from the captured sound."
    ),
    .init(
      "kAudioUnitSubType_MultiBandCompressor", kAudioUnitSubType_MultiBandCompressor,
      "A compressor for each of four frequency bands."),
    .init(
      "kAudioUnitSubType_Distortion", kAudioUnitSubType_Distortion,
      "Echo, decimation, ring modulation, polynomial and soft clip."),
    .init(
      "kAudioUnitSubType_DynamicsProcessor", kAudioUnitSubType_DynamicsProcessor,
      "A compressor and expander."),
    .init("kAudioUnitSubType_PeakLimiter", kAudioUnitSubType_PeakLimiter, "A lookahead limiter."),
    .init(
      "kAudioUnitSubType_MultiChannelMixer", kAudioUnitSubType_MultiChannelMixer,
      "Any number of mono and stereo inputs, one output of one or two channels."),
    .init(
      "kAudioUnitSubType_MatrixMixer", kAudioUnitSubType_MatrixMixer,
      "Mixes every input channel to every output channel."),
    .init(
      "kAudioUnitSubType_StereoMixer", kAudioUnitSubType_StereoMixer,
      "Mono and stereo inputs, one stereo output."),
    .init(
      "kAudioUnitSubType_3DMixer", kAudioUnitSubType_3DMixer,
      "Mono inputs placed around a listener, one output of up to eight channels."),
    .init(
      "kAudioUnitSubType_SpatialMixer", kAudioUnitSubType_SpatialMixer,
      "The 3D mixer with the parameters of its successor."),
    .init(
      "kAudioUnitSubType_AU3DMixerEmbedded", kAudioUnitSubType_AU3DMixerEmbedded,
      "The name of the spatial mixer on telephones."),
    .init(
      "kAudioUnitSubType_MultiSplitter", kAudioUnitSubType_MultiSplitter,
      "One input, any number of outputs."),
    .init(
      "kAudioUnitSubType_ScheduledSoundPlayer", kAudioUnitSubType_ScheduledSoundPlayer,
      "Plays slices of sound that a program schedules."),
    .init(
      "kAudioUnitSubType_AudioFilePlayer", kAudioUnitSubType_AudioFilePlayer,
      "Plays regions of sound files, and slices."),
    .init(
      "kAudioUnitSubType_DLSSynth", kAudioUnitSubType_DLSSynth,
      "Sixteen channels of General MIDI."),
    .init(
      "kAudioUnitSubType_MIDISynth", kAudioUnitSubType_MIDISynth,
      "Like DLSSynth, for programs that load the instruments that they need in advance."),
    .init(
      "kAudioUnitSubType_Sampler", kAudioUnitSubType_Sampler,
      "One instrument, from a bank or made of sound files."),
    .init(
      "kAudioUnitSubType_Varispeed", kAudioUnitSubType_Varispeed,
      "Changes rate and pitch together."),
    .init(
      "kAudioUnitSubType_AUConverter", kAudioUnitSubType_AUConverter,
      "Converts linear PCM: sample type, channels, rate."),
    .init(
      "kAudioUnitSubType_TimePitch", kAudioUnitSubType_TimePitch,
      "Changes rate and pitch independently."),
    .init(
      "kAudioUnitSubType_NewTimePitch", kAudioUnitSubType_NewTimePitch,
      "Like TimePitch, with more settings."),
    .init(
      "kAudioUnitSubType_AUiPodTime", kAudioUnitSubType_AUiPodTime,
      "Changes only the rate, with little CPU time."),
    .init(
      "kAudioUnitSubType_AUiPodTimeOther", kAudioUnitSubType_AUiPodTimeOther,
      "As kAudioUnitSubType_AUiPodTime."),
    .init(
      "kAudioUnitSubType_DeferredRenderer", kAudioUnitSubType_DeferredRenderer,
      "Pulls its input on its own thread, in larger slices, so that rendering only copies frames."),
    .init(
      "kAudioUnitSubType_RoundTripAAC", kAudioUnitSubType_RoundTripAAC,
      "Encodes its input to AAC and decodes it again, to preview the encoding."),
    .init("kAudioUnitSubType_Splitter", kAudioUnitSubType_Splitter, "One input, two outputs."),
    .init(
      "kAudioUnitSubType_Merger", kAudioUnitSubType_Merger,
      "Two inputs, one output: their sum, or their channels side by side."),
    .init(
      "kAudioUnitSubType_Delay", kAudioUnitSubType_Delay,
      "Echoes with feedback and a low-pass filter."),
    .init(
      "kAudioUnitSubType_SampleDelay", kAudioUnitSubType_SampleDelay,
      "A delay of whole frames."),
    .init(
      "kAudioUnitSubType_Reverb2", kAudioUnitSubType_Reverb2,
      "A reverberation made of a network of delays."),
    .init(
      "kAudioUnitSubType_MatrixReverb", kAudioUnitSubType_MatrixReverb,
      "A reverberation with a small room, followed by a large one."),
  ]

  static let manufacturers: [ComponentConstant] = [
    .init(
      "kAudioUnitManufacturer_SwiftAudioToolbox", kAudioUnitManufacturer_SwiftAudioToolbox,
      "This project."),
    .init(
      "kAudioUnitManufacturer_Apple", kAudioUnitManufacturer_Apple,
      "The codes of these units are the same on both systems."),
  ]
}
