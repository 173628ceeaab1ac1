// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport

extension Device {
  /// Whether it is an aggregate.
  var isAggregate: Bool { backend == AggregateBackend.name }

  /// Its UID for programs. For an aggregate, the UID that it was created with.
  var shownUID: String { isAggregate ? DeviceName(uid).device ?? uid : uid }
}

/// A device in an aggregate, as an audio object of its own.
struct SubDevice: AudioObject {
  static let properties = PropertyTable(.audioObjects, AudioObjects.subDeviceProperties)

  let device: Device
  let index: Int
  let part: Aggregate.Part

  init?(_ device: Device, index: Int) {
    guard let parts = AggregateBackend.aggregate(device)?.parts, parts.indices.contains(index)
    else { return nil }
    (self.device, self.index, part) = (device, index, parts[index])
  }
}
