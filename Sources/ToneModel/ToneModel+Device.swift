// SPDX-License-Identifier: Apache-2.0

// The device that is played to, and what becomes of it meanwhile.

/// A device, as it was found when it began to play.
public struct ToneDevice: Equatable, Sendable {
  public var name: String
  /// Frames per second.
  public var sampleRate: Double
  public var channelCount: Int
  /// Seconds from a sample's rendering to its sounding.
  public var latency: Double
  /// Frames of a cycle, when it began.
  public var cycleFrames: Int
}

extension ToneModel {
  /// The device that plays; nil while nothing does.
  public var device: ToneDevice? {
    output.map {
      ToneDevice(
        name: $0.deviceName, sampleRate: $0.sampleRate, channelCount: $0.channelCount,
        latency: $0.latency, cycleFrames: $0.cycleFrames)
    }
  }

  /// What can happen to a device that is played to.
  public enum DeviceChange: Equatable, Sendable {
    /// It does not play, for a reason; the tone waits for it, or for the one that takes its place.
    case interrupted(String)
    /// It plays again, or another one in its place.
    case playsAgain
    /// It has gone, and another one has taken its place.
    case replaced
    /// It has gone, and nothing plays any more.
    case gone
  }

  /// [control thread] What has happened to the device since the last call; nil: nothing. Views ask
  /// some times a second.
  public func nextDeviceChange() -> DeviceChange? {
    guard let output else { return nil }
    guard output.isRunning else {
      stop()
      try? play()
      return isPlaying ? .replaced : .gone
    }
    let interruption = output.figures?.interruption
    if output.refreshDevice() { onChange() }
    guard (interruption == nil) != (lastInterruption == nil) else { return nil }
    lastInterruption = interruption
    onChange()
    return interruption.map(DeviceChange.interrupted) ?? .playsAgain
  }

  /// [control thread] Goes back to the default device when the chosen one is no longer there; whether
  /// it did.
  public func follow(_ devices: ToneDevices) -> Bool {
    devices.refresh()
    output?.refreshDevice()
    guard let chosen = deviceChoice, !devices.all.contains(where: { $0.uid == chosen }) else {
      return false
    }
    deviceChoice = nil
    return true
  }
}
