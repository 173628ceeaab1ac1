// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import Synchronization

/// Manual rendering: its mode, and the calls that render.
final class ManualRendering: @unchecked Sendable {  // guarded or atomic
  /// What the program asks for.
  struct Request {
    let mode: AVAudioEngineManualRenderingMode
    let format: AVAudioFormat
    let maximumFrames: AVAudioFrameCount
  }

  private let request = Guarded<Request?>(nil)
  /// For real-time threads: the mode, or a negative number; and the maximum.
  private let presentMode = Atomic(-1)
  private let presentMaximum = Atomic<UInt32>(0)
  /// Numbers of enumerations for real-time threads, which read them without a call.
  private let realtimeMode = AVAudioEngineManualRenderingMode.realtime.rawValue
  private let invalidMode = OSStatus(
    truncatingIfNeeded: AVAudioEngineManualRenderingError.invalidMode.rawValue)
  private let notRunning = OSStatus(
    truncatingIfNeeded: AVAudioEngineManualRenderingError.notRunning.rawValue)
  /// The frames that were rendered since the start of the time line.
  private let position = Atomic<Int64>(0)

  /// Whether manual rendering is on.
  var isOn: Bool { presentMode.load(ordering: .acquiring) >= 0 }
  /// Whether it is on, in offline mode.
  var isOffline: Bool {
    presentMode.load(ordering: .acquiring) == AVAudioEngineManualRenderingMode.offline.rawValue
  }
  var mode: AVAudioEngineManualRenderingMode { request.withLock { $0?.mode } ?? .offline }
  var format: AVAudioFormat { request.withLock { $0?.format } ?? .unknown }
  var maximumFrames: AVAudioFrameCount { presentMaximum.load(ordering: .acquiring) }
  var sampleTime: AVAudioFramePosition { position.load(ordering: .acquiring) }

  /// The format of what the output node plays: that of the program as deinterleaved Float32.
  var connectionFormat: AVAudioFormat {
    let format = format
    return .standard(format.sampleRate, format.channelCount)
  }

  /// The time line begins again.
  func resetTime() { position.store(0, ordering: .releasing) }

  // MARK: The mode

  /// Switches it on: `unit` renders the format of the request.
  func enable(_ new: Request, _ unit: NodeUnit, _ call: String) throws {
    guard new.format.sampleRate > 0, new.format.channelCount > 0 else {
      throw EngineError.refusal(
        call, "\(new.format) has no rate or no channels", mend: "name both",
        kAudioUnitErr_FormatNotSupported)
    }
    guard (1...1_048_576).contains(new.maximumFrames) else {
      throw EngineError.refusal(
        call, "the maximum frame count is \(new.maximumFrames)",
        mend: "use one from 1 to 1,048,576", kAudioUnitErr_InvalidPropertyValue)
    }
    try EngineError.check(unit.setFormat(new.format, kAudioUnitScope_Output, 0), call)
    try EngineError.check(
      unit.set(
        kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, new.maximumFrames),
      call)
    request.withLock { $0 = new }
    presentMaximum.store(new.maximumFrames, ordering: .releasing)
    presentMode.store(new.mode.rawValue, ordering: .releasing)
    resetTime()
  }

  /// Switches it off.
  func disable() {
    presentMode.store(-1, ordering: .releasing)
    presentMaximum.store(0, ordering: .releasing)
    request.withLock { $0 = nil }
    resetTime()
  }

  // MARK: Offline

  /// Renders frames into a buffer of the manual format.
  func renderOffline(
    _ frames: AVAudioFrameCount, _ io: EngineIO, isRunning: Bool, to buffer: AVAudioPCMBuffer
  ) throws -> AVAudioEngineManualRenderingStatus {
    let call = "AVAudioEngine.renderOffline(_:to:)"
    guard isOffline, let request = request.withLock({ $0 }) else {
      throw EngineError.refusal(
        call, "offline manual rendering is off",
        mend: "call enableManualRenderingMode(.offline, …) first", code(.invalidMode))
    }
    guard isRunning else {
      throw EngineError.refusal(
        call, "the engine does not run", mend: "start it first", code(.notRunning))
    }
    guard frames <= request.maximumFrames, frames <= buffer.frameCapacity else {
      throw EngineError.refusal(
        call,
        "\(frames) frames; the maximum frame count is \(request.maximumFrames), and the "
          + "buffer has room for \(buffer.frameCapacity)", mend: "render fewer at a time",
        kAudioUnitErr_TooManyFramesToProcess)
    }
    guard buffer.format.hasSamples(of: request.format) else {
      throw EngineError.refusal(
        call, "the buffer has the format \(buffer.format)",
        mend: "make it with manualRenderingFormat, \(request.format)",
        kAudioUnitErr_FormatNotSupported)
    }
    buffer.frameLength = frames
    guard frames > 0 else { return .success }
    let status = render(frames, io.manualEnds, buffer.mutableAudioBufferList)
    guard status != noErr else { return io.manualEnds.status }
    buffer.frameLength = 0
    guard status != kAudioUnitErr_CannotDoInCurrentContext else {
      return .cannotDoInCurrentContext
    }
    throw EngineError.failure(call, status)
  }

  private func code(_ error: AVAudioEngineManualRenderingError) -> OSStatus {
    OSStatus(error.rawValue)
  }

  // MARK: Real time

  /// [render thread] Renders frames into the program's buffers, or into memory of the engine where
  /// they have none. Does not wait and does not allocate.
  @_noLocks
  func renderRealtime(
    _ frames: AVAudioFrameCount, _ ends: ManualEnds, isRunning: Bool,
    to list: UnsafeMutablePointer<AudioBufferList>, _ error: UnsafeMutablePointer<OSStatus>?
  ) -> AVAudioEngineManualRenderingStatus {
    var status = noErr
    if presentMode.load(ordering: .acquiring) != realtimeMode {
      status = invalidMode
    } else if !isRunning {
      status = notRunning
    } else if frames > presentMaximum.load(ordering: .acquiring) {
      status = kAudioUnitErr_TooManyFramesToProcess
    } else if frames > 0 {
      status = render(frames, ends, list)
    }
    error?.pointee = status
    guard status != noErr else { return ends.status }
    return status == kAudioUnitErr_CannotDoInCurrentContext ? .cannotDoInCurrentContext : .error
  }

  /// [render thread] Renders frames at the current position, and moves on if that succeeds.
  @_noLocks
  private func render(
    _ frames: UInt32, _ ends: ManualEnds, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    var time = AudioTimeStamp()
    time.mSampleTime = Double(position.load(ordering: .acquiring))
    time.mFlags = AudioTimeStampFlags(rawValue: AudioTimeStampFlags.sampleTimeValid.rawValue)
    let status = renderUnit(ends.output, &time, bus: 0, frames, list)
    if status == noErr { position.wrappingAdd(Int64(frames), ordering: .releasing) }
    return status
  }
}

/// The output of manual rendering and its input, for render threads. They live as long as the engine.
struct ManualEnds: BitwiseCopyable, @unchecked Sendable {
  let output: AudioUnit
  let input: Unmanaged<ManualInput>

  /// [the thread that renders] The result of a render that succeeded.
  fileprivate var status: AVAudioEngineManualRenderingStatus {
    @_noLocks get {
      input._withUnsafeGuaranteedRef { $0.takeMissing() }
        ? .insufficientDataFromInputNode : .success
    }
  }
}
