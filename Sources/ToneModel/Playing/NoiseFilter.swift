// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing

/// The render half of a band of noise: filters what a tone's unit has made.
struct NoiseFilter: ~Copyable {
  private let cascade: FilterCascade
  private let channelCount: Int
  private var plan: UnsafePointer<BandPlan>?

  /// Frames for which the filter still sounds when the noise has ended.
  private(set) var ringFrames = 0

  /// [control thread] A filter that lets everything through.
  init(channelCount: Int, sampleRate: Double) {
    self.channelCount = channelCount
    cascade = .allocate(
      sectionCount: BandPlan.sectionCount, channelCount: channelCount, sampleRate: sampleRate)
  }

  deinit { cascade.deallocate() }

  /// [render thread] Filters a slice, which begins at frame `position` of all. A plan for another waveform
  /// than the one that sounds waits until that has faded.
  @_noLocks
  mutating func apply(
    _ wished: UnsafePointer<BandPlan>?, waveform: Float, at position: Int,
    to data: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int
  ) {
    if let wished, wished != plan, wished.pointee.waveform == waveform {
      // What has sounded without a filter goes over to it, which takes some milliseconds.
      if plan == nil, position > 0 { cascade.run(0) }
      adopt(wished)
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
  private mutating func adopt(_ wished: UnsafePointer<BandPlan>) {
    plan = wished
    for index in 0..<BandPlan.sectionCount {
      cascade.set(index, to: wished.pointee.sections[index])
    }
    cascade.setGain(wished.pointee.gain)
    ringFrames = max(ringFrames, wished.pointee.ringFrames)
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
