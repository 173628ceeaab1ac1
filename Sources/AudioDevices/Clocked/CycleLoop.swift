// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Synchronization

/// The thread of a clocked stream between start and stop.
final class CycleLoop<Transport: CycleTransport>: Sendable {
  let transport: Transport

  private let handler: CycleHandler
  private let environment: DeviceEnvironment
  private let startHostTime: UInt64?
  private let input: CycleBuffers?
  private let output: CycleBuffers?
  private let lateCycles: LateCycles

  /// Allocates everything that a run needs, so that the thread itself allocates nothing.
  init(
    _ request: StreamRequest, _ device: Device, _ environment: DeviceEnvironment,
    _ handler: CycleHandler, _ transport: Transport, _ lateCycles: LateCycles
  ) throws(AudioError) {
    func buffers(_ channelCount: Int, _ isUsed: Bool) throws(AudioError) -> CycleBuffers? {
      guard isUsed else { return nil }
      return try CycleBuffers(channelCount: channelCount, frameCount: environment.cycleFrames)
    }
    self.transport = transport
    self.handler = handler
    self.environment = environment
    self.lateCycles = lateCycles
    startHostTime = request.startHostTime
    input = try buffers(device.inputChannelCount, request.usesInput)
    output = try buffers(device.outputChannelCount, request.usesOutput)
  }

  /// [render thread] Runs cycles until the thread is told to stop or the transport cannot continue.
  func run(_ thread: WorkerThread) {
    let render = CycleCall(to: handler)
    var clock = CycleClock(environment, startHostTime: startHostTime)
    while clock.wait(thread) {
      if let input, !transport.fill(input) { break }
      output?.planes.silence()
      render(
        DeviceCycle(
          frameCount: environment.cycleFrames, sampleTime: Double(clock.frames),
          hostTime: clock.hostTime, input: input?.channels,
          inputChannelCount: input?.channelCount ?? 0, output: output?.channels,
          outputChannelCount: output?.channelCount ?? 0))
      if let output, !transport.write(output) { break }
      if clock.advance() { lateCycles.count.wrappingAdd(1, ordering: .relaxed) }
    }
    thread.requestStop()  // it ended by itself and must not count as running
    transport.end()
  }
}

/// Counts the late cycles of a stream, over all its runs.
final class LateCycles: Sendable {
  let count = Atomic(0)
}
