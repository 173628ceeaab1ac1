// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import Foundation
import Testing

@Suite("The categories of an audio session")
struct SessionRuleTests {
  typealias Category = AVAudioSession.Category
  typealias Mode = AVAudioSession.Mode
  typealias Options = AVAudioSession.CategoryOptions

  static let categories: [Category] = [
    .ambient, .soloAmbient, .playback, .record, .playAndRecord, .audioProcessing, .multiRoute,
  ]

  /// A row of the table: an option, and the categories that allow it.
  struct OptionRow: Sendable, CustomTestStringConvertible {
    var option: Options
    var beside: Options = []
    var legal: [Category]
    var testDescription: String { "0x\(String(option.rawValue, radix: 16))" }
  }

  static let options: [OptionRow] = [
    .init(option: .mixWithOthers, legal: [.playback, .playAndRecord, .multiRoute]),
    .init(option: .duckOthers, legal: [.ambient, .playback, .playAndRecord, .multiRoute]),
    .init(
      option: .interruptSpokenAudioAndMixWithOthers,
      legal: [.playback, .playAndRecord, .multiRoute]),
    .init(option: .allowBluetoothHFP, legal: [.record, .playAndRecord]),
    .init(option: .allowBluetoothA2DP, legal: [.playAndRecord]),
    .init(option: .defaultToSpeaker, legal: [.playAndRecord]),
    .init(option: .allowAirPlay, legal: [.playAndRecord]),
    .init(
      option: .overrideMutedMicrophoneInterruption, legal: [.record, .playAndRecord, .multiRoute]),
    .init(option: .farFieldInput, beside: .allowBluetoothHFP, legal: [.record, .playAndRecord]),
    .init(option: .farFieldInput, legal: []),
    .init(option: .bluetoothHighQualityRecording, legal: [.record, .playAndRecord]),
    .init(option: Options(rawValue: 0x4000_0000), legal: []),
  ]

  @Test("accept an option if they allow it, else refuse it with -50", arguments: options)
  func option(row: OptionRow) throws {
    for category in Self.categories {
      try withSession { session in
        let options = row.option.union(row.beside)
        let failure = failure { try session.setCategory(category, options: options) }
        guard row.legal.contains(category) else {
          #expect(failure?.code == -50, "\(category.rawValue)")
          #expect(failure?.domain == NSOSStatusErrorDomain)
          // The settings are unchanged.
          #expect(session.category == .soloAmbient && session.categoryOptions == [])
          return
        }
        #expect(failure == nil, "\(category.rawValue): \(failure?.text ?? "")")
        #expect(session.category == category)
        #expect(session.categoryOptions.isSuperset(of: options))
      }
    }
  }

  /// A row of the table: a mode, the categories that allow it, and the options that it implies.
  struct ModeRow: Sendable, CustomTestStringConvertible {
    var mode: Mode
    var options: Options = []
    var legal: [Category]
    var implies: Options = []
    var testDescription: String { mode.rawValue }
  }

  static let modes: [ModeRow] = [
    .init(mode: .default, legal: categories),
    .init(mode: .measurement, legal: categories),
    .init(mode: .spokenAudio, legal: categories),
    .init(mode: .voicePrompt, legal: categories),
    .init(mode: .voiceChat, legal: [.playAndRecord], implies: .allowBluetoothHFP),
    .init(mode: .gameChat, legal: [.playAndRecord], implies: .allowBluetoothHFP),
    .init(
      mode: .videoChat, legal: [.playAndRecord], implies: [.allowBluetoothHFP, .defaultToSpeaker]),
    .init(mode: .videoRecording, legal: [.record, .playAndRecord]),
    .init(mode: .moviePlayback, legal: [.playback]),
    .init(mode: .shortFormVideo, legal: [.playback]),
    .init(mode: .dualRoute, options: .allowBluetoothHFP, legal: [.multiRoute]),
    .init(mode: .dualRoute, legal: []),
    .init(mode: Mode(rawValue: "AVAudioSessionModeOfSomebody"), legal: []),
  ]

