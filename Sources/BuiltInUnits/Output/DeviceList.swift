// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioUnitCore
import Synchronization

/// Devices as output units choose among them: by a number that stands for a uid, or by default.
enum DeviceList {
  private static let ids = Mutex<[String]>([])
  /// Numbers below are other kinds of audio objects.
  private static let firstID: UInt32 = 64

  /// [control thread] The number of a device; the same as long as the process lives.
  static func id(of device: Device) -> UInt32 {
    ids.withLock { ids in
      if let index = ids.firstIndex(of: device.uid) { return firstID + UInt32(index) }
      ids.append(device.uid)
      return firstID + UInt32(ids.count - 1)
    }
  }

  /// [control thread] The device of a number, or the one that the environment chooses.
  static func device(_ id: UInt32?, input: Bool, output: Bool) throws(AudioError) -> Device {
    guard let id else {
      let devices = try Backends.current().devices()
      let wanted = devices.first { output ? $0.isDefaultOutput : input && $0.isDefaultInput }
      guard let device = wanted ?? devices.first else {
        throw .failedInitialization.because("there is no device")
      }
      return device
    }
    let index = Int(id) - Int(firstID)
    let uid = ids.withLock { $0.indices.contains(index) ? $0[index] : nil }
    let all = Backends.survey().flatMap(\.devices)
    guard let uid, let device = all.first(where: { $0.uid == uid }) else {
      throw .invalidPropertyValue.because(
        "there is no device \(id); there are "
          + all.map { "\(Self.id(of: $0)) \($0.uid)" }.joined(separator: ", "))
    }
    return device
  }

  /// [control thread] Who reaches a device.
  static func backend(of device: Device) throws(AudioError) -> any DeviceBackend {
    try Backends.named(device.backend)
  }
}
