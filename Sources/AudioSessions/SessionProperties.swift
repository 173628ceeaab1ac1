// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio
@_spi(TrappingConversions) import CheckedNumbers

extension PropertyFamily {
  /// The properties of AudioSession.h.
  static let session = PropertyFamily(
    "the session's",
    Errors(
      unknown: kAudioSessionUnsupportedPropertyError,
      unreadable: kAudioSessionUnsupportedPropertyError,
      readOnly: kAudioSessionUnsupportedPropertyError, size: kAudioSessionBadPropertySizeError,
      value: kAudio_ParamError))
}

// The properties that C programs read and write.
extension Session {
  private typealias Row = PropertyRow<Session>

  package static let properties = PropertyTable<Session>(
    .session, preferred + current + options + sources)

  private static let preferred: [Row] = [
    .value(
      kAudioSessionProperty_PreferredHardwareSampleRate, get: { $0.preferences.sampleRate },
      set: { (session, rate: Float64) throws(AudioError) in try session.prefer(sampleRate: rate) }),
    .value(
      kAudioSessionProperty_PreferredHardwareIOBufferDuration,
      get: { Float($0.preferences.duration) },
      set: { (session, duration: Float32) throws(AudioError) in
        try session.prefer(duration: Double(duration))
      }),
    .value(
      kAudioSessionProperty_AudioCategory, get: { categories[$0.setup.category] ?? 0 },
      set: { (session, code: UInt32) throws(AudioError) in
        guard let category = categories.first(where: { $0.value == code })?.key else {
          throw .invalidArgument.because("there is no category '\(FourCharacterCode(code))'")
        }
        try session.set(category)
      }),
    .value(
      kAudioSessionProperty_Mode, get: { modes[$0.setup.mode] ?? kAudioSessionMode_Default },
      set: { (session, code: UInt32) throws(AudioError) in
        guard let mode = modes.first(where: { $0.value == code })?.key else {
          throw .invalidArgument.because("there is no mode '\(FourCharacterCode(code))'")
        }
        try compatible { () throws(AudioError) in try session.set(mode: mode) }
      }),
    .value(
      kAudioSessionProperty_OverrideAudioRoute,
      set: { (session, code: UInt32) throws(AudioError) in
        guard
          [kAudioSessionOverrideAudioRoute_None, kAudioSessionOverrideAudioRoute_Speaker]
            .contains(code)
        else { throw .invalidArgument.because("there is no route '\(FourCharacterCode(code))'") }
        try compatible { () throws(AudioError) in
          try session.overrideOutput(code == kAudioSessionOverrideAudioRoute_Speaker)
        }
      }),
  ]

  private static let current: [Row] = [
    .list(
      kAudioSessionProperty_AudioRoute,
      get: { session in
        let route = session.route
        return .string((route.outputs + route.inputs).first?.type.rawValue ?? "")
      }),
    .list(kAudioSessionProperty_AudioRouteDescription, get: { $0.route.list }),
    // Programs can only listen to these two.
    Row(kAudioSessionProperty_AudioRouteChange),
    Row(kAudioSessionProperty_ServerDied),
    .value(kAudioSessionProperty_CurrentHardwareSampleRate, get: { $0.sampleRate }),
    .value(
      kAudioSessionProperty_CurrentHardwareInputNumberChannels,
      get: { UInt32(clamping: $0.channelCount(isInput: true)) }),
    .value(
      kAudioSessionProperty_CurrentHardwareOutputNumberChannels,
      get: { UInt32(clamping: $0.channelCount(isInput: false)) }),
    .value(kAudioSessionProperty_CurrentHardwareOutputVolume, get: { $0.outputVolume }),
    .value(
      kAudioSessionProperty_CurrentHardwareInputLatency, get: { Float($0.latency(isInput: true)) }),
    .value(
      kAudioSessionProperty_CurrentHardwareOutputLatency,
      get: { Float($0.latency(isInput: false)) }),
    .value(kAudioSessionProperty_CurrentHardwareIOBufferDuration, get: { Float($0.duration) }),
    .flag(kAudioSessionProperty_OtherAudioIsPlaying, get: { $0.isOtherAudioPlaying }),
    .flag(kAudioSessionProperty_AudioInputAvailable, get: { $0.isInputAvailable }),
    .value(
      kAudioSessionProperty_InterruptionType,
      get: { session in
        session.shouldResume
          ? kAudioSessionInterruptionType_ShouldResume
          : kAudioSessionInterruptionType_ShouldNotResume
      }),
    .flag(kAudioSessionProperty_InputGainAvailable, get: { $0.isInputGainSettable }),
    .value(
      kAudioSessionProperty_InputGainScalar, get: { $0.inputGain },
      set: { (session, gain: Float32) throws(AudioError) in try session.set(inputGain: gain) }),
  ]

