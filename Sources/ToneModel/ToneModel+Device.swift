// SPDX-License-Identifier: Apache-2.0

// The device, and changes to it during playback.

/// A device, with its values at the start of playback.
public struct ToneDevice: Equatable, Sendable {
  public var name: String
  /// Frames per second.
  public var sampleRate: Double
  public var channelCount: Int
  /// Seconds from rendering to the output connector.
  public var latency: Double
  /// Frames per cycle at the start.
  public var cycleFrames: Int
}

extension ToneModel {
  /// The device in use; nil while nothing plays.
  public var device: ToneDevice? {
    output.map {
      ToneDevice(
        name: $0.deviceName, sampleRate: $0.sampleRate, channelCount: $0.channelCount,
        latency: $0.latency, cycleFrames: $0.cycleFrames)
    }
  }

  /// Whether nothing can be heard: there is no sound server and no card, and the silent device was not
  /// chosen. While nothing plays, the list of devices says so.
  public func isUnheard(of devices: ToneDevices?) -> Bool {
    guard deviceChoice == nil, !ToneDevices.isNamed else { return false }
    return device.map { $0.name == "null" } ?? devices?.areSilent ?? false
  }

  /// A change to the device during playback.
  public enum DeviceChange: Equatable, Sendable {
    /// It does not play, for a reason; the tone waits for it or for a replacement.
    case interrupted(String)
    /// It plays again, or a replacement does.
    case resumed
    /// It is gone, and another one has replaced it.
    case replaced
    /// It is gone, and playback has stopped.
    case gone
  }

  /// [control thread] The change of the device since the last call; nil: none. Views call it
  /// several times a second. It stops playback when all tones have ended.
  public func nextDeviceChange() -> DeviceChange? {
    guard let output else { return nil }
    guard !output.mix.hasEnded else {
      // The last sound of every tone is over, by its timing.
      stop()
      return nil
    }
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
    return interruption.map(DeviceChange.interrupted) ?? .resumed
  }

  /// [control thread] Returns to the default device if the chosen one is gone; returns whether it
  /// did.
  public func fallBackToDefaultDevice(unlessIn devices: ToneDevices) -> Bool {
    devices.refresh()
    output?.refreshDevice()
    guard let chosen = deviceChoice, !devices.all.contains(where: { $0.uid == chosen }) else {
      return false
    }
    deviceChoice = nil
    return true
  }
}
