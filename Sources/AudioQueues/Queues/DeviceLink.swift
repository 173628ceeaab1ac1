// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
internal import AudioSupport
import AudioUnitCore
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The output unit through which a queue plays or records. The unit converts rate and channels,
/// recovers from the loss of a device, and follows the default device.
final class DeviceLink: @unchecked Sendable {
  private let unit: UnitInstance
  private let isInput: Bool

  /// [control thread] Creates a unit of the subtype, which does not run yet.
  init(_ subtype: UInt32, isInput: Bool) throws(AudioError) {
    let query = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: subtype,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    guard let component = ComponentRegistry.shared.next(after: nil, matching: query) else {
      throw .queueDevice.because("there is no output unit")
    }
    unit = try component.instantiate()
    self.isInput = isInput
    if isInput {
      try set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1))
      try set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, UInt32(0))
    }
  }

  /// The unit, for the render thread; it lives until `close`.
  var unmanaged: Unmanaged<UnitInstance> { .passUnretained(unit) }

  /// [control thread] Disposes of the unit.
  func close() {
    if let handle = unit.handle { try? UnitInstance.dispose(handle) }
  }

  /// [control thread] The device of a UID, or the default one. Throws when there is none for the
  /// direction.
  static func device(_ uid: String?, isInput: Bool) throws(AudioError) -> Device {
    var id: UInt32?
    if let uid {
      guard let number = DeviceList.id(ofUID: uid) else {
        throw .queueDevice.because("there is no device \"\(uid)\"")
      }
      id = number
    }
    let device: Device
    do throws(AudioError) {
      device = try DeviceList.device(id, input: isInput, output: !isInput)
    } catch { throw error.asStatus(.queueDevice) }
    guard (isInput ? device.inputChannelCount : device.outputChannelCount) > 0 else {
      throw .queueDevice.because("\(device.uid) has no \(isInput ? "input" : "output")")
    }
    return device
  }

  /// [control thread] The settings of the unit.
  struct Setup {
    var format: StreamFormat
    var uid: String?
    /// The format's channel for each channel of the device, -1 for silence; nil: channels in order.
    var channelMap: [Int32]?
    /// An AudioChannelLayout, by which channels that the device lacks are mixed; nil for the usual one.
    var layout: [UInt8]?
    var callback: AURenderCallbackStruct
  }

  /// [control thread, once] Prepares the unit to run.
  func prepare(_ setup: Setup) throws(AudioError) {
    if let uid = setup.uid, let id = DeviceList.id(ofUID: uid) {
      try set(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, id)
    }
    let description = setup.format.description
    if isInput {
      try set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, description)
      try set(
        kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, setup.callback)
    } else {
      try set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, description)
      try set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, setup.callback)
    }
    if let map = setup.channelMap { try set(kAudioOutputUnitProperty_ChannelMap, map) }
    // The usual layout is right for channels whose own the unit does not know.
    if let layout = setup.layout { try? set(kAudioUnitProperty_AudioChannelLayout, layout) }
    try unit.initialize()
  }

  /// Sets a property of the bus that the program fills or reads.
  private func set<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ values: [Value]
  ) throws(AudioError) {
    let address = PropertyAddress(
      id, isInput ? kAudioUnitScope_Output : kAudioUnitScope_Input, isInput ? 1 : 0)
    var failure: AudioError?
    values.withUnsafeBytes { bytes in
      do throws(AudioError) {
        try unit.setProperty(address, bytes.baseAddress, size: UInt32(clamping: bytes.count))
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// [control thread] Starts and stops the cycles.
  func start() throws(AudioError) { try unit.start() }
  func stop() { try? unit.stop() }

  /// [control thread] Whether cycles run.
  var isRunning: Bool {
    (try? get(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0) as UInt32) == 1
  }

  /// [control thread] Seconds from a cycle to the device's analog output, or from its analog input.
  var latency: Double {
    (try? get(kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0) as Double) ?? 0
  }

  /// [control thread] Adds a listener, which is called after the unit's property changed.
  func listen(to id: AudioUnitPropertyID, _ listener: PropertyListener) {
    try? unit.addPropertyListener(id, listener)
  }

  private func set<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: UInt32, _ value: Value
  ) throws(AudioError) {
    var value = value
    try unit.setProperty(
      PropertyAddress(id, scope, element), &value, size: UInt32(clamping: MemoryLayout<Value>.size))
  }

  private func set(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: UInt32,
    _ value: AURenderCallbackStruct
  ) throws(AudioError) {
    var value = value
    try unit.setProperty(
      PropertyAddress(id, scope, element), &value,
      size: UInt32(clamping: MemoryLayout<AURenderCallbackStruct>.size))
  }

  private func get<Value: ExpressibleByIntegerLiteral & BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: UInt32
  ) throws(AudioError) -> Value {
    var value: Value = 0
    var size = UInt32(clamping: MemoryLayout<Value>.size)
    try unit.getProperty(PropertyAddress(id, scope, element), into: &value, size: &size)
    return value
  }
}
