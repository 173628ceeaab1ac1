// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// What render threads use of a generic output: it pulls and converts.
struct GenericRenderer: ~Copyable {
  private let memory = OwnedMemory()
  private let input: UnsafeMutablePointer<ConvertedInput>
  private let converted: PlanarBuffer
  private let writer: BufferListWriter

  /// [control thread] Allocates everything needed to render the format `target`.
  init(_ setup: PullConverter.Setup, _ target: StreamFormat) {
    input = memory.cell(ConvertedInput(setup))
    converted = PlanarBuffer(
      channelCount: setup.channelCount, capacity: setup.maximumFrames, in: memory)
    writer = BufferListWriter(target, maximumFrames: setup.maximumFrames)
  }

  deinit {
    memory.deallocate()
    writer.deallocate()
  }

  /// The latency of the rate conversion in seconds.
  var latency: Double { input.pointee.latency }

  /// [render thread] Clears the signal history.
  @_noLocks
  mutating func reset() {
    let input = input
    input.pointee.reset()
  }

  /// [render thread] Pulls the frames for `call` and writes them in the target format.
  @_noLocks
  mutating func render(
    _ call: RenderCall, _ sources: SourceTable, into list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let input = input
    let frames = Int(call.frameCount)
    let status = input.pointee.render(
      sources, 0, call.flags, call.time, frames: frames, to: converted.channels)
    guard status == noErr else { return status }
    return writer.write(converted.readable, frames, to: list)
  }
}
