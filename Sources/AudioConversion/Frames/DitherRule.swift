// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

extension FrameConversion.Setup {
  /// Whether noise is added before samples are rounded. This is the one place that decides it.
  ///
  /// Samples that keep their values need no noise: those that nothing changes on the way, if the
  /// destination holds all the bits of the source. Whether the values would happen to fit into fewer
  /// bits does not matter.
  ///
  /// With `changesSamples`, the rate changes or channels are summed: the results have any number of
  /// bits.
  func addsNoise(changesSamples: Bool) -> Bool {
    dither.isUsed(
      from: changesSamples ? .float32 : formatOfSourceBits, to: destination.sampleFormat)
  }

  /// The smallest format of the bits that the samples of the source have.
  private var formatOfSourceBits: SampleFormat {
    let format = source.sampleFormat
    guard let sourceBits, format.isFloat || sourceBits < format.bits, format.fractionBits == 0
    else { return format }
    return SampleFormat(.signedInteger, bits: min(max(sourceBits, 1), 64))
  }
}
