// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioUnitCore

/// One running connection to a device, with its handler, from a start to the stop after it. When
/// its stream is lost another replaces it.
struct OutputRun {
  var stream: any DeviceStream
  var handler: IOHandler
  /// The current device.
  var device: Device
  /// The settings for devices at the start; they apply to later streams, too.
  var settings: Settings
  /// When cycles are to begin, in host time; nil: at once.
  var beginsAt: UInt64?
  /// Why nothing is played at present, and since when, in host time; nil while cycles run.
  var interruption: (reason: String, since: UInt64)?
  /// Missed cycles of earlier streams.
  var earlierXruns = Xruns()

  /// Which device to use and how, according to the unit and the environment at the start: the
  /// thread that maintains the stream must not query the unit, whose settings may change meanwhile.
  struct Settings {
    /// Nil: as the environment says.
    var deviceID: UInt32?
    var usesInput: Bool
    var usesOutput: Bool
    var environment: DeviceEnvironment

    /// Whether a device was named, by number or by the environment; else the default one is followed.
    var namesDevice: Bool { deviceID != nil || environment.device?.device != nil }
    /// Whether at least the back end was named.
    var namesBackend: Bool { deviceID != nil || environment.device != nil }
  }

  /// Cycles that came too late, as counted here and by the server.
  struct Xruns: Equatable {
    var own = 0
    /// Nil where no server counts.
    var server: Int?
  }

  /// All of the run.
  var xruns: Xruns {
    var all = earlierXruns
    all.own += stream.xrunCount
    if let count = stream.serverXrunCount { all.server = (all.server ?? 0) + count }
    return all
  }
}

extension Device {
  /// Whether a layout for another device fits this one: rate and channels are the same.
  func hasSameFormat(as other: Device) -> Bool {
    sampleRate == other.sampleRate && inputChannelCount == other.inputChannelCount
      && outputChannelCount == other.outputChannelCount
  }
}
