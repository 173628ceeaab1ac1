// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_HARDWARE_DEPRECATED_H
#define CAUDIOTOOLBOX_AUDIO_HARDWARE_DEPRECATED_H

#include "AudioHardware.h"
#include "AudioHardwareIO.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// The device API before audio objects. Each function calls the one of AudioHardware.h.

/// The older name of AudioObjectPropertySelector, for the system.
typedef AudioObjectPropertySelector AudioHardwarePropertyID;
/// The older name of AudioObjectPropertySelector, for devices.
typedef AudioObjectPropertySelector AudioDevicePropertyID;

/// Older names and forms of properties of devices.
CF_ENUM(AudioObjectPropertySelector) {
  /// CFStringRef: kAudioObjectPropertyName.
  kAudioDevicePropertyDeviceNameCFString = kAudioObjectPropertyName,
  /// CFStringRef: kAudioObjectPropertyManufacturer.
  kAudioDevicePropertyDeviceManufacturerCFString = kAudioObjectPropertyManufacturer,
  /// CFStringRef: kAudioObjectPropertyElementName.
  kAudioDevicePropertyChannelNameCFString = kAudioObjectPropertyElementName,
  /// char[]: the name in UTF-8, terminated by a zero.
  kAudioDevicePropertyDeviceName = 0x6e616d65,  // 'name'
  /// char[]: the back end.
  kAudioDevicePropertyDeviceManufacturer = 0x6d616b72,  // 'makr'
  /// char[], of a channel of an endpoint (elements from 1).
  kAudioDevicePropertyChannelName = 0x63686e6d,  // 'chnm'
  /// char[], of a channel of an endpoint: its number.
  kAudioDevicePropertyChannelNumberName = 0x636e6e6d,  // 'cnnm'
  /// char[], of a channel of an endpoint: the endpoint.
  kAudioDevicePropertyChannelCategoryName = 0x63636e6d,  // 'ccnm'
  /// AudioStreamBasicDescription, of an endpoint: Float32, interleaved.
  kAudioDevicePropertyStreamFormat = 0x73666d74,  // 'sfmt'
  /// UInt32, RW, of an endpoint: bytes of a cycle of interleaved Float32.
  kAudioDevicePropertyBufferSize = 0x6273697a,  // 'bsiz'
  /// AudioValueRange, of an endpoint: the shortest and the longest cycle in bytes.
  kAudioDevicePropertyBufferSizeRange = 0x62737a23,  // 'bsz#'
  /// UInt32: 1 if several programs can play at the same time.
  kAudioDevicePropertySupportsMixing = 0x6d69783f  // 'mix?'
};

/// As AudioObjectGetPropertyDataSize and AudioObjectIsPropertySettable of the system. [control
/// thread]
///
/// - Parameters:
///   - inPropertyID: the property.
///   - outSize: the size of the value in bytes. May be null.
///   - outWritable: whether it can be written. May be null.
/// - Returns: as AudioObjectGetPropertyDataSize.
OSStatus AudioHardwareGetPropertyInfo(
    AudioHardwarePropertyID inPropertyID, UInt32 *_Nullable outSize,
    Boolean *_Nullable outWritable);

/// As AudioObjectGetPropertyData of the system. [control thread]
///
/// - Parameters:
///   - inPropertyID: the property.
///   - ioPropertyDataSize: the room in bytes; on return the size of the data.
///   - outPropertyData: memory for the value.
/// - Returns: as AudioObjectGetPropertyData.
OSStatus AudioHardwareGetProperty(
    AudioHardwarePropertyID inPropertyID, UInt32 *ioPropertyDataSize, void *outPropertyData);

/// As AudioObjectSetPropertyData of the system. [control thread]
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inPropertyDataSize: the size of the value in bytes.
///   - inPropertyData: the value.
/// - Returns: as AudioObjectSetPropertyData.
OSStatus AudioHardwareSetProperty(
    AudioHardwarePropertyID inPropertyID, UInt32 inPropertyDataSize, const void *inPropertyData);

/// Called when a property of the system has changed, on a thread of the library.
typedef OSStatus (*AudioHardwarePropertyListenerProc)(
    AudioHardwarePropertyID inPropertyID, void *_Nullable inClientData);

