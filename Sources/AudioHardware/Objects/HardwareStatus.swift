// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

extension StatusFamily {
  /// What the functions of audio objects return.
  public static let hardware = StatusFamily(
    of: ["AudioObject", "AudioHardware", "AudioDevice", "AudioStream"],
    [
      .init(
        kAudioHardwareUnknownPropertyError, "kAudioHardwareUnknownPropertyError",
        "The audio object does not have this property, or not in this scope.",
        "AudioHardware.h lists the properties with their scopes."),
      .init(
        kAudioHardwareBadPropertySizeError, "kAudioHardwareBadPropertySizeError",
        "The memory is too small for the value, or not of its size.",
        "Ask AudioObjectGetPropertyDataSize first."),
      .init(
        kAudioHardwareIllegalOperationError, "kAudioHardwareIllegalOperationError",
        "The device cannot have this value.",
        "Look at kAudioDevicePropertyAvailableNominalSampleRates and "
          + "kAudioDevicePropertyBufferFrameSizeRange."),
      .init(
        kAudioHardwareBadObjectError, "kAudioHardwareBadObjectError",
        "There is no audio object of this number, or no more.", "`au devices` shows what there is."),
      .init(
        kAudioDevicePermissionsError, "kAudioDevicePermissionsError",
        "Another process has the device to itself.",
        "kAudioDevicePropertyHogMode says which; it has to end, or to let go of the device."),
      .init(
        kAudioHardwareUnsupportedOperationError, "kAudioHardwareUnsupportedOperationError",
        "The property can only be read.", "Ask AudioObjectIsPropertySettable first."),
    ])
}
