// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import SignalProcessing

/// A connection to a device, owned by the client that opened it.
public protocol DeviceStream: AnyObject, Sendable {
  /// The device in use.
  var device: Device { get }

  /// [control thread] Starts the cycles. After a `stop` it starts them again at sample time 0.
  ///
  /// Does nothing while they run. Throws `cannotDoInCurrentContext` inside a cycle.
  func start() throws(AudioError)

  /// [any thread] Ends the cycles.
  ///
  /// After it returns, no cycle and no event follows. Called from inside a cycle it returns
  /// immediately, and that cycle is the last. Called from `streamChanged` it returns immediately.
  func stop()

  /// [any thread] Seconds from a sample's cycle to the device's output, or from its input to the
  /// cycle.
  func latency(_ direction: StreamDirection) -> Double

  /// [any thread] Late cycles since the stream was opened.
  var xrunCount: Int { get }

  /// [any thread] Missed deadlines as the server counts them for this stream. Nil if there is no
  /// server or it does not count them.
  var serverXrunCount: Int? { get }

  /// [any thread] Seconds without a cycle after which a running stream counts as lost and is
  /// reopened. Nil if the stream has its own clocked thread, whose cycles cannot be lost.
  var stallLimit: Double? { get }

  /// [any thread] How the stream's thread is scheduled. Nil before it has started.
  var scheduling: ThreadScheduling? { get }
}

extension DeviceStream {
  /// For streams without a server.
  public var serverXrunCount: Int? { nil }

  /// For streams with their own clocked thread.
  public var stallLimit: Double? { nil }

  /// Eight cycles of the device, but at least half a second, because a busy machine is not a dead
  /// server.
  func stallLimit(of device: Device) -> Double {
    max(0.5, 8 * Double(device.cycleFrames) / device.sampleRate)
  }
}

/// The direction of samples from the program's point of view.
public enum StreamDirection: Sendable { case input, output }

/// One cycle of a device, valid only during the call.
///
/// Samples are planar Float32 with the device's rate and channel count, nominally within ±1.
public struct DeviceCycle {
  /// The number of frames in every buffer.
  public var frameCount: Int
  /// Frames since the stream was started.
  public var sampleTime: Double
  /// When the first frame leaves or arrived, in nanoseconds of the monotonic clock.
  public var hostTime: UInt64
  /// The device's real rate divided by its nominal rate; 1 if what the device reports is not
  /// believable.
  public var rateScalar: Double
  /// One buffer per channel to read. Nil if the stream has no input.
  public var input: UnsafePointer<UnsafeMutablePointer<Float>>?
  public var inputChannelCount: Int
  /// One buffer per channel to fill completely. Nil if the stream has no output.
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
    self.rateScalar = Device.Limits.isRateScalar(rateScalar) ? rateScalar : 1
    self.input = input
    self.inputChannelCount = inputChannelCount
    self.output = output
    self.outputChannelCount = outputChannelCount
  }
}

extension DeviceCycle {
  /// [render thread] Silences the output from a frame to the end of the cycle.
  @_noLocks
  public func silenceOutput(from frame: Int) {
    guard let output, frame < frameCount else { return }
    for channel in 0..<outputChannelCount {
      Samples.clear(output[channel] + frame, count: frameCount - frame)
    }
  }
}

/// The handler of the cycles, implemented in `AudioHardware`: `ClientHandler`, and
/// `AggregatePartHandler` for aggregates.
open class CycleHandler: @unchecked Sendable {
  public init() {}

  /// [render thread] Reads the input and fills the output of one cycle.
  open func render(_ cycle: DeviceCycle) {}

  /// [any thread but a render thread] Handles an event of the stream.
  ///
  /// `stop` waits until this returns, so never wait here for a thread that may be in `stop`.
  open func streamChanged(_ event: StreamEvent) {}
}

/// The events of a running stream.
public enum StreamEvent: Equatable, Sendable {
  /// It ended by itself for the given reason: the disk is full, the file exists already. No cycle
  /// follows, and the stream is not reopened.
  case ended(reason: String)
  /// It cannot continue for the given reason: the device was removed, the server ended, or a
  /// setting that it was opened with has changed. Its owner stops it and opens another when there
  /// is a device.
  case lost(reason: String)
  /// Its input ended for the given reason. Cycles continue with silent input.
  case inputEnded(reason: String)
  /// It continues on this device, with this rate and cycle size.
  case moved(to: Device)
}