/// As AudioObjectAddPropertyListener of the system. [control thread]
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inProc: the function.
///   - inClientData: passed to the function.
/// - Returns: as AudioObjectAddPropertyListener.
OSStatus AudioHardwareAddPropertyListener(
    AudioHardwarePropertyID inPropertyID, AudioHardwarePropertyListenerProc inProc,
    void *_Nullable inClientData);

/// Removes it, whatever its data. [control thread]
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inProc: the function.
/// - Returns: as AudioObjectRemovePropertyListener.
OSStatus AudioHardwareRemovePropertyListener(
    AudioHardwarePropertyID inPropertyID, AudioHardwarePropertyListenerProc inProc);

/// As AudioObjectGetPropertyDataSize and AudioObjectIsPropertySettable of a device. [control
/// thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inChannel: the channel, counted from 1; 0 for the device or the endpoint itself.
///   - isInput: true for the endpoint that captures, false for the one that plays.
///   - inPropertyID: the property.
///   - outSize: the size of the value in bytes. May be null.
///   - outWritable: whether it can be written. May be null.
/// - Returns: as AudioObjectGetPropertyDataSize.
OSStatus AudioDeviceGetPropertyInfo(
    AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput, AudioDevicePropertyID inPropertyID,
    UInt32 *_Nullable outSize, Boolean *_Nullable outWritable);

/// As AudioObjectGetPropertyData of a device. [control thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inChannel: the channel, counted from 1; 0 for the device or the endpoint itself.
///   - isInput: true for the endpoint that captures, false for the one that plays.
///   - inPropertyID: the property.
///   - ioPropertyDataSize: the room in bytes; on return the size of the data.
///   - outPropertyData: memory for the value.
/// - Returns: as AudioObjectGetPropertyData.
OSStatus AudioDeviceGetProperty(
    AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput, AudioDevicePropertyID inPropertyID,
    UInt32 *ioPropertyDataSize, void *outPropertyData);

/// As AudioObjectSetPropertyData of a device; the time is ignored. [control thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inWhen: not used.
///   - inChannel: the channel, counted from 1; 0 for the device or the endpoint itself.
///   - isInput: true for the endpoint that captures, false for the one that plays.
///   - inPropertyID: the property.
///   - inPropertyDataSize: the size of the value in bytes.
///   - inPropertyData: the value.
/// - Returns: as AudioObjectSetPropertyData.
OSStatus AudioDeviceSetProperty(
    AudioDeviceID inDevice, const AudioTimeStamp *_Nullable inWhen, UInt32 inChannel,
    Boolean isInput, AudioDevicePropertyID inPropertyID, UInt32 inPropertyDataSize,
    const void *inPropertyData);

/// Called when a property of a device has changed, on a thread of the library.
typedef OSStatus (*AudioDevicePropertyListenerProc)(
    AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput, AudioDevicePropertyID inPropertyID,
    void *_Nullable inClientData);

/// As AudioObjectAddPropertyListener of a device. [control thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inChannel: the channel, counted from 1; 0 for the device or the endpoint itself.
///   - isInput: true for the endpoint that captures, false for the one that plays.
///   - inPropertyID: the property.
///   - inProc: the function.
///   - inClientData: passed to the function.
/// - Returns: as AudioObjectAddPropertyListener.
OSStatus AudioDeviceAddPropertyListener(
    AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput, AudioDevicePropertyID inPropertyID,
    AudioDevicePropertyListenerProc inProc, void *_Nullable inClientData);

/// Removes it, whatever its data. [control thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inChannel: the channel, counted from 1; 0 for the device or the endpoint itself.
///   - isInput: true for the endpoint that captures, false for the one that plays.
///   - inPropertyID: the property.
///   - inProc: the function.
/// - Returns: as AudioObjectRemovePropertyListener.
OSStatus AudioDeviceRemovePropertyListener(
    AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput, AudioDevicePropertyID inPropertyID,
    AudioDevicePropertyListenerProc inProc);

