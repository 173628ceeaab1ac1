// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// Finds devices for output units: by a number that represents a uid, or the default device.
package enum DeviceList {
  private static let ids = Guarded<[String]>([])
  /// Lower numbers belong to other kinds of audio objects.
  private static let firstID: UInt32 = 64

  /// [control thread] The number of a device, the same for as long as the process lives.
  package static func id(of device: Device) -> UInt32 {
    ids.withLock { ids in
      if let index = ids.firstIndex(of: device.uid) { return firstID + UInt32(clamping: index) }
      ids.append(device.uid)
      return firstID + UInt32(clamping: ids.count - 1)
    }
  }

  /// [control thread] The number of the device with a uid. Nil if it is absent.
  package static func id(ofUID uid: String) -> UInt32? {
    guard let backend = try? Backends.named(DeviceName(uid).backend),
      let device = (try? backend.devices())?.first(where: { $0.uid == uid })
    else { return nil }
    return id(of: device)
  }

  /// [control thread] The uid of a number, whether the device is present or not. Nil if the number
  /// is unknown.
  static func uid(of id: UInt32) -> String? {
    let index = Int(id) - Int(firstID)
    return ids.withLock { $0.indices.contains(index) ? $0[index] : nil }
  }

  /// [control thread] The device with a number, or the one that the environment selects.
  ///
  /// If both directions are requested and they are two devices, returns a pair. `backendName` is
  /// the back end to use if the environment names none.
  package static func device(
    _ id: UInt32?, input: Bool, output: Bool, of backendName: String? = nil
  ) throws(AudioError) -> Device {
    _ = AggregateBackend.registered
    guard let id else {
      let name = try DeviceEnvironment.current().device
      let backend =
        if name == nil, let backendName { try Backends.named(backendName) } else {
          try Backends.current()
        }
      return try choose(
        name?.device == nil ? nil : name?.description, of: backend, input: input, output: output)
    }
    let uid = uid(of: id)
    if let uid, let backend = try? Backends.named(DeviceName(uid).backend),
      let device = try? choose(uid, of: backend, input: input, output: output)
    {
      return device
    }
    // For a removed device only its own back end is queried, because another one may be slow.
    let surveys =
      uid.map { [Backends.survey(of: DeviceName($0).backend)].compactMap(\.self) }
      ?? Backends.survey()
    let all = surveys.flatMap(\.devices)
    throw .invalidPropertyValue.because(
      "there is no device \(id); there are "
        + all.map { "\(Self.id(of: $0)) \($0.uid)" }.joined(separator: ", "))
  }

  private static func choose(
    _ uid: String?, of backend: any DeviceBackend, input: Bool, output: Bool
  ) throws(AudioError) -> Device {
    let devices = try backend.devices()
    var requested = try RequestedDevices(uid, among: devices)
    requested.complete(among: devices)
    guard let device = requested.device(input: input, output: output) else {
      throw .failedInitialization.because("there is no device")
    }
    return DeviceRequests.applied(to: device)
  }

  /// [control thread] The back end of a device.
  package static func backend(of device: Device) throws(AudioError) -> any DeviceBackend {
    try Backends.named(device.backend)
  }
}
