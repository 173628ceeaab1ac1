// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// A kernel that is a single second-order filter: it declares its parameters and designs the filter
/// from them.
///
/// An immediate change takes 20 ms. A ramp is followed in pieces of 16 frames: at their ends the
/// filter exactly matches the parameters, and in between it changes linearly.
protocol SectionKernel: FilterKernel, ~Copyable {
  var filter: SectionFilter { get set }
  init(filter: SectionFilter)
  /// [any thread] The filter for some parameter values, at most four, in the order of their cases.
  static func section(_ values: SIMD4<Float>, _ design: FilterDesign) -> FilterSection
}

extension SectionKernel where Self: ~Copyable {
  init(_ setup: KernelSetup) {
    self.init(filter: SectionFilter(setup, parameterCount: Parameter.allCases.count))
  }

  mutating func reset() { filter.cascade.reset() }

  func tailTime(_ values: Values) -> Double? {
    let section = Self.section(Self.parameterValues(values), filter.design)
    return section.memoryFrames(decibels: 100) / filter.sampleRate
  }

  static func filters(_ values: Values, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  ) {
    let design = FilterDesign(sampleRate: sampleRate)
    return ([section(parameterValues(values), design)], 1)
  }

  private static func parameterValues(_ values: Values) -> SIMD4<Float> {
    var parameterValues = SIMD4<Float>.zero
    for slot in 0..<Parameter.allCases.count { parameterValues[slot] = values[slot: slot] }
    return parameterValues
  }
}

/// The state of a kernel with one filter, in its own memory, which the kernel deallocates.
struct SectionFilter: BitwiseCopyable {
  let design: FilterDesign
  let cascade: FilterCascade
  let sampleRate: Double
  let parameterCount: Int
  /// The parameters that the filter was designed from.
  private var designValues = SIMD4<Float>(repeating: .nan)

  init(_ setup: KernelSetup, parameterCount: Int) {
    self.parameterCount = parameterCount
    sampleRate = setup.format.sampleRate
    design = FilterDesign(sampleRate: sampleRate)
    cascade = .allocate(
      sectionCount: 1, channelCount: setup.format.channelCount, sampleRate: sampleRate)
  }

  func deallocate() { cascade.deallocate() }

  /// [render thread] Filters a slice in place; `section` designs the filter from the kernel's
  /// parameters.
  @_noLocks
  mutating func render(
    _ slice: Slice, _ values: RawParameterValues,
    _ section: (SIMD4<Float>, FilterDesign) -> FilterSection
  ) {
    var (start, step) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for slot in 0..<parameterCount {
      start[slot] = values[slot: slot]
      step[slot] = values.step(slot: slot)
    }
    if any(step .!= 0) {
      let end = start + step * Float(slice.frameCount)
      cascade.begin(0, at: section(start, design))
      cascade.follow(0, to: section(end, design), within: slice.frameCount)
      // After a ramp the filter is designed again, whatever the values are.
      designValues = SIMD4(repeating: .nan)
    } else if any(start .!= designValues) {
      cascade.set(0, to: section(start, design))
      designValues = start
    }
    cascade.process(slice)
  }
}

extension ParameterSpec {
  /// The frequency of a filter: on a logarithmic scale, up to half the sample rate.
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
