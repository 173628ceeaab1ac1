// SPDX-License-Identifier: Apache-2.0
public import AudioDevices
import SignalProcessing

/// What the owner of a client renders in its cycles. An owner makes one for each format of the
/// device, and another whenever what it renders is to change; the client changes to it between two
/// cycles and keeps the old one until no cycle uses it.
// Overridden methods belong to the render thread, or to a control thread while no cycle runs.
open class CycleEngine: @unchecked Sendable {
  /// The format of the device, and its bridge.
  public final let shape: CycleShape
  // The format of `shape`, without reference counting.
  final let format: CycleShape.Format
  /// The stream whose cycles it renders. Set before the first one.
  final weak var stream: (any DeviceStream)?

  /// [control thread] An engine for a device of this shape.
  public init(_ shape: CycleShape) {
    self.shape = shape
    format = shape.format
  }

  /// [render thread] Fills the output of one cycle, which has the engine's shape.
  open func render(_ cycle: inout ClientCycle) {}

  /// [render thread] Continues from the previous engine, before the first cycle.
  open func resume(from other: CycleEngine) {}

  /// [render thread] Ends the run: the rest of the cycle is silent.
  open func end() {}

  /// [render thread, inside its cycle] Makes this cycle the last one, without a lock.
  public final func endInCycle() {
    stream?.stop()
    end()
  }
}

/// The format of a device, and what all engines for this format share: the bridge between two
/// clocks.
public final class CycleShape: Sendable {
  /// The format for a render thread: a plain value, so that reading it counts no references.
  struct Format: @unchecked Sendable, BitwiseCopyable {
    let sampleRate: Double
    let inputChannelCount: Int
    let outputChannelCount: Int
    let bridge: UnsafeMutablePointer<ClockBridge>?
    /// The maximum number of frames that the bridge supplies at once.
    let bridgedFrames: Int
    /// What replaces the input while it is muted.
    let mute: InputMute.Switch
    let silence: SilentInput

    /// [render thread] Whether a cycle has the channels of this format.
    @_noLocks
    func fits(_ cycle: DeviceCycle) -> Bool {
      (cycle.output == nil || cycle.outputChannelCount == outputChannelCount)
        && (cycle.input == nil || cycle.inputChannelCount == inputChannelCount)
    }
  }

  let format: Format
  private let memory = OwnedMemory()

  /// [control thread] The shape of a device. If its directions have two clocks and both are used,
  /// it has a bridge between them.
  package init(
    _ device: Device, usesInput: Bool, usesOutput: Bool,
    bridging quality: SampleRateConverter.Quality = .normal
  ) {
    let isBridged = usesInput && usesOutput && !device.hasOneClock
    format = Format(
      sampleRate: device.sampleRate,
      inputChannelCount: usesInput ? device.inputChannelCount : 0,
      outputChannelCount: usesOutput ? device.outputChannelCount : 0,
      bridge: isBridged
        ? UnsafeMutablePointer.cell(
          ClockBridge(
            sampleRate: device.sampleRate, channelCount: device.inputChannelCount,
            maximumFrames: device.callFrames, quality: quality)) : nil,
      bridgedFrames: isBridged ? device.callFrames : Int.max,
      mute: InputMute.current,
      silence: SilentInput(
        channelCount: usesInput ? device.inputChannelCount : 0, frameCount: device.callFrames,
        in: memory))
  }

  deinit {
    format.bridge?.endCell()
    memory.deallocate()
  }

  /// [any thread] Seconds of latency that the bridge adds to an input with its own clock.
  package var bridgeLatency: Double { format.bridge?.pointee.addedLatency ?? 0 }

  /// Whether engines of this shape also fit a stream of `device`: a different cycle size does not
  /// matter.
  func fits(_ device: Device, usesInput: Bool, usesOutput: Bool) -> Bool {
    format.sampleRate == device.sampleRate
      && format.inputChannelCount == (usesInput ? device.inputChannelCount : 0)
      && format.outputChannelCount == (usesOutput ? device.outputChannelCount : 0)
  }
}

/// One cycle as an engine renders it: in parts, each with its share of the input, which may come
/// through a bridge.
public struct ClientCycle {
  /// The cycle of the device. Its times continue those of the streams before.
  public let cycle: DeviceCycle
  /// The host time of the call.
  public let now: UInt64
  private let frameRate: Double
  private let bridge: UnsafeMutablePointer<ClockBridge>?
  private let mostFrames: Int
  private let silence: SilentInput
  private let isMuted: Bool
  /// The first frame that no part has had yet.
  public private(set) var frame = 0

  @_noLocks
  init(_ cycle: DeviceCycle, at now: UInt64, _ format: CycleShape.Format) {
    self.cycle = cycle
    self.now = now
    frameRate = format.sampleRate * cycle.rateScalar
    bridge = format.bridge
    silence = format.silence
    isMuted = (cycle.input != nil || format.bridge != nil) && format.mute.isOn
    mostFrames = isMuted ? min(format.bridgedFrames, silence.frameCount) : format.bridgedFrames
    frame = 0
  }

  /// [render thread] The next part, of at most `frames` frames. Its `frameCount` is 0 at the end.
  @_noLocks
  public mutating func next(upTo frames: Int) -> CyclePart {
    let count = min(min(frames, mostFrames), cycle.frameCount - frame)
    // The parts of a cycle are as far apart as if the device had split it.
    let offset = Elementary.nanoseconds(Double(frame) / frameRate)
    var part = CyclePart(
      frame: frame, frameCount: count, sampleTime: cycle.sampleTime + Double(frame),
      hostTime: cycle.hostTime &+ offset, callTime: now &+ offset)
    guard count > 0 else { return part }
    if let bridge {
      part.input = bridge.pointee.pull(count, hostTime: part.callTime)
    } else {
      part.input = cycle.input
      part.inputFrame = frame
    }
    if isMuted {
      part.input = silence.cleared(count)
      part.inputFrame = 0
    }
    frame += count
    return part
  }

  /// [render thread] Silences what no part has had.
  @_noLocks
  public func silenceRest() { cycle.silenceOutput(from: frame) }

  /// [render thread] Drops the input that waits in the bridge.
  @_noLocks
  public func resetBridge() { bridge?.pointee.reset() }
}

/// A part of a cycle.
public struct CyclePart {
  /// Its first frame in the output of the cycle, and the number of frames.
  public let frame: Int
  public let frameCount: Int
  /// The times of the first frame: on the device's clock, and in host time.
  public let sampleTime: Double
  public let hostTime: UInt64
  /// When it would have been called if the device had split the cycle.
  public let callTime: UInt64
  /// Its input begins at `inputFrame` of these buffers. Nil without an input.
  public internal(set) var input: UnsafePointer<UnsafeMutablePointer<Float>>?
  public internal(set) var inputFrame = 0

  @_noLocks
  init(frame: Int, frameCount: Int, sampleTime: Double, hostTime: UInt64, callTime: UInt64) {
    self.frame = frame
    self.frameCount = frameCount
    self.sampleTime = sampleTime
    self.hostTime = hostTime
    self.callTime = callTime
    input = nil
    inputFrame = 0
  }
}
