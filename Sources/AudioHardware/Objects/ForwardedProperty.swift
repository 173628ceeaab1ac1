// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A property of a device that another object forwards. Output units do that: they have a device
/// and read its property directly.
///
/// The scopes and elements of a unit differ from those of a device, so several places are tried,
/// the likeliest first. For control threads only.
package struct ForwardedProperty: Sendable {
  /// A scope and element in which a device may have the property.
  package struct Place: Equatable, Sendable {
    var scope: AudioObjectPropertyScope
    var element: AudioObjectPropertyElement

    package init(_ scope: AudioObjectPropertyScope, _ element: AudioObjectPropertyElement = 0) {
      self.scope = scope
      self.element = element
    }
  }

  private let selector: AudioObjectPropertySelector
  private let row: PropertyRow<Device>?
  private let device: Device
  private let places: [Place]

  /// Whether devices have a property with this selector.
  package static func exists(_ selector: AudioObjectPropertySelector) -> Bool {
    row(selector) != nil
  }

  private static func row(_ selector: AudioObjectPropertySelector) -> PropertyRow<Device>? {
    Device.properties.row(selector)
  }

  package init(_ selector: AudioObjectPropertySelector, of device: Device, at places: [Place]) {
    self.selector = selector
    row = Self.row(selector)
    // Requests made after it was opened are included, as in queries of the device object.
    self.device = DeviceRequests.applied(to: device)
    self.places = places
  }

  /// The size of its value in bytes.
  package var byteCount: Int { get throws(AudioError) { try value().size } }

  /// Whether it can be written.
  package var isSettable: Bool { row?.isWritable(device, PropertyAddress(selector)) ?? false }

  /// Reads it into memory of `size` bytes and returns how many were written.
  package func read(into data: UnsafeMutableRawPointer, size: Int) throws(AudioError) -> Int {
    let value = try value(UnsafeMutableRawBufferPointer(start: data, count: size))
    return Int(
      try PropertyFamily.audioObjects.write(
        value, PropertyAddress(selector), to: data, room: size))
  }

  /// The bytes of its value, which must not be an object.
  package func bytes() throws(AudioError) -> [UInt8] {
    let value = try value()
    guard case .bytes(let bytes, _, _) = value else { return [] }
    return bytes
  }

  /// Writes it.
  package func write(_ data: UnsafeRawBufferPointer) throws(AudioError) {
    let place = try place()
    guard let row, isSettable, let write = row.write else {
      throw AudioError(status: kAudioHardwareUnsupportedOperationError).because(
        "'\(FourCharacterCode(selector))' of \(device.uid) can only be read")
    }
    try write(
      device, PropertyAddress(selector, place.scope, place.element),
      PropertyData(data, .audioObjects))
    AudioObjectListeners.shared.check()
  }

  /// A value that changes when listeners must be called: the values in all places.
  package var signature: String {
    if case .comparing(let text)? = row?.notification { return text(device) }
    return places.map { "\(String(describing: try? answer($0)))" }.joined(separator: " ")
  }

  private func answer(
    _ place: Place, _ memory: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0)
  ) throws(AudioError) -> PropertyValue? {
    try row?.read?(
      PropertyQuery(
        device, PropertyAddress(selector, place.scope, place.element), .audioObjects,
        memory: memory))
  }

  /// The first scope and element in which the device has the property.
  private func place() throws(AudioError) -> Place {
    for place in places where try answer(place) != nil { return place }
    throw notFound
  }

  private func value(
    _ memory: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0)
  ) throws(AudioError) -> PropertyValue {
    for place in places {
      if let value = try answer(place, memory) { return value }
    }
    throw notFound
  }

  private var notFound: AudioError {
    let tried = places.map { "'\(FourCharacterCode($0.scope))' \($0.element)" }
    return AudioError(status: kAudioHardwareUnknownPropertyError).because(
      "\(device.uid) has no property '\(FourCharacterCode(selector))' in "
        + tried.joined(separator: ", "))
  }
}