  @Test("accept a mode if they allow it, else refuse it with -50", arguments: modes)
  func mode(row: ModeRow) throws {
    for category in Self.categories {
      try withSession { session in
        let failure = failure {
          try session.setCategory(category, mode: row.mode, options: row.options)
        }
        guard row.legal.contains(category) else {
          #expect(failure?.code == -50, "\(category.rawValue)")
          #expect(session.mode == .default && session.category == .soloAmbient)
          return
        }
        #expect(failure == nil, "\(category.rawValue): \(failure?.text ?? "")")
        #expect(session.mode == row.mode)
        #expect(session.categoryOptions == row.options.union(row.implies))
        #expect(session.availableModes.contains(row.mode))
      }
    }
  }

  @Test("accept a mode set alone if they allow it", arguments: modes)
  func modeAlone(row: ModeRow) throws {
    for category in Self.categories where row.options == [] {
      try withSession { session in
        try session.setCategory(category)
        let failure = failure { try session.setMode(row.mode) }
        #expect((failure == nil) == row.legal.contains(category), "\(category.rawValue)")
        #expect(
          session.availableModes.contains(row.mode) == (failure == nil) || row.mode == .dualRoute)
      }
    }
  }

  @Test(
    "accept a long-form policy only for playback without options",
    arguments: [AVAudioSession.RouteSharingPolicy.longFormAudio, .longFormVideo])
  func policy(policy: AVAudioSession.RouteSharingPolicy) throws {
    for category in Self.categories {
      for mode in [Mode.default, .moviePlayback, .spokenAudio, .measurement] {
        try withSession { session in
          let failure = failure { try session.setCategory(category, mode: mode, policy: policy) }
          let isLegal = category == .playback && mode != .measurement
          #expect((failure == nil) == isLegal, "\(category.rawValue) \(mode.rawValue)")
          #expect(session.routeSharingPolicy == (isLegal ? policy : .default))
        }
      }
    }
    try withSession { session in
      #expect(
        failure {
          try session.setCategory(
            .playback, mode: .default, policy: policy, options: .mixWithOthers)
        }?.code == -50)
      #expect(
        failure { try session.setCategory(.playback, mode: .default, policy: .independent) }?.code
          == -50)
    }
  }

  @Test("include the options that others imply")
  func implied() throws {
    try withSession { session in
      try session.setCategory(.playback, options: .duckOthers)
      #expect(session.categoryOptions == [.duckOthers, .mixWithOthers])
      try session.setCategory(.playback, options: .interruptSpokenAudioAndMixWithOthers)
      #expect(session.categoryOptions.contains(.mixWithOthers))
      // A category replaces the options.
      try session.setCategory(.playback)
      #expect(session.categoryOptions == [])
    }
  }

  @Test("keep the mode if the next category allows it, else reset it")
  func keeping() throws {
    try withSession { session in
      try session.setCategory(.playAndRecord, mode: .videoRecording)
      try session.setCategory(.record)
      #expect(session.mode == .videoRecording)
      try session.setCategory(.playback)
      #expect(session.mode == .default)
    }
  }

  @Test("allow an override of the output only for playAndRecord")
  func override() throws {
    for category in Self.categories {
      try withSession { session in
        try session.setCategory(category)
        let answer = failure { try session.overrideOutputAudioPort(.speaker) }
        #expect(answer?.code == (category == .playAndRecord ? nil : -50), "\(category.rawValue)")
        try session.overrideOutputAudioPort(.none)
        let isAggregable = [.playAndRecord, .multiRoute].contains(category)
        let refusal = failure { try session.setAggregatedIOPreference(.aggregated) }
        #expect((refusal == nil) == isAggregable)
        try session.setAggregatedIOPreference(.notSpecified)
      }
    }
  }

  @Test("explain an error, and name what is allowed")
  func explanation() throws {
    try withSession { session in
      let failure = try #require(failure { try session.setCategory(.record, options: .duckOthers) })
      for word in ["duckOthers", "Ambient", "Playback", "PlayAndRecord", "Record"] {
        #expect(failure.text.contains(word), "\(failure.text)")
      }
      #expect(failure.code == AVAudioSession.ErrorCode.badParam.rawValue)
    }
  }

  @Test("refuse an unknown category")
  func unknown() throws {
    try withSession { session in
      #expect(failure { try session.setCategory(Category(rawValue: "Loud")) }?.code == -50)
      #expect(session.availableCategories.count == 6)
    }
  }
}
