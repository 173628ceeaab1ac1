// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CoreAudio
@_spi(TrappingConversions) import CheckedNumbers

/// The input or output of a device, read with the functions of AudioHardware.h.
struct SessionDevice: Sendable {
  let id: AudioObjectID
  let isInput: Bool

  /// The default device; nil when there is none.
  static func standard(isInput: Bool) -> Self? {
    let selector =
      isInput
      ? kAudioHardwarePropertyDefaultInputDevice : kAudioHardwarePropertyDefaultOutputDevice
    let id = system.value(selector, AudioObjectID(kAudioObjectUnknown)) ?? kAudioObjectUnknown
    return id == kAudioObjectUnknown ? nil : Self(id: id, isInput: isInput)
  }

  /// All devices with this endpoint, in the order of the device list.
  static func all(isInput: Bool) -> [Self] {
    system.values(kAudioHardwarePropertyDevices, AudioObjectID(kAudioObjectUnknown))
      .map { Self(id: $0, isInput: isInput) }.filter { $0.channelCount > 0 }
  }

  private static let system = Self(
    id: AudioObjectID(clamping: kAudioObjectSystemObject), isInput: false)

  // MARK: Description

  var uid: String { text(kAudioDevicePropertyDeviceUID) ?? "" }
  var name: String { text(kAudioObjectPropertyName) ?? "" }
  /// The back end: the part of the UID before its first colon.
  var backend: String { String(uid.prefix { $0 != ":" }) }
  /// Whether it captures another device's output.
  var isMonitor: Bool { isInput && uid.hasSuffix(".monitor") }
  var transport: UInt32 { value(kAudioDevicePropertyTransportType, UInt32(0)) ?? 0 }

  var channelCount: Int {
    guard let bytes = bytes(kAudioDevicePropertyStreamConfiguration, scope) else { return 0 }
    return bytes.withUnsafeBytes { bytes in
      guard bytes.count >= MemoryLayout<UInt32>.size else { return 0 }
      let first = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8
      let stride = MemoryLayout<AudioBuffer>.stride
      let stated = Int(bytes.loadUnaligned(as: UInt32.self))
      return (0..<min(stated, max(0, bytes.count - first) / stride)).reduce(0) { sum, index in
        sum + Int(bytes.loadUnaligned(fromByteOffset: first + index * stride, as: UInt32.self))
      }
    }
  }

  /// The display name of a channel, counted from 1.
  func channelName(_ channel: Int) -> String {
    text(kAudioObjectPropertyElementName, scope, UInt32(clamping: channel)) ?? "Channel \(channel)"
  }

  /// The label of each channel.
  var channelLabels: [AudioChannelLabel] {
    guard let bytes = bytes(kAudioDevicePropertyPreferredChannelLayout, scope) else { return [] }
    return bytes.withUnsafeBytes { bytes in
      let first = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12
      let stride = MemoryLayout<AudioChannelDescription>.stride
      guard bytes.count >= first else { return [] }
      let stated = Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
      return (0..<min(stated, (bytes.count - first) / stride)).map { index in
        bytes.loadUnaligned(fromByteOffset: first + index * stride, as: AudioChannelLabel.self)
      }
    }
  }

  // MARK: State

  /// The granted rate and cycle, if this process runs a stream on the device.
  private var running: (sampleRate: Double, cycleFrames: Int)? {
    DeviceActivity.streams(on: uid).last.map { ($0.device.sampleRate, $0.device.cycleFrames) }
  }

  var sampleRate: Double {
    running?.sampleRate ?? value(kAudioDevicePropertyNominalSampleRate, 0.0) ?? 0
  }

  var cycleFrames: Int {
    running?.cycleFrames ?? Int(value(kAudioDevicePropertyBufferFrameSize, UInt32(0)) ?? 0)
  }

  /// Whether another process plays to it; nil when its server does not tell processes apart.
  var othersPlay: Bool? { DeviceActivity.othersPlay(to: uid) }

  /// Whether the device runs without any stream of this process.
  var isRunningElsewhere: Bool {
    DeviceActivity.streams(on: uid).isEmpty
      && value(kAudioDevicePropertyDeviceIsRunningSomewhere, UInt32(0)) == 1
  }

