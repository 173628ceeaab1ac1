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
  /// The frames that were rendered since the start of the time line.
  private let position = Atomic<Int64>(0)

  /// Whether manual rendering is on.
  var isOn: Bool { request.withLock { $0 != nil } }
  var mode: AVAudioEngineManualRenderingMode { request.withLock { $0?.mode } ?? .offline }
  var format: AVAudioFormat { request.withLock { $0?.format } ?? .unknown }
  var maximumFrames: AVAudioFrameCount { request.withLock { $0?.maximumFrames } ?? 0 }
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
    resetTime()
  }

  /// Switches it off.
  func disable() { request.withLock { $0 = nil } }

  // MARK: Rendering

  /// Renders frames into a buffer of the manual format.
  func render(
    _ frames: AVAudioFrameCount, _ unit: NodeUnit, isRunning: Bool, to buffer: AVAudioPCMBuffer
  ) throws -> AVAudioEngineManualRenderingStatus {
    let call = "AVAudioEngine.renderOffline(_:to:)"
    buffer.frameLength = 0
    guard let request = request.withLock({ $0 }), request.mode == .offline else {
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
        call, "\(frames) frames; the maximum frame count is \(request.maximumFrames), and the "
          + "buffer has room for \(buffer.frameCapacity)", mend: "render fewer at a time",
        kAudioUnitErr_TooManyFramesToProcess)
    }
    guard buffer.format.hasSamples(of: request.format) else {
      throw EngineError.refusal(
        call, "the buffer has the format \(buffer.format)",
        mend: "make it with manualRenderingFormat, \(request.format)",
        kAudioUnitErr_FormatNotSupported)
    }
    guard frames > 0 else { return .success }
    buffer.frameLength = frames
    let status = render(frames, unit.handle, buffer.mutableAudioBufferList)
    switch status {
    case noErr: return .success
    case kAudioUnitErr_CannotDoInCurrentContext:
      buffer.frameLength = 0
      return .cannotDoInCurrentContext
    default:
      buffer.frameLength = 0
      throw EngineError.failure(call, status)
    }
  }

  private func code(_ error: AVAudioEngineManualRenderingError) -> OSStatus {
    OSStatus(error.rawValue)
  }

  /// [render thread] Renders frames at the present position, and moves on if that succeeds.
  private func render(
    _ frames: UInt32, _ unit: AudioUnit, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    var time = AudioTimeStamp()
    time.mSampleTime = Double(position.load(ordering: .acquiring))
    time.mFlags = .sampleTimeValid
    var flags: AudioUnitRenderActionFlags = []
    let status = AudioUnitRender(unit, &flags, &time, 0, frames, list)
    if status == noErr { position.wrappingAdd(Int64(frames), ordering: .releasing) }
    return status
  }
}
