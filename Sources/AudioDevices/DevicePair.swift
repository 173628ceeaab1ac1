// SPDX-License-Identifier: Apache-2.0
public import AudioSupport

// Most servers list output and input as two devices. A duplex stream uses one of each, and the pair
// is named after both: "pipewire:speakers+microphone".
extension Device {
  /// A pair of devices of the same back end, one for output and one for input.
  public static func pair(_ output: Device, _ input: Device) -> Device {
    var pair = output
    pair.pairOutputUID = output.uid
    pair.uid += "+" + (DeviceName(input.uid).device ?? "")
    pair.name += " + " + input.name
    pair.inputChannelCount = input.inputChannelCount
    pair.isDefaultInput = input.isDefaultInput
    return pair
  }
}

/// The devices of a request, one for each direction in use.
public struct RequestedDevices: Equatable, Sendable {
  public var output: Device?
  public var input: Device?
  private let preferences: DevicePreferences

  /// [control thread] Finds the device or pair with a uid, or the default devices if the uid is
  /// nil.
  ///
  /// - Throws: An error that lists the devices if none has the uid.
  public init(
    _ uid: String?, among devices: [Device], preferring preferences: DevicePreferences
  ) throws(AudioError) {
    self.preferences = preferences

    guard let uid, DeviceName(uid).device != nil else {
      output = defaultOutput(devices) ?? devices.first { $0.outputChannelCount > 0 }
      input =
        defaultInput(devices)
        ?? devices.first { $0.inputChannelCount > 0 && !$0.details.isMonitor }
      return
    }
    if let device = devices.first(where: { $0.uid == uid }) {
      output = device.outputChannelCount > 0 ? device : nil
      input = device.inputChannelCount > 0 ? device : nil
      return
    }
    for (index, character) in uid.utf8.enumerated() where character == UInt8(ascii: "+") {
      let first = String(decoding: uid.utf8.prefix(index), as: UTF8.self)
      let second = String(decoding: uid.utf8.dropFirst(index + 1), as: UTF8.self)
      let backend = DeviceName(uid).backend
      if let output = devices.first(where: { $0.uid == first && $0.outputChannelCount > 0 }),
        let input = devices.first(where: {
          $0.uid == "\(backend):\(second)" && $0.inputChannelCount > 0
        })
      {
        self.output = output
        self.input = input
        return
      }
    }
    let names = devices.map { "\"\($0.uid)\"" }.joined(separator: ", ")
    throw .failedInitialization.because(
      "there is no device \"\(uid)\"; "
        + (devices.isEmpty
          ? "there is none" : "there \(devices.count == 1 ? "is" : "are") \(names)"))
  }

  /// Uses the default device for a direction that the named device lacks.
  public mutating func complete(among devices: [Device]) {
    output = output ?? defaultOutput(devices)
    input = input ?? defaultInput(devices)
  }

  /// The program's preferred device, otherwise the default one.
  private func defaultOutput(_ devices: [Device]) -> Device? {
    let uid = preferences.all.outputUID
    return devices.first { $0.uid == uid && $0.outputChannelCount > 0 }
      ?? devices.first { $0.isDefaultOutput }
  }

  private func defaultInput(_ devices: [Device]) -> Device? {
    let uid = preferences.all.inputUID
    return devices.first { $0.uid == uid && $0.inputChannelCount > 0 }
      ?? devices.first { $0.isDefaultInput }
  }

  /// The device or pair for these directions. Nil if there is none.
  public func device(input usesInput: Bool, output usesOutput: Bool) -> Device? {
    guard let output, usesOutput || input == nil else { return input }
    guard usesInput, let input, input.uid != output.uid else { return output }
    return .pair(output, input)
  }
}
