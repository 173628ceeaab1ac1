// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioUnitCore

/// One running connection to a device, and what serves it, from a start to the stop after it. When
/// its stream is lost another takes its place.
struct OutputRun {
  var stream: any DeviceStream
  var handler: IOHandler
  /// What it plays to now.
  var device: Device
  /// What was said about devices at the start; it holds for what follows, too.
  var orders: Orders
  /// When cycles are to begin, in host time; nil: at once.
  var beginsAt: UInt64?
  /// Why nothing is heard at present, and since when, in host time; nil while cycles run.
  var interruption: (reason: String, since: UInt64)?
  /// Cycles that the streams before this one have missed.
  var earlierXruns = Xruns()

  /// Which device is to be used and how, as the unit and the environment said when it was started: the
  /// thread that looks after the stream must not ask the unit, which may be told anew meanwhile.
  struct Orders {
    /// Nil: as the environment says.
    var deviceID: UInt32?
    var usesInput: Bool
    var usesOutput: Bool
    var environment: DeviceEnvironment

    /// Whether a device was named, by number or by the environment; else the default one is followed.
    var namesDevice: Bool { deviceID != nil || environment.device?.device != nil }
    /// Whether it was said at least which back end is to be used.
    var namesBackend: Bool { deviceID != nil || environment.device != nil }
  }

  /// Cycles that came too late, as counted here and by the server.
  struct Xruns: Equatable {
    var here = 0
    /// Nil where no server counts.
    var server: Int?
  }

  /// All of the run.
  var xruns: Xruns {
    var all = earlierXruns
    all.here += stream.xrunCount
    if let count = stream.serverXrunCount { all.server = (all.server ?? 0) + count }
    return all
  }
}

extension Device {
  /// Whether what was laid out for another device fits this one: rate and channels are the same.
  func hasShape(of other: Device) -> Bool {
    sampleRate == other.sampleRate && inputChannelCount == other.inputChannelCount
      && outputChannelCount == other.outputChannelCount
  }
}
