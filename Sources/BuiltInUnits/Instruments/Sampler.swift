// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Plays one instrument, from a bank or made of sound files, on all channels.
struct Sampler: InstrumentKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler, "AUSampler")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case gain = 900
    case coarseTuning, fineTuning, pan

    var spec: ParameterSpec {
      switch self {
      case .gain: .init("gain", .decibels, -90...12, default: 0)
      case .coarseTuning: .init("coarse tuning", .relativeSemiTones, -24...24, default: 0)
      case .fineTuning: .init("fine tuning", .cents, -99...99, default: 0)
      case .pan: .init("pan", .pan, -1...1, default: 0)
      }
    }
  }

  private(set) var output: InstrumentOutput

  init(output: consuming InstrumentOutput) { self.output = output }

  mutating func reset() { output.reset() }

  @_noLocks
  mutating func render(_ outputs: BusSlices, _ values: Values) {
    var controls = InstrumentRenderer.Controls()
    controls.cents = 100 * values[.coarseTuning] + values[.fineTuning]
    controls.gain = Decibels.gain(ofLevel: values[.gain])
    controls.pan = values[.pan]
    output.render(outputs, controls)
  }
}

/// The unit of `Sampler`: plays the first instrument of the system's bank until another is loaded.
final class SamplerUnit: MIDIInstrumentUnit, @unchecked Sendable {
  /// The bank and program of its instrument.
  private var selection = (bank: 0, program: 0)
  /// The entries of a saved state that name the instrument, if it is not one of a bank.
  private var saved: [String: PropertyList] = [:]
  /// The file of the state that is being restored; nil if it comes from a host.
  private var presetPath: String?
  /// Whether a state that is being restored has another instrument.
  private var hasOtherInstrument = false

  override var acceptsProgramChanges: Bool { false }
  override var properties: [UnitProperty] { super.properties + Self.samplerProperties }

  override func onlyInstrument(of instruments: [BankInstrument]) throws(AudioError) -> Int {
    let index = instruments.firstIndex {
      $0.bank == selection.bank && $0.program == selection.program
    }
    guard let index else {
      throw AudioError(status: kAudioUnitErr_IllegalInstrument).because(
        "the bank has no program \(selection.program) in its bank \(selection.bank)")
    }
    return index
  }

  /// [under the lock] Loads an instrument; nothing changes if that fails.
  private func load(_ source: BankSource, bank: Int, program: Int) throws(AudioError) {
    let before = selection
    selection = (bank, program)
    do throws(AudioError) { try setSource(source) } catch {
      selection = before
      throw error
    }
  }

  private func load(_ data: AUSamplerInstrumentData) throws(AudioError) {
    guard let path = Bridge.current.path(data.__fileURL) else {
      throw .invalidPropertyValue.because("fileURL is not a URL of a file")
    }
    switch Int(data.instrumentType) {
    case Int(kInstrumentType_SF2Preset):
      guard data.presetID < 128 else {
        throw .invalidPropertyValue.because("presetID \(data.presetID); expected 0 to 127")
      }
      let bank =
        switch Int(data.bankMSB) {
        case Int(kAUSampler_DefaultPercussionBankMSB), 127: SynthRack.percussionBank
        case Int(kAUSampler_DefaultMelodicBankMSB), 0: Int(data.bankLSB)
        default: Int(data.bankMSB)
        }
      try load(.file(path), bank: bank, program: Int(data.presetID))
    case Int(kInstrumentType_Audiofile): try load(files: [path])
    case Int(kInstrumentType_AUPreset):
      let state = try SamplerPreset.read(path)
      presetPath = path
      defer { presetPath = nil }
      do throws(AudioError) { try restore(state) } catch { throw error.of(path) }
      notifyListeners(
        PropertyAddress(kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0))
    case Int(kInstrumentType_EXS24): try load(exs: path)
    default:
      throw AudioError(status: kAudioUnitErr_InstrumentTypeNotFound).because(
        "instrumentType \(data.instrumentType); expected a preset of a bank "
          + "(kInstrumentType_SF2Preset), a saved state (kInstrumentType_AUPreset), a sound file "
          + "(kInstrumentType_Audiofile) or an EXS24 instrument (kInstrumentType_EXS24)")
    }
  }

