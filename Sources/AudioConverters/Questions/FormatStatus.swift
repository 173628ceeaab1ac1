// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

extension StatusFamily {
  /// The codes of questions of formats.
  public static let formats = StatusFamily(
    of: ["AudioFormat"],
    [
      .init(
        kAudioFormatUnspecifiedError, "kAudioFormatUnspecifiedError", "The question failed.",
        "AUDIOTOOLBOX_LOG=1 prints the reason."),
      .init(
        kAudioFormatUnsupportedPropertyError, "kAudioFormatUnsupportedPropertyError",
        "There is no such question.", "AudioFormat.h lists the properties."),
      .init(
        kAudioFormatBadPropertySizeError, "kAudioFormatBadPropertySizeError",
        "The memory is too small for the answer.", "Ask AudioFormatGetPropertyInfo first."),
      .init(
        kAudioFormatBadSpecifierSizeError, "kAudioFormatBadSpecifierSizeError",
        "The specifier is not of the size of its type.",
        "AudioFormat.h says of each property what its specifier is."),
      .init(
        kAudioFormatUnsupportedDataFormatError, "kAudioFormatUnsupportedDataFormatError",
        "Nothing is known of the format or the layout, or it has no codec here.",
        "kAudioFormatProperty_DecodeFormatIDs and -EncodeFormatIDs list the codecs."),
      .init(
        kAudioFormatUnknownFormatError, "kAudioFormatUnknownFormatError",
        "The layout is not consistent.",
        "Compare its tag, its bitmap and the number of its descriptions."),
    ])
}
