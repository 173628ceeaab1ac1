// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The data sources of one endpoint of a device, such as line and headphones.
struct DataSource: Sendable {
  /// A four-character code if the kind is known, otherwise computed from the name of the port.
  let id: UInt32
  let name: String
  /// The server's name of the port. Nil if there is no choice.
  let port: String?

  /// 'line', the code for ports of unknown kind.
  private static let line: UInt32 = 0x6c69_6e65

  /// All sources of an endpoint: those that the server reports, otherwise one.
  static func all(of device: Device, isInput: Bool) -> [DataSource] {
    let endpoint = device.endpoint(isInput: isInput)
    guard (isInput ? endpoint.inputChannelCount : endpoint.outputChannelCount) > 0 else {
      return []
    }
    guard !endpoint.details.ports.isEmpty else {
      return [DataSource(id: line, name: endpoint.name, port: nil)]
    }
    var sources: [DataSource] = []
    for port in endpoint.details.ports {
      let code = code(port.name, isInput: isInput)
      let isTaken = sources.contains { $0.id == code }
      sources.append(
        DataSource(id: isTaken ? hash(port.name) : code, name: port.description, port: port.name))
    }
    return sources
  }

  /// The selected source.
  static func current(of device: Device, isInput: Bool) -> DataSource? {
    let active = device.endpoint(isInput: isInput).details.activePort
    let all = all(of: device, isInput: isInput)
    return all.first { $0.port == active } ?? all.first
  }

  private static func code(_ port: String, isInput: Bool) -> UInt32 {
    let kinds: [(text: String, input: String, output: String)] = [
      ("headphone", "emic", "hdpn"), ("headset", "emic", "hdpn"), ("hdmi", "hdmi", "hdmi"),
      ("speaker", "imic", "ispk"), ("internal", "imic", "ispk"), ("mic", "emic", "espk"),
      ("iec958", "spdf", "spdf"), ("spdif", "spdf", "spdf"), ("line", "line", "line"),
    ]
    let name = port.lowercased()
    let kind = kinds.first { name.contains($0.text) }
    guard let kind else { return hash(port) }
    return (isInput ? kind.input : kind.output).utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Fowler, Noll and Vo's hash, which is the same in every process.
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}

// The data and clock sources of a device, one row each. Each device runs on its own clock.
extension AudioObjects {
  /// 'int ', the code for a device's internal clock.
  private static let internalClock: UInt32 = 0x696e_7420

  static let sources: [PropertyRow<Device>] = [
    .init(
      kAudioDevicePropertyDataSource,
      { query in current(query).map { .numbers([$0.id]) } },
      addressedWrite: { (device, address, data) throws(AudioError) in
        let requestedID = try data.value(UInt32.self)
        let isInput = address.scope == kAudioObjectPropertyScopeInput
        let source = try find(requestedID, device, isInput: isInput)
        guard let port = source.port else { return }
        try device.endpoint(isInput: isInput).change(.port(port), "the data source")
      }),
    .init(
      kAudioDevicePropertyDataSources,
      { query in
        let all = sources(query)
        return all.isEmpty ? nil : .numbers(all.map(\.id))
      }),
    .init(
      kAudioDevicePropertyDataSourceNameForIDCFString,
      { query throws(AudioError) in
        guard channelCount(query) > 0 else { return nil }
        let isInput = query.address.scope == kAudioObjectPropertyScopeInput
        return try name(query.memory) { (id) throws(AudioError) in
          try find(id, query.owner, isInput: isInput).name
        }
      }),
    .init(
      kAudioDevicePropertyJackIsConnected,
      { query in
        guard channelCount(query) > 0, let current = current(query)?.port else { return nil }
        let endpoint = query.owner.endpoint(
          isInput: query.address.scope == kAudioObjectPropertyScopeInput)
        let port = endpoint.details.ports.first { $0.name == current }
        return port?.isPlugged.map { .numbers([$0 ? 1 : 0]) }
      }),
    .init(
      kAudioDevicePropertyClockSource, { _ in .numbers([internalClock]) },
      write: { (device, data) throws(AudioError) in
        let requestedID = try data.value(UInt32.self)
        guard requestedID == internalClock else {
          throw refusal(
            device.uid, "clock source '\(FourCharacterCode(requestedID))'",
            "'\(FourCharacterCode(internalClock))'")
        }
      }),
    .init(kAudioDevicePropertyClockSources, { _ in .numbers([internalClock]) }),
    .init(
      kAudioDevicePropertyClockSourceNameForIDCFString,
      { query throws(AudioError) in
        try name(query.memory) { (id) throws(AudioError) in
          guard id == internalClock else {
            throw noSource(id, "'\(FourCharacterCode(internalClock))'")
          }
          return "\(query.owner.name)'s clock"
        }
      }),
  ]

  private static func sources(_ query: PropertyQuery<Device>) -> [DataSource] {
    guard channelCount(query) > 0 else { return [] }
    return DataSource.all(
      of: query.owner, isInput: query.address.scope == kAudioObjectPropertyScopeInput)
  }

  private static func current(_ query: PropertyQuery<Device>) -> DataSource? {
    guard channelCount(query) > 0 else { return nil }
    return DataSource.current(
      of: query.owner, isInput: query.address.scope == kAudioObjectPropertyScopeInput)
  }

  private static func find(
    _ id: UInt32, _ device: Device, isInput: Bool
  ) throws(AudioError) -> DataSource {
    let all = DataSource.all(of: device, isInput: isInput)
    if let source = all.first(where: { $0.id == id }) { return source }
    throw noSource(id, all.map { "'\(FourCharacterCode($0.id))'" }.joined(separator: ", "))
  }

  private static func noSource(_ id: UInt32, _ available: String) -> AudioError {
    AudioError(status: kAudioHardwareIllegalOperationError).because(
      "there is no source '\(FourCharacterCode(id))', but \(available)")
  }

  /// Fills the output of an AudioValueTranslation from UInt32 to CFString in the caller's memory.
  private static func name(
    _ memory: UnsafeMutableRawBufferPointer, _ text: (UInt32) throws(AudioError) -> String
  ) throws(AudioError) -> PropertyValue {
    guard memory.count >= MemoryLayout<AudioValueTranslation>.size else { return .translation(nil) }
    let translation = memory.loadUnaligned(as: AudioValueTranslation.self)
    let sizes = [translation.mInputDataSize, translation.mOutputDataSize]
    guard sizes == [4, 8], !isNull(translation.mInputData), !isNull(translation.mOutputData) else {
      throw AudioError(status: kAudioHardwareBadPropertySizeError).because(
        "the translation is not one from a UInt32 (4 bytes) to a CFString (8 bytes)")
    }
    let requestedID = UnsafeRawPointer(translation.mInputData).loadUnaligned(as: UInt32.self)
    let name = try text(requestedID)
    translation.mOutputData.storeBytes(
      of: UInt(bitPattern: Bridge.current.retainedString(name)), as: UInt.self)
    return .translation(translation)
  }
}
