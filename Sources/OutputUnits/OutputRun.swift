// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioUnitCore

/// A connection to a device with its handler, from a start to the next stop. If its stream is lost,
/// another one replaces it.
struct OutputRun {
  var stream: any DeviceStream
  var handler: IOHandler
  /// The current device.
  var device: Device
  /// The device settings at the start, which later streams use, too.
  var settings: Settings
  /// When the cycles begin, in host time. Nil means immediately.
  var beginsAt: UInt64?
  /// Why nothing is played now, and since when, in host time. Nil while cycles run.
  var interruption: (reason: String, since: UInt64)?
  /// The missed cycles of earlier streams.
  var earlierXruns = Xruns()

  /// The device to use and how to use it, according to the unit and the environment at the start.
  /// The thread that recovers streams must not query the unit, whose settings may change meanwhile.
  struct Settings {
    /// Nil lets the environment select the device.
    var deviceID: UInt32?
    var usesInput: Bool
    var usesOutput: Bool
    var environment: DeviceEnvironment

    /// Whether a device was named, by number or by the environment. Otherwise the unit follows the
    /// default device.
    var namesDevice: Bool { deviceID != nil || environment.device?.device != nil }
    /// Whether at least the back end was named.
    var namesBackend: Bool { deviceID != nil || environment.device != nil }
  }

  /// Late cycles, as counted by this library and by the server.
  struct Xruns: Equatable {
    var own = 0
    /// Nil if no server counts them.
    var server: Int?
  }

  /// The missed cycles of the whole run.
  var xruns: Xruns {
    var all = earlierXruns
    all.own += stream.xrunCount
    if let count = stream.serverXrunCount { all.server = (all.server ?? 0) + count }
    return all
  }
}

extension Device {
  /// Whether an engine for another device also fits this one: rate and channel counts are equal.
  func hasSameFormat(as other: Device) -> Bool {
    sampleRate == other.sampleRate && inputChannelCount == other.inputChannelCount
      && outputChannelCount == other.outputChannelCount
  }
}