  /// Seconds from a cycle to the device's output, or from its input to the cycle.
  var latency: Double {
    let frames = [kAudioDevicePropertyLatency, kAudioDevicePropertySafetyOffset]
      .reduce(0) { $0 + Double(value($1, UInt32(0), scope) ?? 0) }
    return sampleRate > 0 ? frames / sampleRate : 0
  }

  // MARK: Volume and sources

  var volume: Float? { value(kAudioDevicePropertyVolumeScalar, Float(0), scope) }

  var isVolumeSettable: Bool {
    var address = address(kAudioDevicePropertyVolumeScalar, scope, 0)
    var isSettable = false
    return AudioObjectIsPropertySettable(id, &address, &isSettable) == noErr && isSettable
  }

  /// Sets the volume, 0 to 1.
  func setVolume(_ volume: Float) -> OSStatus {
    set(kAudioDevicePropertyVolumeScalar, volume)
  }

  var sources: [UInt32] { values(kAudioDevicePropertyDataSources, UInt32(0), scope) }
  var source: UInt32? { value(kAudioDevicePropertyDataSource, UInt32(0), scope) }

  /// Switches to one of the sources.
  func setSource(_ source: UInt32) -> OSStatus { set(kAudioDevicePropertyDataSource, source) }

  /// The display name of a source.
  func sourceName(_ source: UInt32) -> String {
    var source = source
    var name: Unmanaged<CFString>?
    let status = withUnsafeMutablePointer(to: &source) { source in
      withUnsafeMutablePointer(to: &name) { name in
        var translation = AudioValueTranslation(
          mInputData: UnsafeMutableRawPointer(source), mInputDataSize: 4,
          mOutputData: UnsafeMutableRawPointer(name), mOutputDataSize: 8)
        var address = address(kAudioDevicePropertyDataSourceNameForIDCFString, scope, 0)
        var size = UInt32(clamping: MemoryLayout<AudioValueTranslation>.size)
        return AudioObjectGetPropertyData(id, &address, 0, nil, &size, &translation)
      }
    }
    let text = name?.takeRetainedValue()
    return status == noErr ? text.map { String(describing: $0) } ?? "" : ""
  }

  // MARK: Properties

  private var scope: AudioObjectPropertyScope {
    isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput
  }

  private func address(
    _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope,
    _ element: AudioObjectPropertyElement
  ) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: element)
  }

  private func bytes(
    _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal,
    _ element: AudioObjectPropertyElement = kAudioObjectPropertyElementMain
  ) -> [UInt8]? {
    var address = address(selector, scope, element)
    var size: UInt32 = 0
    guard AudioObjectGetPropertyDataSize(id, &address, 0, nil, &size) == noErr else { return nil }
    var bytes = [UInt8](repeating: 0, count: max(Int(size), 1))
    guard AudioObjectGetPropertyData(id, &address, 0, nil, &size, &bytes) == noErr else {
      return nil
    }
    return Array(bytes.prefix(Int(size)))
  }

  private func values<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, _ zero: Value,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
  ) -> [Value] {
    guard let bytes = bytes(selector, scope) else { return [] }
    let stride = MemoryLayout<Value>.stride
    return bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / stride).map {
        bytes.loadUnaligned(fromByteOffset: $0 * stride, as: Value.self)
      }
    }
  }

  private func value<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, _ zero: Value,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
  ) -> Value? { values(selector, zero, scope).first }

  private func text(
    _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal,
    _ element: AudioObjectPropertyElement = kAudioObjectPropertyElementMain
  ) -> String? {
    var address = address(selector, scope, element)
    var text: Unmanaged<CFString>?
    var size = UInt32(clamping: MemoryLayout.size(ofValue: text))
    guard AudioObjectGetPropertyData(id, &address, 0, nil, &size, &text) == noErr else {
      return nil
    }
    return (text?.takeRetainedValue()).map { String(describing: $0) }
  }

  private func set<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, _ value: Value
  ) -> OSStatus {
    var address = address(selector, scope, kAudioObjectPropertyElementMain)
    var value = value
    return AudioObjectSetPropertyData(
      id, &address, 0, nil, UInt32(clamping: MemoryLayout<Value>.size), &value)
  }
}
