// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// The settings of a converter.
struct ConverterSettings {
  /// `kAudioConverterSampleRateConverterQuality` and `-Complexity`.
  var quality: UInt32 = UInt32(kAudioConverterQuality_Medium)
  var complexity: UInt32 = UInt32(kAudioConverterSampleRateConverterComplexity_Normal)
  var initialPhase = 0.0
  var primeMethod: UInt32 = UInt32(kConverterPrimeMethod_Normal)
  var channelMap: [Int32]?
  /// Gains, one row per input channel.
  var mixMap: [Float]?
  var performsDownmix = false
  var inputLayout: [UInt8]?
  var outputLayout: [UInt8]?
  var dithering: UInt32 = UInt32(kDitherAlgorithm_None)
  /// Bits that dithering rounds to; 0 for those of the output.
  var ditherBits: UInt32 = 0
  /// How many bits the samples of the input have, if fewer than their format could hold.
  var sourceBits: Int?
  var bitDepthHint: Int32 = 0
  var codecQuality: UInt32 = UInt32(kAudioConverterQuality_Medium)

  /// The filter quality that follows from `quality` and `complexity`.
  var filterQuality: SampleRateConverter.Quality {
    switch complexity {
    case UInt32(kAudioConverterSampleRateConverterComplexity_Linear): .low
    case UInt32(kAudioConverterSampleRateConverterComplexity_Mastering): .mastering
    default: .init(renderQuality: Int(quality))
    }
  }

  /// The phase response of the filter.
  var phase: SampleRateConverter.Phase {
    complexity == UInt32(kAudioConverterSampleRateConverterComplexity_MinimumPhase)
      ? .minimum : .linear
  }

  /// The dither for samples whose bit depth is reduced.
  var dither: Dither {
    switch dithering {
    case UInt32(kDitherAlgorithm_TPDF): Dither(.triangular, bits: Int(ditherBits))
    case UInt32(kDitherAlgorithm_NoiseShaping): Dither(.shaped, bits: Int(ditherBits))
    default: .none
    }
  }

  /// The priming of the filter.
  var priming: FrameConversion.Priming {
    switch primeMethod {
    case UInt32(kConverterPrimeMethod_Pre): .pre
    case UInt32(kConverterPrimeMethod_None): .none
    default: .normal
    }
  }

  /// How output channels are made from input channels.
  func mixing(from inputs: Int, to outputs: Int) -> ChannelMixing {
    if let channelMap { return .map(channelMap) }
    if let mixMap { return .matrix(mixMap) }
    let input = Self.layout(inputLayout, inputs)
    let output = Self.layout(outputLayout, outputs)
    if performsDownmix {
      return .matrix(LayoutMixing.matrix(from: input, to: output))
    }
    // If both layouts have the same channels, only their order changes.
    if inputLayout != nil, outputLayout != nil {
      let map = LayoutMixing.map(from: input, to: output)
      if map.allSatisfy({ $0 >= 0 }) { return .map(map) }
    }
    return .natural
  }

  private static func layout(_ bytes: [UInt8]?, _ channelCount: Int) -> ChannelLayout {
    bytes.flatMap { bytes in bytes.withUnsafeBytes { ChannelLayout($0) } }
      ?? .standard(channelCount: channelCount)
  }
}
