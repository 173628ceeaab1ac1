// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// The render half of a unit that is one filter of the second order.
///
/// Memory of its own: the kernel that holds it deallocates it.
struct SingleFilter: BitwiseCopyable {
  let design: FilterDesign
  private let cascade: FilterCascade
  private let sampleRate: Double
  /// The parameters that the filter was made of.
  private var known = SIMD4<Float>(repeating: .nan)

  init(_ setup: KernelSetup) {
    sampleRate = setup.format.sampleRate
    design = FilterDesign(sampleRate: sampleRate)
    cascade = .allocate(
      sectionCount: 1, channelCount: setup.format.channelCount, sampleRate: sampleRate)
  }

  func deallocate() { cascade.deallocate() }

  @_noLocks
  func reset() { cascade.reset() }

  /// [render thread] Whether these are other parameters than those of the last slice.
  @_noLocks
  mutating func isNew(_ first: Float, _ second: Float, _ third: Float = 0) -> Bool {
    let values = SIMD4(first, second, third, 0)
    guard any(values .!= known) else { return false }
    known = values
    return true
  }

  /// [render thread] Makes it another filter, without a click.
  @_noLocks
  func set(_ section: FilterSection) { cascade.set(0, to: section) }

  /// [render thread] Filters a slice in place.
  @_noLocks
  func process(_ slice: Slice) { cascade.process(slice) }

  /// Seconds for which a filter remembers.
  @_noLocks
  func tailTime(_ section: FilterSection) -> Double {
    section.memoryFrames(decibels: 100) / sampleRate
  }
}

extension FilterCascade {
  /// [render thread] Filters a slice in place.
  @_noLocks
  func process(_ slice: Slice) {
    var done = 0
    while done < slice.frameCount {
      let frames = min(slice.frameCount - done, FilterCascade.maximumFrames)
      for channel in 0..<slice.channelCount {
        let (from, to) = (slice[channel] + done, samples(channel))
        for index in 0..<frames { to[index] = Double(from[index]) }
      }
      run(frames)
      for channel in 0..<slice.channelCount {
        let (from, to) = (samples(channel), slice[channel] + done)
        for index in 0..<frames { to[index] = Float(from[index]) }
      }
      done += frames
    }
  }
}
