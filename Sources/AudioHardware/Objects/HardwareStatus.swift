// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

extension StatusFamily {
  /// The status codes of audio objects.
  public static let hardware = StatusFamily(
    of: ["AudioObject", "AudioHardware", "AudioDevice", "AudioStream"],
    [
      .init(
        kAudioHardwareUnknownPropertyError, "kAudioHardwareUnknownPropertyError",
        "The audio object does not have this property, or not in this scope.",
        "AudioHardware.h lists the properties with their scopes."),
      .init(
        kAudioHardwareBadPropertySizeError, "kAudioHardwareBadPropertySizeError",
        "The memory is too small for the value, or has the wrong size.",
        "Call AudioObjectGetPropertyDataSize first."),
      .init(
        kAudioHardwareIllegalOperationError, "kAudioHardwareIllegalOperationError",
        "The device cannot have this value.",
        "See kAudioDevicePropertyAvailableNominalSampleRates and "
          + "kAudioDevicePropertyBufferFrameSizeRange."),
      .init(
        kAudioHardwareBadObjectError, "kAudioHardwareBadObjectError",
        "There is no audio object with this id, or it no longer exists.",
        "`au devices` lists all devices."),
      .init(
        kAudioDevicePermissionsError, "kAudioDevicePermissionsError",
        "Another process has exclusive use of the device.",
        "kAudioDevicePropertyHogMode names the process; it has to release the device or end."),
      .init(
        kAudioHardwareUnsupportedOperationError, "kAudioHardwareUnsupportedOperationError",
        "The property can only be read.", "Call AudioObjectIsPropertySettable first."),
    ])
}
