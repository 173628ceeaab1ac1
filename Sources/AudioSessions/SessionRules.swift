// SPDX-License-Identifier: Apache-2.0
import AudioSupport

// Which options, modes and policies are allowed in which category: one row each.
extension SessionSetup {
  private typealias Category = SessionCategory

  private static let withInput: [Category] = [.record, .playAndRecord, .multiRoute]
  private static let voice: [Category] = [.playAndRecord, .record]

  private static let optionRows: [(option: SessionOptions, name: String, categories: [Category])] =
    [
      (.mixWithOthers, "mixWithOthers", [.playback, .playAndRecord, .multiRoute]),
      (.duckOthers, "duckOthers", [.ambient, .playback, .playAndRecord, .multiRoute]),
      (
        .interruptSpokenAudio, "interruptSpokenAudioAndMixWithOthers",
        [.playback, .playAndRecord, .multiRoute]
      ),
      (.allowBluetoothHFP, "allowBluetoothHFP", voice),
      (.defaultToSpeaker, "defaultToSpeaker", [.playAndRecord]),
      (.allowBluetoothA2DP, "allowBluetoothA2DP", [.playAndRecord]),
      (.allowAirPlay, "allowAirPlay", [.playAndRecord]),
      (.overrideMutedMicrophoneInterruption, "overrideMutedMicrophoneInterruption", withInput),
      (.farFieldInput, "farFieldInput", withInput),
      (.bluetoothHighQualityRecording, "bluetoothHighQualityRecording", voice),
    ]

  /// The categories of a mode; nil for all.
  private static func categories(of mode: SessionMode) -> [Category]? {
    switch mode {
    case .voiceChat, .videoChat, .gameChat: [.playAndRecord]
    case .videoRecording: voice
    case .moviePlayback, .shortFormVideo: [.playback]
    case .dualRoute: [.multiRoute]
    default: nil
    }
  }

  /// The categories in which the output can be overridden.
  static let overridable: [SessionCategory] = [.playAndRecord]
  /// The categories in which input and output can be requested to run on one clock.
  static let aggregable: [SessionCategory] = [.playAndRecord, .multiRoute]

  /// Throws for combinations that are not allowed; the error names the allowed ones.
  package func check() throws(AudioError) {
    guard SessionCategory.allCases.contains(category) else {
      throw .invalidArgument.because("there is no category \"\(category.rawValue)\"")
    }
    guard SessionMode.allCases.contains(mode) else {
      throw .invalidArgument.because("there is no mode \"\(mode.rawValue)\"")
    }
    try checkOptions()
    if let categories = Self.categories(of: mode), !categories.contains(category) {
      throw Self.refusal("mode \(mode.shortName)", categories, category)
    }
    if mode == .dualRoute, !options.contains(.allowBluetoothHFP) {
      throw .invalidArgument.because("mode DualRoute needs the option allowBluetoothHFP")
    }
    try checkPolicy()
  }

  private func checkOptions() throws(AudioError) {
    let known = Self.optionRows.reduce(into: SessionOptions()) { $0.formUnion($1.option) }
    guard options.isSubset(of: known) else {
      let unknown = String(options.subtracting(known).rawValue, radix: 16)
      throw .invalidArgument.because("0x\(unknown): there is no such option of a category")
    }
    // Ducking or interrupting others implies mixing, in every category that allows them.
    let mixesAnyway = !options.isDisjoint(with: [.duckOthers, .interruptSpokenAudio])
    for row in Self.optionRows where options.contains(row.option) {
      if row.option == .mixWithOthers, mixesAnyway { continue }
      // The mode with two routes needs this option, in any of its categories.
      if row.option == .allowBluetoothHFP, mode == .dualRoute { continue }
      guard row.categories.contains(category) else {
        throw Self.refusal("option \(row.name)", row.categories, category)
      }
    }
    guard
      options.isDisjoint(with: .farFieldInput)
        || effectiveOptions.contains(.allowBluetoothHFP)
    else {
      throw .invalidArgument.because("option farFieldInput needs the option allowBluetoothHFP")
    }
  }

  private func checkPolicy() throws(AudioError) {
    switch policy {
    case .default: return
    case .independent:
      throw .invalidArgument.because(
        "policy independent is the system's: expected default, longFormAudio or longFormVideo")
    case .longFormAudio, .longFormVideo:
      let modes: [SessionMode] = [.default, .moviePlayback, .spokenAudio]
      guard category == .playback, modes.contains(mode), options.isEmpty else {
        throw .invalidArgument.because(
          "a long-form policy is for category Playback with mode Default, MoviePlayback or "
            + "SpokenAudio and no options")
      }
    }
  }

  private static func refusal(_ what: String, _ categories: [Category], _ given: Category)
    -> AudioError
  {
    let names = categories.map(\.shortName).joined(separator: ", ")
    return .invalidArgument.because("\(what) is for \(names); the category is \(given.shortName)")
  }

  /// The modes that are allowed in the category.
  package static func modes(of category: SessionCategory) -> [SessionMode] {
    SessionMode.allCases.filter { categories(of: $0)?.contains(category) ?? true }
  }
}
