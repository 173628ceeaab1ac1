// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// A unit that is a single second-order filter.
protocol SectionRow {
  /// At most four.
  associatedtype Parameter: ParameterKey
  static var identity: Identity { get }
  static var shape: SectionShape { get }
}

/// What such a filter does, and how it is designed from its parameters.
enum SectionShape: BitwiseCopyable {
  case lowPass, highPass, bandPass, lowShelf, highShelf, bell

  /// [any thread] The filter for some parameter values, in the order of their cases.
  @_noLocks
  func section(_ values: SIMD4<Float>, _ design: FilterDesign) -> FilterSection {
    let (frequency, second, third) = (Double(values[0]), Double(values[1]), Double(values[2]))
    switch self {
    case .lowPass: return design.lowPass(frequency, q: FilterDesign.q(resonance: second))
    case .highPass: return design.highPass(frequency, q: FilterDesign.q(resonance: second))
    case .bandPass:
      return design.bandPass(frequency, q: design.q(frequency, octaves: second / 1200))
    case .lowShelf:
      return design.lowShelf(frequency, q: FilterDesign.butterworth, decibels: second)
    case .highShelf:
      return design.highShelf(frequency, q: FilterDesign.butterworth, decibels: second)
    case .bell: return design.bell(frequency, q: second, decibels: third)
    }
  }
}

/// The kernel of a unit that is a single second-order filter.
///
/// An immediate change takes 20 ms. A ramp is followed in pieces of 16 frames: at their ends the
/// filter exactly matches the parameters, and in between it changes linearly.
struct SectionKernel<Row: SectionRow>: FilterKernel, ~Copyable {
  typealias Parameter = Row.Parameter
  typealias Setting = NoSettings

  static var identity: Identity { Row.identity }

  private var filter: SectionFilter

  init(_ setup: KernelSetup) {
    filter = SectionFilter(setup, Row.shape, parameterCount: Parameter.allCases.count)
  }

  deinit { filter.cascade.deallocate() }

  mutating func reset() { filter.cascade.reset() }

  // Generic, and so without the compiler's check, which `SectionFilter` has.
  mutating func render(_ slice: Slice, _ values: Values) { filter.render(slice, values.raw) }

  func tailTime(_ values: Values) -> Double? {
    let section = Row.shape.section(Self.parameterValues(values), filter.design)
    return section.memoryFrames(decibels: 100) / filter.sampleRate
  }

  static func filters(_ values: Values, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  ) {
    let design = FilterDesign(sampleRate: sampleRate)
    return ([Row.shape.section(parameterValues(values), design)], 1)
  }

  private static func parameterValues(_ values: Values) -> SIMD4<Float> {
    var parameterValues = SIMD4<Float>.zero
    for slot in 0..<Parameter.allCases.count { parameterValues[slot] = values[slot: slot] }
    return parameterValues
  }
}

/// The state of a kernel with one filter; the kernel deallocates the cascade.
struct SectionFilter: BitwiseCopyable {
  let design: FilterDesign
  let cascade: FilterCascade
  let sampleRate: Double
  let shape: SectionShape
  let parameterCount: Int
  /// The parameters that the filter was designed from.
  private var designValues = SIMD4<Float>(repeating: .nan)

  init(_ setup: KernelSetup, _ shape: SectionShape, parameterCount: Int) {
    self.shape = shape
    self.parameterCount = parameterCount
    sampleRate = setup.format.sampleRate
    design = FilterDesign(sampleRate: sampleRate)
    cascade = .allocate(
      sectionCount: 1, channelCount: setup.format.channelCount, sampleRate: sampleRate)
  }

  /// [render thread] Filters a slice in place.
  @_noLocks
  mutating func render(_ slice: Slice, _ values: RawParameterValues) {
    if values.beginsPiece { follow(values) }
    cascade.process(slice)
  }

  @_noLocks
  private mutating func follow(_ values: RawParameterValues) {
    var (start, step) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for slot in 0..<parameterCount {
      start[slot] = values[slot: slot]
      step[slot] = values.step(slot: slot)
    }
    if any(step .!= 0) {
      let end = start + step * Float(values.pieceFrames)
      cascade.begin(0, at: shape.section(start, design))
      cascade.follow(0, to: shape.section(end, design), within: values.pieceFrames)
      // After a ramp the filter is designed again, whatever the values are.
      designValues = SIMD4(repeating: .nan)
    } else if any(start .!= designValues) {
      cascade.set(0, to: shape.section(start, design))
      designValues = start
    }
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