  private func load(files paths: [String]) throws(AudioError) {
    let bank = try SampleBank(paths)
    try load(.samples(bytes: bank.bytes, paths: paths), bank: 0, program: 0)
    saved = [Self.fileKey: .array(paths.map { .string($0) })]
  }

  /// Loads an EXS24 instrument.
  private func load(exs path: String) throws(AudioError) {
    let bank = try SampleBank(
      EXSInstrument.zones(of: path), name: InstrumentUnit.fileName(path))
    try load(.samples(bytes: bank.bytes, paths: [path]), bank: 0, program: 0)
    saved = [Self.exsKey: .string(path)]
  }

  /// Loads the instrument of a saved state.
  private func load(_ preset: SamplerPreset) throws(AudioError) {
    let bank = try SampleBank(preset.zones, name: preset.name)
    try load(
      .samples(bytes: bank.bytes, paths: [presetPath ?? preset.name]), bank: 0, program: 0)
    saved = preset.saved
  }

  // MARK: State

  override var ownState: [String: PropertyList] {
    var state = super.ownState
    state[Self.programKey] = nil
    state[Self.instrumentKey] = .array([.integer(selection.bank), .integer(selection.program)])
    if case .samples = source { state.merge(saved) { _, own in own } }
    return state
  }

  override func restoreOwnState(_ state: PropertyList) throws(AudioError) {
    let before = selection
    if case .array(let numbers)? = state[Self.instrumentKey], numbers.count == 2,
      let bank = numbers[0].integer, let program = numbers[1].integer
    {
      selection = (bank, program)
    }
    hasOtherInstrument = selection != before
    do throws(AudioError) {
      if case .array(let files)? = state[Self.fileKey] {
        try load(files: files.compactMap(\.string))
      } else if let path = state[Self.exsKey]?.string {
        try load(exs: path)
      } else if let preset = try SamplerPreset(state, folder: presetPath.map(SampleFinder.folder)) {
        try load(preset)
      } else {
        return try super.restoreOwnState(state)
      }
      GroupState(player).restore(state, sends: isInitialized)
    } catch {
      selection = before
      throw error
    }
  }

  override var alwaysReloadsBank: Bool { hasOtherInstrument }

  private static let instrumentKey = "instrument"
  private static let fileKey = "sound-files"
  private static let exsKey = "exs-file"

  private static let samplerProperties = PropertyRow<SamplerUnit>.rows([
    .value(
      kAUSamplerProperty_LoadPresetFromBank, in: [kAudioUnitScope_Global],
      set: { (unit, _, data: AUSamplerBankPresetData) throws(AudioError) in
        try unit.load(
          AUSamplerInstrumentData(
            __fileURL: data.__bankURL, instrumentType: UInt8(clamping: kInstrumentType_SF2Preset),
            bankMSB: data.bankMSB, bankLSB: data.bankLSB, presetID: data.presetID))
      }),
    .value(
      kAUSamplerProperty_LoadInstrument, in: [kAudioUnitScope_Global],
      set: { (unit, _, data: AUSamplerInstrumentData) throws(AudioError) in try unit.load(data) }),
    .object(
      kAUSamplerProperty_LoadAudioFiles, in: [kAudioUnitScope_Global], type: "CFArray",
      write: { (unit, _, data) throws(AudioError) in
        let object = try data.object("CFArray")
        guard let paths = Bridge.current.paths(object), !paths.isEmpty else {
          throw .invalidPropertyValue.because("expected a CFArray of CFURL of files")
        }
        try unit.load(files: paths)
      }),
  ])
}
