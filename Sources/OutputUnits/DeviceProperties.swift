// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// The device properties that an output unit forwards, and their listeners on the unit.
final class DeviceProperties: PropertyProvider {
  private unowned let unit: OutputUnit
  /// The observed properties.
  private let watches = Guarded<[AudioUnitPropertyID: PropertyWatch]>([:])

  init(_ unit: OutputUnit) { self.unit = unit }

  /// Whether it is a property of devices.
  func provides(_ id: AudioUnitPropertyID) -> Bool { ForwardedProperty.exists(id) }

  /// The size and writability, from the device.
  func info(_ address: PropertyAddress) throws(AudioError) -> PropertyInfo {
    let property = try property(address)
    return PropertyInfo(size: try property.byteCount, isWritable: property.isSettable)
  }

  func read(_ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32)
    throws(AudioError)
  {
    size = UInt32(clamping: try property(address).read(into: data, size: Int(size)))
  }

  /// Sets a property of the device at the first of those places that has it.
  func write(_ address: PropertyAddress, _ data: UnsafeRawBufferPointer) throws(AudioError) {
    try property(address).write(data)
  }

  private func property(_ address: PropertyAddress) throws(AudioError) -> ForwardedProperty {
    try unit.control { () throws(AudioError) in
      try ForwardedProperty(address.id, of: unit.device(), at: places(address))
    }
  }

  /// The places in which the device may have the property that programs query on the unit: the
  /// scope of the same name, or the endpoint in use. An element of a unit is a direction; an
  /// element of a device is a channel.
  private func places(_ address: PropertyAddress) throws(AudioError) -> [ForwardedProperty.Place] {
    let (input, output) = (kAudioObjectPropertyScopeInput, kAudioObjectPropertyScopeOutput)
    let scopes: [AudioObjectPropertyScope]
    switch (address.scope, address.element) {
    case (kAudioUnitScope_Input, 1): scopes = [input]
    case (kAudioUnitScope_Input, _): scopes = [input, output]
    case (kAudioUnitScope_Output, 1): scopes = [output, input]
    case (kAudioUnitScope_Output, _): scopes = [output]
    case (kAudioUnitScope_Global, _):
      let endpoints = unit.playsOutput ? [output, input] : [input, output]
      scopes = [endpoints[0], kAudioObjectPropertyScopeGlobal, endpoints[1]]
    default:
      throw .invalidScope.because(
        "expected the global, input or output scope for a device's property")
    }
    return scopes.flatMap { scope in
      address.element == 0
        ? [ForwardedProperty.Place(scope)] : [.init(scope, address.element), .init(scope)]
    }
  }

  /// The channel layout of one endpoint of the device, an `AudioChannelLayout`.
  func layout(isInput: Bool) throws(AudioError) -> [UInt8]? {
    let scope = isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput
    let device = try unit.wholeDevice()
    return try? ForwardedProperty(
      kAudioDevicePropertyPreferredChannelLayout, of: device, at: [.init(scope)]
    ).bytes()
  }

  // MARK: Listeners

  /// Watches the device while there are listeners.
  func listenersChanged(_ id: AudioUnitPropertyID) {
    let isNeeded = unit.hasListeners(id)
    let old = watches.withLock { isNeeded ? nil : $0.removeValue(forKey: id) }
    if let old { AudioObjectListeners.shared.remove(old) }
    guard isNeeded, watches.withLock({ $0[id] == nil }) else { return }
    let watch = PropertyWatch(
      answer: { [weak unit] in
        guard let unit, let properties = unit.deviceProperties else { return "" }
        return properties.signature(id)
      },
      changed: { [weak unit] in
        unit?.notifyListeners(PropertyAddress(id, kAudioUnitScope_Global, 0))
      })
    let isFirst = watches.withLock { watches in
      guard watches[id] == nil else { return false }
      watches[id] = watch
      return true
    }
    if isFirst { deviceChanged() }
  }

  /// [control thread, without the unit's lock] Handles a new device of the unit: the watches check
  /// their values and observe its back end.
  func deviceChanged() {
    let all = watches.withLock { Array($0.values) }
    guard !all.isEmpty,
      let device = try? unit.control({ () throws(AudioError) in try unit.device() })
    else { return }
    for watch in all { AudioObjectListeners.shared.add(watch, of: device.backend) }
  }

  /// [control thread] Removes all watches, because the unit is being disposed of.
  func close() {
    let all = watches.withLock { watches in
      defer { watches = [:] }
      return Array(watches.values)
    }
    for watch in all { AudioObjectListeners.shared.remove(watch) }
  }

  /// The values of a property in all places. Nil while the unit is busy.
  private func signature(_ id: AudioUnitPropertyID) -> String? {
    guard unit.lock.tryLock() else { return nil }
    defer { unit.lock.unlock() }
    let address = PropertyAddress(id, kAudioUnitScope_Global, 0)
    guard let device = try? unit.device(), let places = try? places(address) else { return "" }
    return ForwardedProperty(id, of: device, at: places).signature
  }
}
