// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing

/// The render half of a noise band: filters the output of a tone's unit.
struct NoiseFilter: ~Copyable {
  private let cascade: FilterCascade
  private let channelCount: Int
  private var plan: UnsafePointer<BandPlan>?

  /// The frames until the filter has decayed after the noise.
  private(set) var ringFrames = 0

  /// [control thread] A filter that passes everything.
  init(channelCount: Int, sampleRate: Double) {
    self.channelCount = channelCount
    cascade = .allocate(
      sectionCount: BandPlan.sectionCount, channelCount: channelCount, sampleRate: sampleRate)
  }

  deinit { cascade.deallocate() }

  /// [render thread] Filters a part that begins at frame `position`. A plan for a different
  /// waveform is applied once the current one has faded out.
  @_noLocks
  mutating func apply(
    _ newPlan: UnsafePointer<BandPlan>?, waveform: Float, at position: Int,
    to data: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int
  ) {
    if let newPlan, newPlan != plan, newPlan.pointee.waveform == waveform {
      // Sound that was unfiltered crossfades to the filter, for some milliseconds.
      if plan == nil, position > 0 { cascade.run(0) }
      apply(newPlan)
    }
    guard plan != nil else { return }
    var done = 0
    while done < frameCount {
      let count = min(FilterCascade.maximumFrames, frameCount - done)
      filter(data, from: done, count)
      done += count
    }
  }

  @_noLocks
  private mutating func apply(_ newPlan: UnsafePointer<BandPlan>) {
    plan = newPlan
    for index in 0..<BandPlan.sectionCount {
      cascade.set(index, to: newPlan.pointee.sections[index])
    }
    cascade.setGain(newPlan.pointee.gain)
    ringFrames = max(ringFrames, newPlan.pointee.ringFrames)
  }

  @_noLocks
  private func filter(
    _ data: UnsafeMutablePointer<AudioBufferList>, from start: Int, _ count: Int
  ) {
    let buffers = buffers(of: data)
    let channels = min(channelCount, Int(data.pointee.mNumberBuffers))
    for channel in 0..<channels {
      guard let memory = buffers[channel].mData else { continue }
      let samples = memory.assumingMemoryBound(to: Float.self) + start
      let wide = cascade.samples(channel)
      for frame in 0..<count { wide[frame] = Double(samples[frame]) }
    }
    cascade.run(count)
    for channel in 0..<channels {
      guard let memory = buffers[channel].mData else { continue }
      let samples = memory.assumingMemoryBound(to: Float.self) + start
      let wide = cascade.samples(channel)
      for frame in 0..<count { samples[frame] = Float(wide[frame]) }
    }
  }
}
