// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
import AudioUnitCore
package import CAudioToolbox
import CRealTime

extension UnitChain {
  /// [control thread] Runs `body` while no other thread uses the chain.
  private func alone(_ body: () throws(AudioError) -> Void) throws(AudioError) {
    guard gate.tryEnter() else {
      throw .cannotDoInCurrentContext.because("another thread uses this chain")
    }
    defer { gate.leave() }
    try body()
  }

  /// [control thread] Prepares the units, and reads their latency and tail in frames.
  package func prepareAlone(rate: Double, inputChannels: UInt32, outputChannels: UInt32)
    throws(AudioError)
  {
    try alone { () throws(AudioError) in
      _ = try prepare(rate: rate, inputChannels: inputChannels, outputChannels: outputChannels)
      try measureLatency()
      try measureTail()
    }
  }

  /// [control thread] Renders all frames of a call.
  package func render(_ call: AUChainCall) throws(AudioError) {
    try alone { () throws(AudioError) in try renderAlone(call) }
  }

  private func renderAlone(_ call: AUChainCall) throws(AudioError) {
    let frames = try check(call)
    let isNew = try prepare(
      rate: call.mSampleRate, inputChannels: call.mInputChannels,
      outputChannels: call.mOutputChannels)
    if isNew || !call.mFlags.isDisjoint(with: [.reset, .skipLatency]) { try measureLatency() }
    if call.mFlags.contains(.reset) { try reset() }
    var units: [Unmanaged<UnitInstance>] = []
    defer { for node in nodes.prefix(units.count) { Handles.units.leave(node.unit) } }
    for node in nodes {
      guard let unit = Handles.units.enter(node.unit) else { throw .stale("audio unit") }
      units.append(unit)
    }
    for place in nodes.indices {
      feeds[place] = ChainFeed(
        channels: call.mInputs.map { UnsafePointer($0) }, channelCount: Int(call.mInputChannels),
        frameCount: frames.input)
    }
    defer { for place in nodes.indices { feeds[place] = ChainFeed() } }
    try slices(call, units, outputFrames: frames.output)
  }

  private func check(_ call: AUChainCall) throws(AudioError) -> (input: Int, output: Int) {
    guard call.mInputFrames < 1 << 48, call.mOutputFrames < 1 << 48 else {
      throw .invalidArgument.because(
        "\(max(call.mInputFrames, call.mOutputFrames)) frames do not fit into memory")
    }
    guard call.mInputFrames == 0 || call.mInputChannels == 0 || call.mInputs != nil else {
      throw .null("mInputs")
    }
    guard call.mOutputFrames == 0 || call.mOutputs != nil else { throw .null("mOutputs") }
    return (
      call.mInputChannels == 0 ? 0 : Int(call.mInputFrames), Int(call.mOutputFrames)
    )
  }

  /// Renders slice after slice; the first ones only to skip the latency.
  private func slices(
    _ call: AUChainCall, _ units: [Unmanaged<UnitInstance>], outputFrames: Int
  ) throws(AudioError) {
    var automation = try ChainAutomation(call, self)
    let channelCount = Int(call.mOutputChannels)
    let list = UnsafeMutablePointer<AudioBufferList>.allocate(bufferCount: channelCount)
    defer { list.deallocate() }
    let skipped = call.mFlags.contains(.skipLatency) ? latency : 0
    let unwanted = UnsafeMutablePointer<Float>.allocate(
      capacity: skipped > 0 ? channelCount * Self.sliceFrames : 1)
    defer { unwanted.deallocate() }

    var position = 0
    let end = skipped + outputFrames
    // No lock is held here, so the process may fork.
    let failure: AudioError? = whileForksMayCome {
      do throws(AudioError) {
        while position < end {
          let isSkipped = position < skipped
          let frames = min(automation.sliceFrames, (isSkipped ? skipped : end) - position)
          try automation.send(units, from: position, frames: frames)
          for channel in 0..<channelCount {
            let memory =
              if isSkipped {
                unwanted + channel * Self.sliceFrames
              } else {
                call.mOutputs.map { $0[channel] + (position - skipped) }
              }
            list.buffers[channel] = AudioBuffer(
              mNumberChannels: 1, mDataByteSize: UInt32(frames * 4), mData: memory)
          }
          try renderSlice(units[head], list, frames: frames, at: position)
          position += frames
        }
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }

  private func renderSlice(
    _ unit: Unmanaged<UnitInstance>, _ list: UnsafeMutablePointer<AudioBufferList>, frames: Int,
    at position: Int
  ) throws(AudioError) {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = time
    stamp.mFlags = .sampleTimeValid
    time += Double(frames)
    var flags = AudioUnitRenderActionFlags()
    rt_enter()
    let status = renderUnit(
      unit, RenderCall(&flags, &stamp, bus: 0, frameCount: UInt32(frames)), list)
    rt_leave()
    guard status == noErr else {
      throw AudioError(status: status).of(unit._withUnsafeGuaranteedRef { $0.title }).because(
        "the chain cannot render its frame \(position)")
    }
  }
}
