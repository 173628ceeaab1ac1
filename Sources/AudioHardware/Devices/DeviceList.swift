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

  /// [control thread] The device with a uid. Nil if it is absent.
  static func device(uid: String, in environment: DeviceEnvironment) -> Device? {
    DeviceCache.devices(of: DeviceName(uid).backend, in: environment).first { $0.uid == uid }
  }

  /// [control thread] The uid of a number, whether the device is present or not. Nil if the number
  /// is unknown.
  static func uid(of id: UInt32) -> String? {
    let index = Int(id) - Int(firstID)
    return ids.withLock { $0.indices.contains(index) ? $0[index] : nil }
  }

  /// [control thread] The device with a number, or the one that the environment selects.
  ///
  /// If both directions are requested and they are two devices, returns a pair.
  package static func device(
    _ id: UInt32?, input: Bool, output: Bool
  ) throws(AudioError) -> Device {
    try device(id, input: input, output: output, in: .current())
  }

  /// [control thread] As above. `backendName` is the back end to use if the environment names none.
  static func device(
    _ id: UInt32?, input: Bool, output: Bool, of backendName: String? = nil,
    in environment: DeviceEnvironment
  ) throws(AudioError) -> Device {
    _ = AggregateBackend.registered
    guard let id else {
      let name = environment.device
      let backend =
        if name == nil, let backendName { try Backends.named(backendName, in: environment) } else {
          try Backends.current(in: environment)
        }
      return try choose(
        name?.device == nil ? nil : name?.description, of: backend, input: input, output: output,
        environment)
    }
    let uid = uid(of: id)
    if let uid, let backend = try? Backends.named(DeviceName(uid).backend, in: environment),
      let device = try? choose(uid, of: backend, input: input, output: output, environment)
    {
      return device
    }
    // For a removed device only its own back end is queried, because another one may be slow.
    let surveys =
      uid.map { [Backends.survey(of: DeviceName($0).backend, in: environment)].compactMap(\.self) }
      ?? Backends.survey(in: environment)
    let all = surveys.flatMap(\.devices)
    throw .invalidPropertyValue.because(
      "there is no device \(id); there are "
        + all.map { "\(Self.id(of: $0)) \($0.uid)" }.joined(separator: ", "))
  }

  private static func choose(
    _ uid: String?, of backend: any DeviceBackend, input: Bool, output: Bool,
    _ environment: DeviceEnvironment
  ) throws(AudioError) -> Device {
    let devices = try backend.devices(in: environment)
    var requested = try RequestedDevices(
      uid, among: devices, preferring: environment.preferences)
    requested.complete(among: devices)
    guard let device = requested.device(input: input, output: output) else {
      throw .failedInitialization.because(
        "there is no device of \"\(type(of: backend).name)\"")
    }
    return DeviceRequests.applied(to: device)
  }
}
