// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

extension StatusFamily {
  /// The status codes of AudioConverter.
  public static let converters = StatusFamily(
    of: ["AudioConverter"],
    [
      .init(
        kAudioConverterErr_FormatNotSupported, "kAudioConverterErr_FormatNotSupported",
        "The converter does not support one of the formats, or cannot convert one to the other.",
        "Compare bits with bytes, and bytes per frame with channels; "
          + "kAudioFormatProperty_DecodeFormatIDs "
          + "and -EncodeFormatIDs list the codecs."),
      .init(
        kAudioConverterErr_OperationNotSupported, "kAudioConverterErr_OperationNotSupported",
        "The converter cannot do this with its formats, or not at this moment.",
        "Use one thread, and change nothing from inside the input function."),
      .init(
        kAudioConverterErr_PropertyNotSupported, "kAudioConverterErr_PropertyNotSupported",
        "The converter does not have this property.", "AudioConverter.h lists the properties."),
      .init(
        kAudioConverterErr_InvalidInputSize, "kAudioConverterErr_InvalidInputSize",
        "The input does not consist of whole packets, or a packet is not where its description "
          + "says.",
        "Compare mDataByteSize with the packets, and the packets with their descriptions."),
      .init(
        kAudioConverterErr_InvalidOutputSize, "kAudioConverterErr_InvalidOutputSize",
        "The output has no room for a packet, or one of its buffers is missing.",
        "Set mDataByteSize before each call; kAudioConverterPropertyMaximumOutputPacketSize is the "
          + "size of a packet."
      ),
      .init(
        kAudioConverterErr_UnspecifiedError, "kAudioConverterErr_UnspecifiedError",
        "A codec failed.", "AUDIOTOOLBOX_LOG=1 prints the reason."),
      .init(
        kAudioConverterErr_BadPropertySizeError, "kAudioConverterErr_BadPropertySizeError",
        "The memory is too small for the value, or has the wrong size.",
        "Call AudioConverterGetPropertyInfo first."),
      .init(
        kAudioConverterErr_RequiresPacketDescriptionsError,
        "kAudioConverterErr_RequiresPacketDescriptionsError",
        "Packets differ in size, and there are no descriptions to locate them.",
        "Provide room for descriptions, and set them in the input function."),
      .init(
        kAudioConverterErr_InputSampleRateOutOfRange,
        "kAudioConverterErr_InputSampleRateOutOfRange",
        "The sample rate of the input is not supported.",
        "Choose one within a factor of 256 of the output's."),
      .init(
        kAudioConverterErr_OutputSampleRateOutOfRange,
        "kAudioConverterErr_OutputSampleRateOutOfRange",
        "The sample rate of the output is not supported.",
        "Choose one within a factor of 256 of the input's; encoders support few rates."),
    ])
}
