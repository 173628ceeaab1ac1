// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_DEVICES_H
#define CAUDIOTOOLBOX_AU_DEVICES_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudio/CoreAudio.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Only in this library; other implementations of the interface do not have it. Audio objects are
// devices, whatever reaches them; these functions tell about the back ends that do: JACK, PipeWire,
// PulseAudio, ALSA, files, the clock, and aggregates.

/// Keys of the description of a back end.
///
/// String: its name, which begins the UIDs of its devices.
#define kAUBackEndNameKey "name"
/// String: why it has no devices. Absent if it can be used.
#define kAUBackEndReasonKey "reason"
/// Array of dictionaries: its devices.
#define kAUBackEndDevicesKey "devices"

/// Keys of the description of a device.
///
/// Strings: its UID, in the form of AUDIOTOOLBOX_DEVICE, and its name.
#define kAUDeviceUIDKey "uid"
/// CFString: the name for people.
#define kAUDeviceNameKey "name"
/// Numbers: of channels.
#define kAUDeviceInputChannelsKey "input channels"
/// CFNumber: the channels that it can play; 0 if it only captures.
#define kAUDeviceOutputChannelsKey "output channels"
/// Numbers: the frames per second, and the least and the most that it supports.
#define kAUDeviceSampleRateKey "sample rate"
/// CFNumber: the lowest rate that it accepts, in Hz.
#define kAUDeviceLowestSampleRateKey "lowest sample rate"
/// CFNumber: the highest rate that it accepts, in Hz.
#define kAUDeviceHighestSampleRateKey "highest sample rate"
/// Numbers: the frames of a cycle, and the fewest and the most that it supports.
#define kAUDeviceCycleFramesKey "cycle frames"
/// CFNumber: the shortest cycle that it accepts, in frames.
#define kAUDeviceFewestCycleFramesKey "fewest cycle frames"
/// CFNumber: the longest cycle that it accepts, in frames.
#define kAUDeviceMostCycleFramesKey "most cycle frames"
/// Booleans: whether it is the default device of its back end.
#define kAUDeviceIsDefaultInputKey "default input"
/// CFBoolean: whether programs play on it that do not choose a device.
#define kAUDeviceIsDefaultOutputKey "default output"
/// Boolean: whether any program plays to it or captures from it. Absent if that is unknown.
#define kAUDeviceIsRunningKey "running"
/// Array of strings: the settings that its server manages for all programs (kAUDeviceSetting…).
/// Each program has the others for itself.
#define kAUDeviceServerSettingsKey "server settings"

/// Settings of kAUDeviceServerSettingsKey.
#define kAUDeviceSettingVolume "volume"
/// The mute switch.
#define kAUDeviceSettingMute "mute"
/// The sample rate.
#define kAUDeviceSettingSampleRate "sample rate"
/// The frames of a cycle.
#define kAUDeviceSettingCycleFrames "cycle frames"

/// The most frames that any device exchanges in a cycle.
CF_ENUM(UInt32) { kAUDevicesMaximumCycleFrames = 65536 };

/// A function that is called, on a thread of the library, when a device of a back end was added,
/// removed or changed, or a default device has changed.
typedef void (*AUDevicesListenerProc)(void *_Nullable inUserData);

/// Adds a function to call when devices change. [control thread]
///
/// - Parameters:
///   - inProc: the function.
///   - inUserData: passed to the function.
/// - Returns: noErr, or kAudio_ParamError if the function is null.
OSStatus AUDevicesAddListener(AUDevicesListenerProc inProc, void *_Nullable inUserData);

/// Removes a function. When this returns, no other thread is calling it. [control thread]
///
/// - Parameters:
///   - inProc: the function.
///   - inUserData: the pointer with which it was added.
/// - Returns: noErr, or kAudio_ParamError if it was not added with these arguments.
OSStatus AUDevicesRemoveListener(AUDevicesListenerProc inProc, void *_Nullable inUserData);

/// Sets what this process requests from devices that it opens later, as the audio session does: the
/// frames per second and the frames of a cycle, or 0 for the device's own. [control thread]
///
/// A sound server may grant others. The environment decides for devices without hardware.
///
/// - Parameters:
///   - inSampleRate: frames per second; 0 for the device's own.
///   - inCycleFrames: frames of a cycle, up to kAUDevicesMaximumCycleFrames; 0 for the device's
///     own.
/// - Returns: noErr, or kAudio_ParamError for a rate that is not a number or negative, or a cycle
///   over kAUDevicesMaximumCycleFrames.
OSStatus AUDevicesSetPreferences(Float64 inSampleRate, UInt32 inCycleFrames);

// For Swift, module AudioToolbox declares functions with the same names.
#ifndef __swift__

/// Describes the back ends with their devices, in the order in which they are preferred.
/// [control thread]
///
/// - Parameter inName: the only back end to describe; null: all of them.
/// - Returns: an array of dictionaries that the caller releases; empty if no back end has the name.
CFArrayRef AUDevicesCopyBackEnds(CFStringRef _Nullable inName);

/// The UID of the device that programs get if they name none. [control thread]
///
/// - Parameter outUID: a string that the caller releases; null if the back end has no device.
/// - Returns: an error if no back end can be used, for example because AUDIOTOOLBOX_DEVICE names an
///   unknown one.
OSStatus AUDevicesCopyChosenUID(CFStringRef _Nullable *_Nonnull outUID);

#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