  private static let options: [Row] = [
    option(kAudioSessionProperty_OtherMixableAudioShouldDuck, .duckOthers),
    option(kAudioSessionProperty_OverrideCategoryMixWithOthers, .mixWithOthers),
    option(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, .defaultToSpeaker),
    option(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, .allowBluetoothHFP),
  ]

  private static func option(_ id: AudioSessionPropertyID, _ option: SessionOptions)
    -> Row
  {
    .flag(
      id, get: { $0.setup.effectiveOptions.contains(option) },
      set: { (session, isOn) throws(AudioError) in
        let setup = session.setup
        let options = isOn ? setup.options.union(option) : setup.options.subtracting(option)
        try compatible { () throws(AudioError) in
          try session.set(
            setup.category, mode: setup.mode, options: options, policy: setup.policy)
        }
      })
  }

  private static let sources: [Row] = [
    .list(
      kAudioSessionProperty_InputSources, get: { $0.route.inputs.first.list("InputSourceKey") }),
    .list(
      kAudioSessionProperty_OutputDestinations,
      get: { $0.route.outputs.first.list("OutputDestinationKey") }),
    chosen(kAudioSessionProperty_InputSource, isInput: true),
    chosen(kAudioSessionProperty_OutputDestination, isInput: false),
  ]

  private static func chosen(_ id: AudioSessionPropertyID, isInput: Bool) -> Row {
    .list(
      id,
      get: { session in
        let route = session.route
        let port = (isInput ? route.inputs : route.outputs).first
        return .integer(port?.selectedSource.map { Int($0.id) } ?? -1)
      },
      set: { (session, list) throws(AudioError) in
        guard let number = list.integer, let source = UInt32(exactly: number)
        else { throw .invalidArgument.because("the data source is not a CFNumber") }
        let route = session.route
        guard let port = (isInput ? route.inputs : route.outputs).first else {
          throw .resourceNotAvailable.because("the route has no \(isInput ? "input" : "output")")
        }
        try session.choose(source: source, ofPort: port.uid, isInput: isInput)
      })
  }

  // MARK: Values

  private static let categories: [SessionCategory: UInt32] = [
    .ambient: kAudioSessionCategory_AmbientSound,
    .soloAmbient: kAudioSessionCategory_SoloAmbientSound,
    .playback: kAudioSessionCategory_MediaPlayback,
    .record: kAudioSessionCategory_RecordAudio,
    .playAndRecord: kAudioSessionCategory_PlayAndRecord,
    .audioProcessing: kAudioSessionCategory_AudioProcessing,
  ]

  private static let modes: [SessionMode: UInt32] = [
    .default: kAudioSessionMode_Default, .voiceChat: kAudioSessionMode_VoiceChat,
    .videoRecording: kAudioSessionMode_VideoRecording,
    .measurement: kAudioSessionMode_Measurement, .gameChat: kAudioSessionMode_GameChat,
  ]

  /// Runs `body`, and reports its conflicts with the category with their own status.
  private static func compatible(_ body: () throws(AudioError) -> Void) throws(AudioError) {
    do throws(AudioError) { try body() } catch {
      guard error.status == kAudio_ParamError else { throw error }
      throw AudioError(status: kAudioSessionIncompatibleCategory).because(error.explanation)
    }
  }
}

extension SessionRoute {
  /// The route as a property list, for C programs.
  package var list: PropertyList {
    func ports(_ ports: [SessionPort]) -> PropertyList {
      .array(
        ports.map { .dictionary(["RouteDetailedDescription_PortType": .string($0.type.rawValue)]) })
    }
    return .dictionary([
      "RouteDetailedDescription_Inputs": ports(inputs),
      "RouteDetailedDescription_Outputs": ports(outputs),
    ])
  }
}

extension SessionPort? {
  /// The data sources of a port, under keys with a common prefix.
  fileprivate func list(_ key: String) -> PropertyList {
    .array(
      (self?.sources ?? []).map {
        .dictionary([
          "\(key)_ID": .integer(Int($0.id)), "\(key)_Description": .string($0.name),
        ])
      })
  }
}
