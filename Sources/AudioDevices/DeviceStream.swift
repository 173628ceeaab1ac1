// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import SignalProcessing

/// One running connection to a device. Owned by the unit that opened it.
public protocol DeviceStream: AnyObject, Sendable {
  /// The device in use.
  var device: Device { get }

  /// [control thread] Starts the cycles; after a `stop`, starts them again at sample time 0.
  ///
  /// Does nothing while they run. Inside a cycle it throws `cannotDoInCurrentContext`.
  func start() throws(AudioError)

  /// [any thread] Ends the cycles.
  ///
  /// After it returns, neither a cycle nor an event can follow. Called from inside a cycle it
  /// returns at once and that cycle is the last; called from `streamChanged` it returns at once.
  func stop()

  /// [any thread] Seconds from a sample's cycle to the device's output, or from its input to the
  /// cycle.
  func latency(_ direction: StreamDirection) -> Double

  /// [any thread] Late cycles since the stream was opened.
  var xrunCount: Int { get }

  /// [any thread] Missed deadlines as the server counts them for this stream; nil when there is no
  /// server, or it does not count them.
  var serverXrunCount: Int? { get }

  /// [any thread] Seconds without a cycle after which a running stream is taken for dead, and
  /// reopened; nil when our own thread makes its cycles, which cannot be lost.
  var stallLimit: Double? { get }

  /// [any thread] How the stream's thread is scheduled; nil before it has begun.
  var scheduling: ThreadScheduling? { get }
}

extension DeviceStream {
  /// No server counts.
  public var serverXrunCount: Int? { nil }

  /// Cycles cannot be lost.
  public var stallLimit: Double? { nil }

  /// Eight cycles of the device, but at least half a second: a busy machine is not a dead server.
  func stallLimit(of device: Device) -> Double {
    max(0.5, 8 * Double(device.cycleFrames) / device.sampleRate)
  }
}

/// Which way samples go, seen from the program.
public enum StreamDirection: Sendable { case input, output }

/// How a render thread is scheduled.
public enum ThreadScheduling: Equatable, Sendable {
  /// First in, first out, at a real-time priority.
  case realTime(priority: Int)
  /// Like any other thread, because of the reason given.
  case ordinary(reason: String)
  /// Like any other thread, as intended: nothing waits for it.
  case offline
}

/// One cycle of a device. Valid during the call only.
///
/// Samples are planar Float32 in the device's rate and channel count, nominally within ±1.
public struct DeviceCycle {
  /// How many frames every buffer has.
  public var frameCount: Int
  /// Frames since the stream was started.
  public var sampleTime: Double
  /// When the first frame leaves or arrived, in nanoseconds of the monotonic clock.
  public var hostTime: UInt64
  /// The device's real rate over its nominal one.
  public var rateScalar: Double
  /// One buffer per channel to read; nil when the stream has no input.
  public var input: UnsafePointer<UnsafeMutablePointer<Float>>?
  public var inputChannelCount: Int
  /// One buffer per channel, to be filled completely; nil when the stream has no output.
  public var output: UnsafePointer<UnsafeMutablePointer<Float>>?
  public var outputChannelCount: Int

  @_noLocks
  public init(
    frameCount: Int, sampleTime: Double, hostTime: UInt64, rateScalar: Double = 1,
    input: UnsafePointer<UnsafeMutablePointer<Float>>? = nil, inputChannelCount: Int = 0,
    output: UnsafePointer<UnsafeMutablePointer<Float>>? = nil, outputChannelCount: Int = 0
  ) {
    self.frameCount = frameCount
    self.sampleTime = sampleTime
    self.hostTime = hostTime
    self.rateScalar = rateScalar
    self.input = input
    self.inputChannelCount = inputChannelCount
    self.output = output
    self.outputChannelCount = outputChannelCount
  }
}

extension DeviceCycle {
  /// [render thread] Makes the output silent from a frame on.
  @_noLocks
  public func silenceOutput(from frame: Int) {
    guard let output, frame < frameCount else { return }
    for channel in 0..<outputChannelCount {
      Samples.clear(output[channel] + frame, count: frameCount - frame)
    }
  }
}

/// The handler of each cycle: the I/O unit.
open class CycleHandler: @unchecked Sendable {
  public init() {}

  /// [render thread] Reads the input and fills the output of one cycle.
  open func render(_ cycle: DeviceCycle) {}

  /// [any thread but the render thread] Something happened to the stream.
  ///
  /// `stop` waits until this returns: never wait here for a thread that may be in `stop`.
  open func streamChanged(_ event: StreamEvent) {}
}

/// The events of a running stream.
public enum StreamEvent: Equatable, Sendable {
  /// It ended by itself, for the given reason: the disk is full, the file exists already. No cycle
  /// follows, and the stream is not reopened.
  case ended(reason: String)
  /// It cannot continue, for the given reason: the device left, the server died, or a setting that
  /// it was opened with has changed. Its owner stops it, and opens another when there is a device.
  case lost(reason: String)
  /// Its input ended, for the given reason. Cycles continue with silent input.
  case inputEnded(reason: String)
  /// It continues, on this device, with this rate and cycle size.
  case moved(to: Device)
}
