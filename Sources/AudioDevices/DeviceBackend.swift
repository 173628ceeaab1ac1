// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import SignalProcessing

/// A way to reach audio devices: a library, a server, or no device at all.
///
/// `Backends` lists them in order of preference. Each is created at most once per process.
public protocol DeviceBackend: AnyObject, Sendable {
  /// The word that selects it in `AUDIOTOOLBOX_DEVICE`, such as "null" or "file".
  static var name: String { get }

  /// Whether it may be chosen if no device is named.
  static var isChosenByDefault: Bool { get }

  /// [control thread] Connects to its library or server. Throws the reason if it cannot be used.
  init(in environment: DeviceEnvironment) throws(AudioError)

  /// [control thread] The devices that can be opened now, the default ones first.
  func devices(in environment: DeviceEnvironment) throws(AudioError) -> [Device]

  /// [control thread] Whether its server answers although `devices` fails.
  func answersWithoutDevices() -> Bool

  /// [control thread] Creates a stream that does not run yet. It keeps to `environment`.
  ///
  /// `handler` is called on the stream's own thread between `start` and the return of `stop`.
  func open(
    _ request: StreamRequest, _ handler: CycleHandler, in environment: DeviceEnvironment
  ) throws(AudioError) -> any DeviceStream

  /// [control thread] Calls `observer` on the back end's own thread after a device was added or
  /// removed or a default changed, until the returned token is released.
  func observeDevices(_ observer: @escaping @Sendable () -> Void) -> AnyObject?

  /// [control thread] Has the server change a device, for all programs, and waits until that is
  /// done. False if the device has no such setting.
  ///
  /// - Throws: The reason if the server refused or did not answer.
  func change(_ device: Device, _ change: DeviceChange) throws(AudioError) -> Bool
}

extension DeviceBackend {
  /// Most back ends may be chosen.
  public static var isChosenByDefault: Bool { true }

  /// Most servers that answer list their devices.
  public func answersWithoutDevices() -> Bool { false }

  /// For devices that never change.
  public func observeDevices(_ observer: @escaping @Sendable () -> Void) -> AnyObject? { nil }

  /// For devices without settings.
  public func change(_ device: Device, _ change: DeviceChange) throws(AudioError) -> Bool { false }
}

/// A device and its current state.
public struct Device: Equatable, Sendable {
  /// The name of its back end.
  public var backend: String
  /// Its persistent name, also in `AUDIOTOOLBOX_DEVICE`, in the form of a `DeviceName`.
  public var uid: String
  /// Its name for display.
  public var name: String
  /// Within `Limits`, as the rate and the cycle size.
  public var inputChannelCount: Int {
    didSet { inputChannelCount = Limits.channelCount(inputChannelCount) }
  }
  public var outputChannelCount: Int {
    didSet { outputChannelCount = Limits.channelCount(outputChannelCount) }
  }
  /// The current rate in frames per second.
  public var sampleRate: Double { didSet { sampleRate = Limits.sampleRate(sampleRate) } }
  /// The rates that it accepts.
  public var sampleRates: ClosedRange<Double>
  /// The current cycle size in frames.
  public var cycleFrames: Int { didSet { cycleFrames = Limits.cycleFrames(cycleFrames) } }
  /// The cycle sizes that it accepts, in frames.
  public var cycleFramesRange: ClosedRange<Int>
  public var isDefaultInput: Bool
  public var isDefaultOutput: Bool
  /// The uid of the output device if this is a pair.
  var pairOutputUID: String?
  /// Whether both directions share one clock. If not, each cycle of a duplex stream has only one
  /// direction, all cycles run on one thread, and the client bridges the clocks.
  public var hasOneClock: Bool
  /// Further details from a server.
  public var details = DeviceDetails()

  /// The uid of the output device of a pair, otherwise of the device itself.
  public var outputUID: String { pairOutputUID ?? uid }

  public init(
    backend: String, uid: String, name: String, inputChannelCount: Int, outputChannelCount: Int,
    sampleRate: Double, sampleRates: ClosedRange<Double>, cycleFrames: Int,
    cycleFramesRange: ClosedRange<Int>, isDefaultInput: Bool, isDefaultOutput: Bool,
    hasOneClock: Bool = true
  ) {
    self.backend = backend
    self.uid = uid
    self.name = name
    self.inputChannelCount = Limits.channelCount(inputChannelCount)
    self.outputChannelCount = Limits.channelCount(outputChannelCount)
    self.sampleRate = Limits.sampleRate(sampleRate)
    self.sampleRates = sampleRates
    self.cycleFrames = Limits.cycleFrames(cycleFrames)
    self.cycleFramesRange = cycleFramesRange
    self.isDefaultInput = isDefaultInput
    self.isDefaultOutput = isDefaultOutput
    self.hasOneClock = hasOneClock
  }
}

extension Device {
  /// The numbers that a device can have. Servers and drivers may report others: zero while they are
  /// not ready, or nonsense.
  enum Limits {
    /// A rate that no device has counts as the usual one.
    static func sampleRate(_ rate: Double) -> Double {
      rate >= 1 && rate <= 100_000_000 ? rate : 48_000
    }

    static func cycleFrames(_ frames: Int) -> Int {
      let limits = DeviceEnvironment.cycleFramesLimits
      return min(max(frames, limits.lowerBound), limits.upperBound)
    }

    static func channelCount(_ count: Int) -> Int { min(max(count, 0), 4_096) }

    /// Whether a measured rate, divided by the nominal one, is believable.
    @_noLocks
    static func isRateScalar(_ scalar: Double) -> Bool { scalar > 0.5 && scalar < 2 }
  }
}

/// A unit's request for a stream.
public struct StreamRequest: Equatable, Sendable {
  /// The device's uid. Nil follows the default device.
  public var uid: String?
  /// The directions to run.
  public var usesInput: Bool
  public var usesOutput: Bool
  /// When to begin, in host time (nanoseconds of the monotonic clock). Nil begins immediately.
  public var startHostTime: UInt64?
  /// The name of the requesting program or unit, for errors and for the server's list of clients.
  public var owner: String
  /// Whether the device was named. If so, a server must not move the stream to another one.
  public var isPinned: Bool
  /// Whether it must run at the rate listed for its device, whatever the program prefers.
  public var keepsRate = false
  /// The noise with which samples are rounded for a device that has integers of at most 24 bits.
  /// Devices and servers that take Float32 get the samples unchanged.
  public var dither = Dither.none

  public init(
    uid: String? = nil, usesInput: Bool = false, usesOutput: Bool = true,
    startHostTime: UInt64? = nil, owner: String = "a stream", isPinned: Bool = false
  ) {
    self.uid = uid
    self.usesInput = usesInput
    self.usesOutput = usesOutput
    self.startHostTime = startHostTime
    self.owner = owner
    self.isPinned = isPinned
  }
}
