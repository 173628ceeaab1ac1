// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// A kernel that consists only of filters in series.
protocol FilterKernel: EffectKernel, ~Copyable {
  /// The filters for some parameter values, and the linear gain after them.
  static func filters(_ values: Values, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  )
}

/// A unit that consists only of filters: it reports its frequency response.
class FilterUnit: KernelUnit, @unchecked Sendable {
  typealias Filters =
    @Sendable (RawParameterValues, Double) -> (sections: [FilterSection], gain: Double)

  private let filters: Filters

  init(component: Component, definition: UnitDefinition, filters: @escaping Filters) {
    self.filters = filters
    super.init(component: component, definition: definition)
  }

  override var properties: [UnitProperty] { super.properties + Self.filterProperties }

  var sampleRate: Double { outputs.first?.format.sampleRate ?? 44_100 }

  /// The filters for the current parameter values.
  func presentFilters() -> (sections: [FilterSection], gain: Double) {
    withCurrentValues { filters($0, sampleRate) } ?? ([], 1)
  }

  private static let filterProperties = PropertyRow<FilterUnit>.rows([
    .exchange(
      kAudioUnitProperty_FrequencyResponse, in: [kAudioUnitScope_Input, kAudioUnitScope_Output],
      upTo: Int(kNumberOfResponseFrequencies), of: AudioUnitFrequencyResponseBin.self
    ) { unit, _, bins in
      let (sections, gain) = unit.presentFilters()
      let biquads = sections.map(\.biquad)
      let end = bins.firstIndex { $0.mFrequency < 0 } ?? bins.count
      for index in 0..<end {
        let place = bins[index].mFrequency / unit.sampleRate
        bins[index].mMagnitude = biquads.reduce(gain) { $0 * $1.magnitude(at: place) }
      }
    }
  ])
}

extension UnitDefinition {
  /// A unit that consists only of filters.
  static func filter<K: FilterKernel & ~Copyable & SendableMetatype>(_ type: K.Type) -> Self {
    var definition = Self.effect(type)
    definition.makeUnit = { component, definition in
      FilterUnit(component: component, definition: definition) { values, rate in
        K.filters(KernelValues(values), sampleRate: rate)
      }
    }
    return definition
  }
}
