// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport

/// Requested settings of devices that are not open yet: a rate, a cycle size. The device has the
/// last word when it is opened. For a pair they apply to the output device.
package enum DeviceWishes {
  /// Nil: not requested.
  package struct Wish: Equatable {
    package var sampleRate: Double?
    package var cycleFrames: Int?
  }

  private static let wishes = Guarded<[String: Wish]>([:])
  private static let numbers = Guarded<[String: Int]>([:])

  /// [control thread] A number that changes with each new request for a device.
  static func number(of device: Device) -> Int { numbers.withLock { $0[device.outputUID] ?? 0 } }

  /// [control thread] Changes the requested settings of a device.
  package static func set(_ device: Device, _ change: (inout Wish) -> Void) {
    let isNew = wishes.withLock { wishes in
      let before = wishes[device.outputUID] ?? Wish()
      change(&wishes[device.outputUID, default: Wish()])
      return wishes[device.outputUID] != before
    }
    guard isNew else { return }
    numbers.withLock { $0[device.outputUID, default: 0] += 1 }
    DeviceChanges.notify(.wishes)
  }

  /// [control thread] A device with the requested settings applied.
  package static func applied(to device: Device) -> Device {
    guard let wish = wishes.withLock({ $0[device.outputUID] }) else { return device }
    var device = device
    if let rate = wish.sampleRate, device.sampleRates.contains(rate) { device.sampleRate = rate }
    if let frames = wish.cycleFrames, device.cycleFramesRange.contains(frames) {
      device.cycleFrames = frames
    }
    return device
  }

  /// [control thread] Runs `body`, which opens a device, with the requests added to the
  /// environment.
  package static func grant<Result>(
    for device: Device, _ body: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    guard let wish = wishes.withLock({ $0[device.outputUID] }) else { return try body() }
    var environment = try DeviceEnvironment.current()
    environment.sampleRate = wish.sampleRate ?? environment.sampleRate
    environment.cycleFrames = wish.cycleFrames ?? environment.cycleFrames
    let answer = DeviceEnvironment.$override.withValue(environment) {
      () -> Swift.Result<Result, AudioError> in
      do throws(AudioError) { return .success(try body()) } catch { return .failure(error) }
    }
    return try answer.get()
  }
}
