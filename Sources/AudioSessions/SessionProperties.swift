// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio
@_spi(TrappingConversions) import CheckedNumbers

/// The value of a property of AudioSession.h.
package enum SessionValue: Sendable {
  case double(Float64)
  case float(Float32)
  case number(UInt32)
  /// A Core Foundation object, which the reader releases.
  case object(PropertyList)

  /// A UInt32 of 1 or 0.
  package static func flag(_ isOn: Bool) -> Self { .number(isOn ? 1 : 0) }

  package var byteCount: Int {
    switch self {
    case .float, .number: 4
    case .double, .object: 8
    }
  }

  /// Writes it to memory of at least `byteCount` bytes.
  package func write(to data: UnsafeMutableRawPointer) {
    switch self {
    case .double(let value): data.storeBytes(of: value, as: Float64.self)
    case .float(let value): data.storeBytes(of: value, as: Float32.self)
    case .number(let value): data.storeBytes(of: value, as: UInt32.self)
    case .object(let list):
      data.storeBytes(
        of: UInt(bitPattern: Bridge.current.retainedPropertyList(list)), as: UInt.self)
    }
  }
}

/// A property of AudioSession.h: a row of the table below.
struct SessionProperty: Sendable {
  let id: AudioSessionPropertyID
  /// Nil when the property cannot be read.
  let read: (@Sendable (Session) -> SessionValue)?
  /// Nil when the property cannot be written.
  let write: (@Sendable (Session, UnsafeRawBufferPointer) throws(AudioError) -> Void)?

  init(
    _ id: AudioSessionPropertyID, _ read: (@Sendable (Session) -> SessionValue)?,
    write: (@Sendable (Session, UnsafeRawBufferPointer) throws(AudioError) -> Void)? = nil
  ) {
    (self.id, self.read, self.write) = (id, read, write)
  }
}

// The properties that C programs read and write.
extension Session {
  /// The current value of a property.
  package func value(of id: AudioSessionPropertyID) throws(AudioError) -> SessionValue {
    guard let read = try Self.row(id).read else {
      throw Self.unsupported(id, "cannot be read, only listened to or written")
    }
    return read(self)
  }

  /// Writes a property.
  package func set(_ id: AudioSessionPropertyID, _ data: UnsafeRawBufferPointer) throws(AudioError)
  {
    guard let write = try Self.row(id).write else {
      throw Self.unsupported(id, "cannot be written")
    }
    try write(self, data)
  }

  /// Throws when there is no such property.
  package static func check(_ id: AudioSessionPropertyID) throws(AudioError) { _ = try row(id) }

  private static func row(_ id: AudioSessionPropertyID) throws(AudioError) -> SessionProperty {
    guard let row = rows.first(where: { $0.id == id }) else {
      throw unsupported(id, "is not a property of a session")
    }
    return row
  }

  private static func unsupported(_ id: UInt32, _ why: String) -> AudioError {
    AudioError(status: kAudioSessionUnsupportedPropertyError).because(
      "'\(FourCharacterCode(id))' \(why)")
  }

  private static let rows: [SessionProperty] = preferred + current + options + sources

  private static let preferred: [SessionProperty] = [
    .init(
      kAudioSessionProperty_PreferredHardwareSampleRate, { .double($0.preferences.sampleRate) },
      write: { (session, data) throws(AudioError) in
        try session.prefer(sampleRate: try number(data, Float64.self))
      }),
    .init(
      kAudioSessionProperty_PreferredHardwareIOBufferDuration,
      { .float(Float($0.preferences.duration)) },
      write: { (session, data) throws(AudioError) in
        try session.prefer(duration: Double(try number(data, Float32.self)))
      }),
    .init(
      kAudioSessionProperty_AudioCategory, { .number(categories[$0.setup.category] ?? 0) },
      write: { (session, data) throws(AudioError) in
        let code = try number(data, UInt32.self)
        guard let category = categories.first(where: { $0.value == code })?.key else {
          throw .invalidArgument.because("there is no category '\(FourCharacterCode(code))'")
        }
        try session.set(category)
      }),
    .init(
      kAudioSessionProperty_Mode, { .number(modes[$0.setup.mode] ?? kAudioSessionMode_Default) },
      write: { (session, data) throws(AudioError) in
        let code = try number(data, UInt32.self)
        guard let mode = modes.first(where: { $0.value == code })?.key else {
          throw .invalidArgument.because("there is no mode '\(FourCharacterCode(code))'")
        }
        try compatible { () throws(AudioError) in try session.set(mode: mode) }
      }),
    .init(
      kAudioSessionProperty_OverrideAudioRoute, nil,
      write: { (session, data) throws(AudioError) in
        let code = try number(data, UInt32.self)
        guard
          [kAudioSessionOverrideAudioRoute_None, kAudioSessionOverrideAudioRoute_Speaker]
            .contains(code)
        else { throw .invalidArgument.because("there is no route '\(FourCharacterCode(code))'") }
        try compatible { () throws(AudioError) in
          try session.overrideOutput(code == kAudioSessionOverrideAudioRoute_Speaker)
        }
      }),
  ]

