// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
import CheckedNumbers

extension CompressedFormat {
  /// The bit rates of MPEG Layer 3 in kbit/s: those of MPEG-1, for sample rates from 32 kHz on; of MPEG-2,
  /// for those from 16 kHz on; and of MPEG-2.5.
  private static let layer3 = (
    full: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    half: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    quarter: [8, 16, 24, 32, 40, 48, 56, 64]
  )

  /// Whether the bit rates are those of all channels together, and not of each.
  private var sharesBitRate: Bool { id == kAudioFormatMPEGLayer3 }

  /// The bit rates that can be set, in bits per second for all channels together; nil when there is no
  /// choice.
  public func bitRates(channels: Int) -> ClosedRange<Int>? {
    guard let bitRates else { return nil }
    let channels = sharesBitRate ? 1 : channels
    return bitRates.lowerBound * channels...bitRates.upperBound * channels
  }

  /// The bit rates of packets, at any sample rate, in the interface's form.
  public func availableBitRates(channels: Int) -> [AudioValueRange] {
    guard id != kAudioFormatMPEGLayer3 else {
      return Self.ranges(Self.layer3.half + Self.layer3.full)
    }
    return Self.ranges(bitRates(channels: channels))
  }

  /// The bit rates of packets at a sample rate, in the interface's form. An encoder takes the nearest one.
  public func applicableBitRates(channels: Int, at rate: Double) -> [AudioValueRange] {
    switch id {
    case kAudioFormatMPEGLayer3:
      let rates =
        rate >= 32_000 ? Self.layer3.full : rate >= 16_000 ? Self.layer3.half : Self.layer3.quarter
      return Self.ranges(rates)
    case kAudioFormatMPEG4AAC:
      // A packet has at most 6,144 bits for the 1,024 frames of a channel (ISO/IEC 14496-3).
      let most = Int(saturating: 6 * rate * Double(channels))
      return Self.ranges(bitRates(channels: channels)?.clamped(to: 0...max(0, most)))
    default: return availableBitRates(channels: channels)
    }
  }

  private static func ranges(_ range: ClosedRange<Int>?) -> [AudioValueRange] {
    range.map {
      [AudioValueRange(mMinimum: Double($0.lowerBound), mMaximum: Double($0.upperBound))]
    } ?? []
  }

  private static func ranges(_ kilobits: [Int]) -> [AudioValueRange] {
    Set(kilobits).sorted().map {
      AudioValueRange(mMinimum: Double(1_000 * $0), mMaximum: Double(1_000 * $0))
    }
  }
}
