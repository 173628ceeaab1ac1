// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport

/// Settings that were requested before a device is opened: a rate, a cycle size. The device decides
/// when it is opened. For a pair they apply to the output device.
package enum DeviceRequests {
  /// The requested settings of a device. Nil values are not requested.
  package struct Request: Equatable {
    package var sampleRate: Double?
    package var cycleFrames: Int?
  }

  private static let requests = Guarded<[String: Request]>([:])
  private static let revisions = Guarded<[String: Int]>([:])

  /// [control thread] A number that changes with each new request for a device.
  static func revision(of device: Device) -> Int {
    revisions.withLock { $0[device.outputUID] ?? 0 }
  }

  /// [control thread] Changes the requested settings of a device.
  package static func set(_ device: Device, _ change: (inout Request) -> Void) {
    let isNew = requests.withLock { requests in
      let before = requests[device.outputUID] ?? Request()
      change(&requests[device.outputUID, default: Request()])
      return requests[device.outputUID] != before
    }
    guard isNew else { return }
    revisions.withLock { $0[device.outputUID, default: 0] += 1 }
    DeviceChanges.notify(.requests)
  }

  /// [control thread] A device with the requested settings applied.
  package static func applied(to device: Device) -> Device {
    guard let request = requests.withLock({ $0[device.outputUID] }) else { return device }
    var device = device
    if let rate = request.sampleRate, device.sampleRates.contains(rate) { device.sampleRate = rate }
    if let frames = request.cycleFrames, device.cycleFramesRange.contains(frames) {
      device.cycleFrames = frames
    }
    return device
  }

  /// [control thread] The environment for opening a device, with its requested settings.
  package static func environment(
    for device: Device, in environment: DeviceEnvironment
  ) -> DeviceEnvironment {
    guard let request = requests.withLock({ $0[device.outputUID] }) else { return environment }
    var environment = environment
    if let rate = request.sampleRate { environment.prefer(sampleRate: rate) }
    environment.cycleFrames = request.cycleFrames ?? environment.cycleFrames
    return environment
  }
}
