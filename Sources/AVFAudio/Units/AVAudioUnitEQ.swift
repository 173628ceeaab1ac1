// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// An equaliser of up to 64 filters in series, and a gain.
///
/// Its bands are bypassed at first, so it changes nothing until a band's `bypass` is false.
open class AVAudioUnitEQ: AVAudioUnitEffect, @unchecked Sendable {
  private let filters: [AVAudioUnitEQFilterParameters]

  /// An equaliser with a number of bands, from 0 to 64; other numbers end the program.
  public init(numberOfBands: Int) {
    let unit = Self.unit(numberOfBands)
    filters = Self.filters(numberOfBands, of: unit)
    super.init(unit)
  }

  /// An equaliser with one band.
  public init() {
    let unit = Self.unit(1)
    filters = Self.filters(1, of: unit)
    super.init(unit)
  }

  private static func unit(_ numberOfBands: Int) -> NodeUnit {
    let unit = NodeUnit(kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ)
    let most =
      unit.value(
        kAUNBandEQProperty_MaxNumberOfBands, kAudioUnitScope_Global, 0 as UInt32) ?? 0
    orEnd {
      guard (0...Int(most)).contains(numberOfBands) else {
        throw EngineError.refusal(
          "AVAudioUnitEQ.init(numberOfBands:)", "\(numberOfBands) bands are not possible",
          mend: "use 0 to \(most)")
      }
      // The unit has at least one band, which stays bypassed if there are none.
      try EngineError.check(
        unit.set(
          kAUNBandEQProperty_NumberOfBands, kAudioUnitScope_Global, 0,
          UInt32(max(numberOfBands, 1))), "AVAudioUnitEQ.init(numberOfBands:)")
    }
    return unit
  }

  private static func filters(
    _ count: Int, of unit: NodeUnit
  ) -> [AVAudioUnitEQFilterParameters] {
    (0..<count).map { AVAudioUnitEQFilterParameters(FilterParameters(band: $0, of: unit)) }
  }

  /// The filters, in their order.
  open var bands: [AVAudioUnitEQFilterParameters] { filters }

  /// The gain of the output in decibels, from -96 to 24; 0 at first.
  open var globalGain: Float {
    get { own.parameter(kAUNBandEQParam_GlobalGain) }
    set { own.set(parameter: kAUNBandEQParam_GlobalGain, to: newValue) }
  }
}