/// Adds an IO proc to a device; the function itself is its identifier. [control thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inProc: the function.
///   - inClientData: passed to the function.
/// - Returns: noErr; `kAudioHardwareIllegalOperationError` if the device has this function already;
///   `kAudioHardwareBadDeviceError` if there is no such device; `kAudio_ParamError` if the function
///   is null.
OSStatus AudioDeviceAddIOProc(
    AudioDeviceID inDevice, AudioDeviceIOProc inProc, void *_Nullable inClientData);

/// Removes an IO proc. [any thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inProc: the function.
/// - Returns: noErr, or `kAudioHardwareIllegalOperationError` if the device does not have the
///   function.
OSStatus AudioDeviceRemoveIOProc(AudioDeviceID inDevice, AudioDeviceIOProc inProc);

/// As AudioObjectGetPropertyDataSize and AudioObjectIsPropertySettable of a stream; the channels of
/// a stream have no properties. [control thread]
///
/// - Parameters:
///   - inStream: the stream.
///   - inChannel: 0.
///   - inPropertyID: the property.
///   - outSize: the size of the value in bytes. May be null.
///   - outWritable: whether it can be written. May be null.
/// - Returns: as AudioObjectGetPropertyDataSize.
OSStatus AudioStreamGetPropertyInfo(
    AudioStreamID inStream, UInt32 inChannel, AudioDevicePropertyID inPropertyID,
    UInt32 *_Nullable outSize, Boolean *_Nullable outWritable);

/// As AudioObjectGetPropertyData of a stream. [control thread]
///
/// - Parameters:
///   - inStream: the stream.
///   - inChannel: 0.
///   - inPropertyID: the property.
///   - ioPropertyDataSize: the room in bytes; on return the size of the data.
///   - outPropertyData: memory for the value.
/// - Returns: as AudioObjectGetPropertyData.
OSStatus AudioStreamGetProperty(
    AudioStreamID inStream, UInt32 inChannel, AudioDevicePropertyID inPropertyID,
    UInt32 *ioPropertyDataSize, void *outPropertyData);

/// As AudioObjectSetPropertyData of a stream; the time is ignored. [control thread]
///
/// - Parameters:
///   - inStream: the stream.
///   - inWhen: not used.
///   - inChannel: 0.
///   - inPropertyID: the property.
///   - inPropertyDataSize: the size of the value in bytes.
///   - inPropertyData: the value.
/// - Returns: as AudioObjectSetPropertyData.
OSStatus AudioStreamSetProperty(
    AudioStreamID inStream, const AudioTimeStamp *_Nullable inWhen, UInt32 inChannel,
    AudioDevicePropertyID inPropertyID, UInt32 inPropertyDataSize, const void *inPropertyData);

/// Called when a property of a stream has changed, on a thread of the library.
typedef OSStatus (*AudioStreamPropertyListenerProc)(
    AudioStreamID inStream, UInt32 inChannel, AudioDevicePropertyID inPropertyID,
    void *_Nullable inClientData);

/// As AudioObjectAddPropertyListener of a stream. [control thread]
///
/// - Parameters:
///   - inStream: the stream.
///   - inChannel: 0.
///   - inPropertyID: the property.
///   - inProc: the function.
///   - inClientData: passed to the function.
/// - Returns: as AudioObjectAddPropertyListener.
OSStatus AudioStreamAddPropertyListener(
    AudioStreamID inStream, UInt32 inChannel, AudioDevicePropertyID inPropertyID,
    AudioStreamPropertyListenerProc inProc, void *_Nullable inClientData);

/// Removes it, whatever its data. [control thread]
///
/// - Parameters:
///   - inStream: the stream.
///   - inChannel: 0.
///   - inPropertyID: the property.
///   - inProc: the function.
/// - Returns: as AudioObjectRemovePropertyListener.
OSStatus AudioStreamRemovePropertyListener(
    AudioStreamID inStream, UInt32 inChannel, AudioDevicePropertyID inPropertyID,
    AudioStreamPropertyListenerProc inProc);

/// Stops all IO procs of the program, on all devices. They stay, and can be started again. [control
/// thread]
OSStatus AudioHardwareUnload(void);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
