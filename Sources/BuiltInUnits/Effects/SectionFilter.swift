// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// A kernel that is one filter of the second order.
///
/// What is set at once is reached within 20 ms; a ramp is followed: at the ends of each piece of 16
/// frames the filter is exactly that of the parameters there, and in between it moves evenly.
protocol SectionKernel: FilterKernel, ~Copyable {
  var filter: SectionFilter { get }
  /// [any thread] The filter that parameters describe: their values in the order of their cases, four
  /// at most.
  static func section(_ values: SIMD4<Float>, _ design: FilterDesign) -> FilterSection
}

extension SectionKernel where Self: ~Copyable {
  mutating func reset() { filter.cascade.reset() }

  func tailTime(_ values: ParameterValues<Parameter>) -> Double? {
    let section = Self.section(Self.numbers(values), filter.design)
    return section.memoryFrames(decibels: 100) / filter.sampleRate
  }

  static func filters(_ values: ParameterValues<Parameter>, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  ) {
    let design = FilterDesign(sampleRate: sampleRate)
    return ([section(numbers(values), design)], 1)
  }

  private static func numbers(_ values: ParameterValues<Parameter>) -> SIMD4<Float> {
    var numbers = SIMD4<Float>.zero
    for slot in 0..<Parameter.allCases.count { numbers[slot] = values[slot: slot] }
    return numbers
  }
}

/// What a kernel of one filter keeps. Memory of its own: the kernel deallocates it.
struct SectionFilter: BitwiseCopyable {
  let design: FilterDesign
  let cascade: FilterCascade
  let sampleRate: Double
  /// The parameters that the filter was made of.
  private var known = SIMD4<Float>(repeating: .nan)

  init(_ setup: KernelSetup) {
    sampleRate = setup.format.sampleRate
    design = FilterDesign(sampleRate: sampleRate)
    cascade = .allocate(
      sectionCount: 1, channelCount: setup.format.channelCount, sampleRate: sampleRate)
  }

  func deallocate() { cascade.deallocate() }

  /// What is new in a slice: the parameters at its first frame and behind its last.
  struct Change: BitwiseCopyable {
    let start: SIMD4<Float>
    let end: SIMD4<Float>
    fileprivate let frames: Int
    fileprivate let ramps: Bool
    /// Whether there is something new.
    let isAny: Bool

    @_noLocks
    fileprivate init(
      _ start: SIMD4<Float>, _ end: SIMD4<Float>, _ frames: Int, ramps: Bool, isAny: Bool
    ) {
      (self.start, self.end, self.frames) = (start, end, frames)
      (self.ramps, self.isAny) = (ramps, isAny)
    }
  }

  /// [render thread] What parameters of a slice, and their steps per frame, change.
  @_noLocks
  mutating func change(_ values: SIMD4<Float>, _ steps: SIMD4<Float>, _ frames: Int) -> Change {
    let ramps = any(steps .!= 0)
    let isAny = ramps || any(values .!= known)
    // What comes after a ramp is new, wherever it led.
    known = ramps ? SIMD4(repeating: .nan) : values
    return Change(values, values + steps * Float(frames), frames, ramps: ramps, isAny: isAny)
  }

  /// [render thread] Makes it the filter of a change, given the filters at its ends.
  @_noLocks
  func take(_ change: Change, _ start: FilterSection, _ end: FilterSection) {
    if change.ramps {
      cascade.begin(0, at: start)
      cascade.follow(0, to: end, within: change.frames)
    } else {
      cascade.set(0, to: end)
    }
  }
}

extension ParameterSpec {
  /// A frequency of a filter: on a logarithmic scale, up to half the sample rate.
  static func filterFrequency(
    _ name: String, _ range: ClosedRange<Float>, default value: Float
  ) -> Self {
    .init(
      name, .hertz, range, default: value, limit: .halfSampleRate,
      display: .flag_DisplayLogarithmic, shortRamps: true)
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
