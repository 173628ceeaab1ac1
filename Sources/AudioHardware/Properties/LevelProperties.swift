// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox

// The levels of a device, one row each: of an endpoint, and of each channel if the server has a
// volume.
extension AudioObjects {
  static let level: [PropertyRow<Device>] = [
    volume(kAudioDevicePropertyVolumeScalar),
    volume(kAudioHardwareServiceDeviceProperty_VirtualMainVolume),
    .init(
      kAudioDevicePropertyVolumeDecibels,
      { query in
        EndpointLevel(query.owner, query.address).map { .float($0.decibels($0.scalar)) }
      },
      addressedWrite: { (device, address, data) throws(AudioError) in
        let decibels = try data.value(Float32.self)
        guard EndpointLevel.range.contains(decibels) else {
          throw refusal(device.uid, "\(decibels) dB", "-96 to 0 dB")
        }
        guard let level = EndpointLevel(device, address) else { return }
        try level.setScalar(level.scalar(decibels: decibels))
      }),
    .init(
      kAudioDevicePropertyVolumeRangeDecibels,
      { query in
        let range = EndpointLevel.range
        return EndpointLevel(query.owner, query.address).map { _ in
          .ranges([
            .init(mMinimum: Double(range.lowerBound), mMaximum: Double(range.upperBound))
          ])
        }
      }),
    .init(
      kAudioDevicePropertyVolumeScalarToDecibels,
      { query in
        EndpointLevel(query.owner, query.address).map {
          .float($0.decibels(given(query.memory)))
        }
      }),
    .init(
      kAudioDevicePropertyVolumeDecibelsToScalar,
      { query in
        EndpointLevel(query.owner, query.address).map {
          .float($0.scalar(decibels: given(query.memory)))
        }
      }),
    .init(
      kAudioDevicePropertyMute,
      { query in
        EndpointLevel(query.owner, query.address)?.isMuted.map { .numbers([$0 ? 1 : 0]) }
      },
      addressedWrite: { (device, address, data) throws(AudioError) in
        let mutes = try data.value(UInt32.self) != 0
        try EndpointLevel(device, address)?.setMuted(mutes)
      }),
  ]

  /// The level of the low-frequency channel. Nil if there is none.
  private static func low(_ device: Device, _ scope: AudioObjectPropertyScope) -> EndpointLevel? {
    let isInput = scope == kAudioObjectPropertyScopeInput
    guard isInput || scope == kAudioObjectPropertyScopeOutput else { return nil }
    let count = isInput ? device.inputChannelCount : device.outputChannelCount
    let channel = ChannelNames.labels(count).firstIndex(of: kAudioChannelLabel_LFEScreen)
    return channel.flatMap { EndpointLevel(device, isInput: isInput, element: $0 + 1) }
  }

  static let lowLevel: [PropertyRow<Device>] = [
    .init(
      kAudioDevicePropertySubVolumeScalar,
      { query in low(query.owner, query.address.scope).map { .float($0.scalar) } },
      addressedWrite: { (device, address, data) throws(AudioError) in
        try low(device, address.scope)?.setScalar(try data.value(Float32.self))
      }),
    .init(
      kAudioDevicePropertySubVolumeDecibels,
      { query in
        low(query.owner, query.address.scope).map { .float($0.decibels($0.scalar)) }
      },
      addressedWrite: { (device, address, data) throws(AudioError) in
        let decibels = try data.value(Float32.self)
        guard let level = low(device, address.scope), EndpointLevel.range.contains(decibels) else {
          throw refusal(device.uid, "\(decibels) dB", "-96 to 0 dB")
        }
        try level.setScalar(level.scalar(decibels: decibels))
      }),
  ]

  /// The row of the volume for one of its selectors.
  private static func volume(_ selector: AudioObjectPropertySelector) -> PropertyRow<Device> {
    .init(
      selector,
      { query in EndpointLevel(query.owner, query.address).map { .float($0.scalar) } },
      addressedWrite: { (device, address, data) throws(AudioError) in
        let volume = try data.value(Float32.self)
        try EndpointLevel(device, address)?.setScalar(volume)
      })
  }

  /// The value that the program passes with a query.
  static func given(_ memory: UnsafeMutableRawBufferPointer) -> Float32 {
    memory.count >= 4 ? memory.loadUnaligned(as: Float32.self) : 0
  }
}
