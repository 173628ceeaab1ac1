// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// The codecs that a program names when it creates a converter.
public enum NamedCodecs {
  /// [control thread] Throws unless the list contains the codec of each compressed format.
  public static func check(
    _ classes: UnsafeBufferPointer<AudioClassDescription>,
    from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription
  ) throws(AudioError) {
    guard !classes.isEmpty else { return }
    for (format, type) in [
      (source, kAudioDecoderComponentType), (destination, kAudioEncoderComponentType),
    ] where format.mFormatID != kAudioFormatLinearPCM {
      let isNamed = classes.contains {
        $0.mType == type && $0.mSubType == format.mFormatID
          && $0.mManufacturer == kAppleSoftwareAudioCodecManufacturerCode
      }
      guard isNamed else {
        throw .converterFormat.because(
          "none of the \(classes.count) named codecs is the one for "
            + "'\(FourCharacterCode(format.mFormatID))', of manufacturer 'appl'")
      }
    }
  }
}
