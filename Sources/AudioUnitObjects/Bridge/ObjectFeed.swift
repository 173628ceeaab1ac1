// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// What an object renders with inside a C unit: the block that pulls the unit's sources, and memory
/// for its buses.
struct ObjectFeed: ~Copyable {
  /// What the block uses, in memory that stays.
  private struct State {
    /// What feeds the inputs in the current render.
    var sources: SourceTable?
    let inputs: UnsafeMutablePointer<BusBuffer>
    let inputCount: Int
    let maximumFrames: Int
  }

  private let memory = OwnedMemory()
  private let state: UnsafeMutablePointer<State>
  private let outputs: UnsafeMutablePointer<BusBuffer>
  private let outputCount: Int
  private let renderer: Unmanaged<UnitRenderer>
  private let pull: UnsafeMutablePointer<StoredPullBlock>

  /// [control thread] Memory for buses of these formats. The renderer must live as long.
  init(
    _ renderer: UnitRenderer, inputs: [StreamFormat], outputs: [StreamFormat], maximumFrames: Int
  ) {
    self.renderer = .passUnretained(renderer)
    func buffers(_ formats: [StreamFormat], _ memory: OwnedMemory)
      -> UnsafeMutablePointer<BusBuffer>
    { memory.array(formats.map { BusBuffer($0, maximumFrames: maximumFrames) }) }
    self.outputs = buffers(outputs, memory)
    outputCount = outputs.count
    let state = memory.cell(
      State(
        sources: nil, inputs: buffers(inputs, memory), inputCount: inputs.count,
        maximumFrames: maximumFrames))
    self.state = state
    pull = memory.cell(
      StoredPullBlock { flags, time, frames, bus, list in
        Self.pull(state, flags, time, frames, bus, list)
      })
  }

  deinit {
    for bus in 0..<outputCount { outputs[bus].deallocate() }
    for bus in 0..<state.pointee.inputCount { state.pointee.inputs[bus].deallocate() }
    memory.deallocate()
  }

  /// [render thread] Renders a bus of the object.
  @_noLocks
  borrowing func render(
    _ call: RenderCall, _ sources: SourceTable, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    state.pointee.sources = sources
    let bus = Int(call.bus)
    guard data.buffers[0].mData == nil, bus < outputCount else {
      return Self.render(renderer, call, data, pull)
    }
    // The object renders into memory of the unit, and the caller gets a pointer to it.
    let buffer = outputs[bus]
    let frames = Int(call.frameCount)
    buffer.prepareList(frames)
    let status = Self.render(renderer, call, buffer.list, pull)
    guard status == noErr else { return status }
    guard buffer.adopt(frames) else { return kAudioUnitErr_InvalidPropertyValue }
    buffer.deliver(frames, to: data)
    return noErr
  }

  /// [render thread] Renders with a method that is checked where it is written. No references are
  /// counted.
  @_semantics("no_performance_analysis") @inline(never)
  private static func render(
    _ renderer: Unmanaged<UnitRenderer>, _ call: RenderCall,
    _ data: UnsafeMutablePointer<AudioBufferList>,
    _ pull: UnsafeMutablePointer<StoredPullBlock>
  ) -> OSStatus {
    renderer._withUnsafeGuaranteedRef {
      $0.render(call.flags, call.time, call.frameCount, Int(call.bus), data, UnsafePointer(pull))
    }
  }

  /// [render thread] Pulls the source of an input into a list of the object.
  @_noLocks
  private static func pull(
    _ state: UnsafeMutablePointer<State>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: AUAudioFrameCount, _ bus: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let sources = state.pointee.sources else { return kAudioUnitErr_NoConnection }
    guard bus >= 0, bus < state.pointee.inputCount else { return kAudioUnitErr_InvalidElement }
    let frames = Int(frames)
    guard frames <= state.pointee.maximumFrames else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    let buffer = state.pointee.inputs[bus]
    let status = sources.pull(bus, flags, time, frames, into: buffer, allocates: true)
    guard status == noErr else { return status }
    guard buffer.fits(list, frames) else { return kAudio_ParamError }
    buffer.deliver(frames, to: list)
    return noErr
  }
}
