// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// A kernel that is one filter of the second order.
///
/// What is set at once is reached within 20 ms; a ramp is followed: at the ends of each piece of 16
/// frames the filter is exactly that of the parameters there, and in between it moves evenly.
protocol SectionKernel: FilterKernel, ~Copyable {
  var filter: SectionFilter<Parameter> { get set }
  /// [any thread] The filter that parameters describe.
  static func section(_ values: FilterValues<Parameter>, _ design: FilterDesign) -> FilterSection
}

extension SectionKernel where Self: ~Copyable {
  mutating func reset() { filter.cascade.reset() }

  func tailTime(_ values: ParameterValues<Parameter>) -> Double? {
    let section = Self.section(filter.present(values), filter.design)
    return section.memoryFrames(decibels: 100) / filter.sampleRate
  }

  /// [render thread] Filters a slice in place. Concrete kernels call it, which has it checked.
  mutating func renderSection(_ slice: Slice, _ values: ParameterValues<Parameter>) {
    if filter.isRamping(values) {
      filter.cascade.begin(0, at: Self.section(filter.present(values), filter.design))
      let end = filter.present(values, after: slice.frameCount)
      filter.cascade.follow(0, to: Self.section(end, filter.design), within: slice.frameCount)
    } else if filter.isNew(values) {
      filter.cascade.set(0, to: Self.section(filter.present(values), filter.design))
    }
    filter.cascade.process(slice)
  }

  static func filters(_ values: ParameterValues<Parameter>, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  ) {
    let limits = FilterLimits<Parameter>()
    let design = FilterDesign(sampleRate: sampleRate)
    return ([section(limits.values(values, after: 0), design)], 1)
  }
}

/// What a kernel of one filter keeps. Memory of its own: the kernel deallocates it.
struct SectionFilter<Key: ParameterKey>: BitwiseCopyable {
  let design: FilterDesign
  let cascade: FilterCascade
  let sampleRate: Double
  private let limits = FilterLimits<Key>()
  /// The parameters that the filter was made of.
  private var known = SIMD4<Float>(repeating: .nan)

  init(_ setup: KernelSetup) {
    sampleRate = setup.format.sampleRate
    design = FilterDesign(sampleRate: sampleRate)
    cascade = .allocate(
      sectionCount: 1, channelCount: setup.format.channelCount, sampleRate: sampleRate)
  }

  func deallocate() { cascade.deallocate() }

  /// [any thread] The parameters so many frames after the first of a slice.
  func present(_ values: ParameterValues<Key>, after frames: Int = 0) -> FilterValues<Key> {
    limits.values(values, after: frames)
  }

  /// [render thread] Whether a parameter moves in this slice; the next without is then a new one.
  mutating func isRamping(_ values: ParameterValues<Key>) -> Bool {
    for slot in 0..<limits.count where values.step(slot: slot) != 0 {
      known = SIMD4(repeating: .nan)
      return true
    }
    return false
  }

  /// [render thread] Whether these are other parameters than those of the last slice.
  mutating func isNew(_ values: ParameterValues<Key>) -> Bool {
    let now = limits.values(values, after: 0).numbers
    guard any(now .!= known) else { return false }
    known = now
    return true
  }
}

/// Values of a filter's parameters, four at most, each within its range.
struct FilterValues<Key: ParameterKey>: BitwiseCopyable {
  fileprivate let numbers: SIMD4<Float>

  subscript(key: Key) -> Double { Double(numbers[key.slot]) }
}

/// The ranges of a filter's parameters.
private struct FilterLimits<Key: ParameterKey>: BitwiseCopyable {
  let count: Int
  private var lowest = SIMD4<Float>.zero
  private var highest = SIMD4<Float>.zero

  init() {
    let keys = Array(Key.allCases)
    count = keys.count
    for key in keys {
      lowest[key.slot] = key.spec.range.lowerBound
      highest[key.slot] = key.spec.range.upperBound
    }
  }

  /// The values so many frames after the first of a slice; a host may store what it likes.
  func values(_ values: ParameterValues<Key>, after frames: Int) -> FilterValues<Key> {
    var numbers = SIMD4<Float>.zero
    for slot in 0..<count {
      numbers[slot] = values[slot: slot] + values.step(slot: slot) * Float(frames)
    }
    numbers = numbers.replacing(with: lowest, where: numbers .< lowest)
    return FilterValues(
      numbers: numbers.replacing(with: highest, where: numbers .> highest))
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
