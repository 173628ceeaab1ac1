// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

extension StatusFamily {
  /// The status codes of AudioFormat.
  public static let formats = StatusFamily(
    of: ["AudioFormat"],
    [
      .init(
        kAudioFormatUnspecifiedError, "kAudioFormatUnspecifiedError",
        "The property cannot be read.",
        "AUDIOTOOLBOX_LOG=1 prints the reason."),
      .init(
        kAudioFormatUnsupportedPropertyError, "kAudioFormatUnsupportedPropertyError",
        "AudioFormat has no such property.", "AudioFormat.h lists the properties."),
      .init(
        kAudioFormatBadPropertySizeError, "kAudioFormatBadPropertySizeError",
        "The memory is too small for the value.", "Call AudioFormatGetPropertyInfo first."),
      .init(
        kAudioFormatBadSpecifierSizeError, "kAudioFormatBadSpecifierSizeError",
        "The specifier does not have the size of its type.",
        "AudioFormat.h lists the specifier of each property."),
      .init(
        kAudioFormatUnsupportedDataFormatError, "kAudioFormatUnsupportedDataFormatError",
        "The format or layout is unknown, or has no codec.",
        "kAudioFormatProperty_DecodeFormatIDs and -EncodeFormatIDs list the codecs."),
      .init(
        kAudioFormatUnknownFormatError, "kAudioFormatUnknownFormatError",
        "The layout is not consistent.",
        "Compare its tag, its bitmap and the number of its descriptions."),
    ])
}
