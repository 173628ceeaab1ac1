// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

extension StreamFormat {
  /// The memory format of one sample.
  package var sampleFormat: SampleFormat {
    SampleFormat(
      isFloat ? .float : isSignedInteger ? .signedInteger : .unsignedInteger, bits: bitsPerChannel,
      containerBytes: bytesPerSample, fractionBits: fractionBits, isBigEndian: isBigEndian,
      isAlignedHigh: isAlignedHigh)
  }
}

extension SampleRateConverter.Quality {
  /// The quality for `kAudioUnitProperty_RenderQuality`: low below 32, normal below 96, high below
  /// 127 and mastering at 127.
  package init(renderQuality: Int) {
    switch renderQuality {
    case ..<32: self = .low
    case ..<96: self = .normal
    case ..<127: self = .high
    default: self = .mastering
    }
  }
}
