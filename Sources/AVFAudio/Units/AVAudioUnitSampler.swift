// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox

/// Plays one instrument on all channels: one of a sound bank, or one made of sound files.
///
/// Until another is loaded, it is the first instrument of the system's bank. It needs FluidSynth;
/// without it, the engine does not start, and the error says so.
open class AVAudioUnitSampler: AVAudioUnitMIDIInstrument, @unchecked Sendable {
  /// A sampler.
  public init() {
    super.init(NodeUnit(kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler))
  }

  // MARK: Instruments

  /// Loads an instrument of a SoundFont or DLS bank: a program, from 0 to 127, of a bank. Throws, and
  /// keeps the current one, if the file cannot be read or has no such instrument.
  ///
  /// `bankMSB` is `kAUSampler_DefaultMelodicBankMSB`, `kAUSampler_DefaultPercussionBankMSB`, or the
  /// number of a bank.
  open func loadSoundBankInstrument(
    at bankURL: URL, program: UInt8, bankMSB: UInt8, bankLSB: UInt8
  ) throws {
    try load(
      bankURL, UInt8(kInstrumentType_SF2Preset), (bankMSB, bankLSB, program),
      "loadSoundBankInstrument(at:program:bankMSB:bankLSB:)")
  }

  /// Loads the state that an `.aupreset` file has, an EXS24 instrument (`.exs`), or makes an
  /// instrument of a sound file, which plays all keys. Throws, and keeps the current one, if the file
  /// or one of its samples cannot be read.
  open func loadInstrument(at instrumentURL: URL) throws {
    let type =
      switch instrumentURL.pathExtension.lowercased() {
      case "aupreset": kInstrumentType_AUPreset
      case "exs": kInstrumentType_EXS24
      default: kInstrumentType_Audiofile
      }
    try load(instrumentURL, UInt8(type), (0, 0, 0), "loadInstrument(at:)")
  }

  /// Loads the state that an `.aupreset` file has; it finds samples beside that file. Throws, and
  /// keeps the current instrument, if the file or one of its samples cannot be read.
  open override func loadPreset(at url: URL) throws {
    try load(url, UInt8(kInstrumentType_AUPreset), (0, 0, 0), "loadPreset(at:)")
  }

  /// Makes an instrument of sound files: each plays the keys around its own. Throws, and keeps the
  /// current one, if one of them cannot be read.
  open func loadAudioFiles(at audioFiles: [URL]) throws {
    let files = audioFiles as NSArray
    try withExtendedLifetime(files) {
      try EngineError.check(
        own.set(
          kAUSamplerProperty_LoadAudioFiles, kAudioUnitScope_Global, 0,
          Unmanaged.passUnretained(files).toOpaque()), "\(Self.self).loadAudioFiles(at:)")
    }
  }

  private func load(
    _ url: URL, _ type: UInt8, _ place: (msb: UInt8, lsb: UInt8, program: UInt8), _ call: String
  ) throws {
    let object = url as NSURL
    try withExtendedLifetime(object) {
      let data = AUSamplerInstrumentData(
        fileURL: .passUnretained(object), instrumentType: type, bankMSB: place.msb,
        bankLSB: place.lsb, presetID: place.program)
      try EngineError.check(
        own.set(kAUSamplerProperty_LoadInstrument, kAudioUnitScope_Global, 0, data),
        "\(Self.self).\(call)", of: url.path)
    }
  }

  // MARK: Sound

  /// The position of the output, from -100 (left) to 100 (right); 0 at first.
  open var stereoPan: Float {
    get { 100 * own.parameter(kAUSamplerParam_Pan) }
    set { own.set(parameter: kAUSamplerParam_Pan, to: newValue / 100) }
  }

  /// The gain of the output in decibels, from -90 to 12; 0 at first.
  open var overallGain: Float {
    get { own.parameter(kAUSamplerParam_Gain) }
    set { own.set(parameter: kAUSamplerParam_Gain, to: newValue) }
  }

  /// The older name of `overallGain`.
  open var masterGain: Float {
    get { overallGain }
    set { overallGain = newValue }
  }

  /// The change of the pitch of all notes in cents, from -2,400 to 2,400; 0 at first.
  open var globalTuning: Float {
    get {
      100 * own.parameter(kAUSamplerParam_CoarseTuning) + own.parameter(kAUSamplerParam_FineTuning)
    }
    set {
      guard newValue.isFinite else { return }
      let cents = min(max(newValue, -2_400), 2_400)
      let semitones = (cents / 100).rounded(.towardZero)
      own.set(parameter: kAUSamplerParam_CoarseTuning, to: semitones)
      own.set(parameter: kAUSamplerParam_FineTuning, to: cents - 100 * semitones)
    }
  }
}
