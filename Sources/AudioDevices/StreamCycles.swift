// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing
import Synchronization

/// The cycles of one run of a stream that a server or a driver times: their buffers, their counts,
/// and the call of the client. All cycles run on one thread.
// Everything except `lateCount` belongs to the stream's thread.
final class StreamCycles: @unchecked Sendable {
  let frameCount: Int
  let input: CycleBuffers.Planes?
  let output: CycleBuffers.Planes?
  /// Cycles that were rendered after their first frame was due at the device.
  let lateCount: Atomic<Int>

  /// Keeps the memory alive.
  private let buffers: [CycleBuffers]
  private let handler: CycleHandler
  private let render: CycleCall
  private let startHostTime: UInt64
  private let cycleTime: UInt64
  private var outputTimes: CycleTimes
  private var inputTimes: CycleTimes
  private var outputFrames = 0
  private var inputFrames = 0

  /// Allocates buffers for the directions of a request. `lateCount`: the late cycles of earlier
  /// runs.
  init(
    _ request: StreamRequest, _ device: Device, _ handler: CycleHandler, lateCount: Int = 0
  ) throws(AudioError) {
    func buffers(_ channelCount: Int, _ isUsed: Bool) throws(AudioError) -> CycleBuffers? {
      guard isUsed else { return nil }
      return try CycleBuffers(channelCount: channelCount, frameCount: device.cycleFrames)
    }
    frameCount = device.cycleFrames
    let input = try buffers(device.inputChannelCount, request.usesInput)
    let output = try buffers(device.outputChannelCount, request.usesOutput)
    self.buffers = [input, output].compactMap { $0 }
    self.input = input?.planes
    self.output = output?.planes
    self.lateCount = Atomic(lateCount)
    self.handler = handler
    render = CycleCall(to: handler)
    startHostTime = request.startHostTime ?? 0
    cycleTime = UInt64(saturating: Double(device.cycleFrames) / device.sampleRate * 1e9)
    outputTimes = CycleTimes(sampleRate: device.sampleRate)
    inputTimes = outputTimes
  }

  /// [render thread] Fills `output` in a cycle whose first frame leaves at `measured`, as the
  /// device reports it. The same cycle reads `input` if both directions share a clock.
  @_noLocks
  func play(at measured: UInt64, withInput: Bool) {
    guard let output else { return }
    output.silence()
    let time = outputTimes.time(of: measured, frames: frameCount)
    guard time &+ cycleTime > startHostTime else { return }
    var cycle = DeviceCycle(
      frameCount: frameCount, sampleTime: Double(outputFrames), hostTime: time,
      rateScalar: outputTimes.rateScalar, output: output.channels,
      outputChannelCount: output.channelCount)
    if withInput, let input {
      cycle.input = input.channels
      cycle.inputChannelCount = input.channelCount
    }
    render(cycle)
    outputFrames += frameCount
    if rt_host_time() > measured { lateCount.wrappingAdd(1, ordering: .relaxed) }
  }

  /// [render thread] Passes `input` to the client. Its first frame arrived at `measured`.
  @_noLocks
  func capture(at measured: UInt64) {
    guard let input else { return }
    let time = inputTimes.time(of: measured, frames: frameCount)
    guard time &+ cycleTime > startHostTime else { return }
    render(
      DeviceCycle(
        frameCount: frameCount, sampleTime: Double(inputFrames), hostTime: time,
        rateScalar: inputTimes.rateScalar, input: input.channels,
        inputChannelCount: input.channelCount))
    inputFrames += frameCount
  }
}

extension CycleBuffers.Planes {
  /// [render thread] Interleaves `count` frames, beginning at `frame`, into memory of a format, with
  /// a dither for each channel if there is one.
  @_noLocks
  func interleave(
    from frame: Int, count: Int, into memory: UnsafeMutableRawPointer, as format: SampleFormat,
    dither: UnsafeMutablePointer<DitherState>? = nil
  ) {
    for channel in 0..<channelCount {
      format.encode(
        channels[channel] + frame, count: count, to: memory + channel * format.containerBytes,
        stride: channelCount * format.containerBytes, dither: dither.map { $0 + channel })
    }
  }

  /// [render thread] Deinterleaves `count` frames of a format into the buffers, beginning at
  /// `frame`.
  @_noLocks
  func deinterleave(
    _ memory: UnsafeRawPointer, count: Int, at frame: Int, as format: SampleFormat
  ) {
    for channel in 0..<channelCount {
      format.decode(
        memory + channel * format.containerBytes, stride: channelCount * format.containerBytes,
        into: channels[channel] + frame, count: count)
    }
  }
}