  private static let current: [SessionProperty] = [
    .init(
      kAudioSessionProperty_AudioRoute,
      { session in
        let route = session.route
        return .object(.string((route.outputs + route.inputs).first?.type.rawValue ?? ""))
      }),
    .init(kAudioSessionProperty_AudioRouteDescription, { .object($0.route.list) }),
    .init(kAudioSessionProperty_AudioRouteChange, nil),
    .init(kAudioSessionProperty_ServerDied, nil),
    .init(kAudioSessionProperty_CurrentHardwareSampleRate, { .double($0.sampleRate) }),
    .init(
      kAudioSessionProperty_CurrentHardwareInputNumberChannels,
      { .number(UInt32(clamping: $0.channelCount(isInput: true))) }),
    .init(
      kAudioSessionProperty_CurrentHardwareOutputNumberChannels,
      { .number(UInt32(clamping: $0.channelCount(isInput: false))) }),
    .init(kAudioSessionProperty_CurrentHardwareOutputVolume, { .float($0.outputVolume) }),
    .init(
      kAudioSessionProperty_CurrentHardwareInputLatency,
      { .float(Float($0.latency(isInput: true))) }),
    .init(
      kAudioSessionProperty_CurrentHardwareOutputLatency,
      { .float(Float($0.latency(isInput: false))) }),
    .init(kAudioSessionProperty_CurrentHardwareIOBufferDuration, { .float(Float($0.duration)) }),
    .init(kAudioSessionProperty_OtherAudioIsPlaying, { .flag($0.isOtherAudioPlaying) }),
    .init(kAudioSessionProperty_AudioInputAvailable, { .flag($0.isInputAvailable) }),
    .init(
      kAudioSessionProperty_InterruptionType,
      { session in
        .number(
          session.shouldResume
            ? kAudioSessionInterruptionType_ShouldResume
            : kAudioSessionInterruptionType_ShouldNotResume)
      }),
    .init(kAudioSessionProperty_InputGainAvailable, { .flag($0.isInputGainSettable) }),
    .init(
      kAudioSessionProperty_InputGainScalar, { .float($0.inputGain) },
      write: { (session, data) throws(AudioError) in
        try session.set(inputGain: try number(data, Float32.self))
      }),
  ]

  private static let options: [SessionProperty] = [
    option(kAudioSessionProperty_OtherMixableAudioShouldDuck, .duckOthers),
    option(kAudioSessionProperty_OverrideCategoryMixWithOthers, .mixWithOthers),
    option(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, .defaultToSpeaker),
    option(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, .allowBluetoothHFP),
  ]

  private static func option(_ id: AudioSessionPropertyID, _ option: SessionOptions)
    -> SessionProperty
  {
    .init(
      id, { .flag($0.setup.effectiveOptions.contains(option)) },
      write: { (session, data) throws(AudioError) in
        let isOn = try number(data, UInt32.self) != 0
        let setup = session.setup
        let options = isOn ? setup.options.union(option) : setup.options.subtracting(option)
        try compatible { () throws(AudioError) in
          try session.set(
            setup.category, mode: setup.mode, options: options, policy: setup.policy)
        }
      })
  }

  private static let sources: [SessionProperty] = [
    .init(
      kAudioSessionProperty_InputSources,
      { .object($0.route.inputs.first.list("InputSourceKey")) }),
    .init(
      kAudioSessionProperty_OutputDestinations,
      { .object($0.route.outputs.first.list("OutputDestinationKey")) }),
    chosen(kAudioSessionProperty_InputSource, isInput: true),
    chosen(kAudioSessionProperty_OutputDestination, isInput: false),
  ]

  private static func chosen(_ id: AudioSessionPropertyID, isInput: Bool) -> SessionProperty {
    .init(
      id,
      { session in
        let route = session.route
        let port = (isInput ? route.inputs : route.outputs).first
        return .object(.integer(port?.selectedSource.map { Int($0.id) } ?? -1))
      },
      write: { (session, data) throws(AudioError) in
        let address = try number(data, UInt.self)
        guard let object = UnsafeRawPointer(bitPattern: address),
          let number = Bridge.current.propertyList(object)?.integer,
          let source = UInt32(exactly: number)
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

  private static func number<Value: BitwiseCopyable>(
    _ data: UnsafeRawBufferPointer, _: Value.Type
  ) throws(AudioError) -> Value {
    guard data.count == MemoryLayout<Value>.size else {
      throw AudioError(status: kAudioSessionBadPropertySizeError).because(
        "the value has \(data.count) bytes: expected \(MemoryLayout<Value>.size)")
    }
    return data.loadUnaligned(as: Value.self)
  }

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
