// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_HARDWARE_BASE_H
#define CAUDIOTOOLBOX_AUDIO_HARDWARE_BASE_H

#include "../CoreAudioTypes/CoreAudioBaseTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Audio objects: their numbers, classes, properties and errors. AudioHardware.h has the functions
// that read and write them.

/// The number of an audio object: the system, a device, a stream of one of its endpoints, or a control.
/// It is valid in this process.
typedef UInt32 AudioObjectID;
/// The number of a device.
typedef AudioObjectID AudioDeviceID;
/// The number of a stream.
typedef AudioObjectID AudioStreamID;
/// The class of an object.
typedef UInt32 AudioClassID;

/// The selector of a property.
typedef UInt32 AudioObjectPropertySelector;
/// The part of an object to which a property belongs.
typedef UInt32 AudioObjectPropertyScope;
/// The number of a channel, or 0 for all.
typedef UInt32 AudioObjectPropertyElement;
/// A property of an object: what it is, of which part and which channel.
struct AudioObjectPropertyAddress {
  /// The identifier of the property.
  AudioObjectPropertySelector mSelector;
  /// The part of the object.
  AudioObjectPropertyScope mScope;
  /// The channel, counted from 1, or kAudioObjectPropertyElementMain.
  AudioObjectPropertyElement mElement;
};
typedef struct AudioObjectPropertyAddress AudioObjectPropertyAddress;

/// A format and the rates at which a stream can have it.
struct AudioStreamRangedDescription {
  AudioStreamBasicDescription mFormat;  ///< The format.
  AudioValueRange mSampleRateRange;     ///< The lowest and the highest rate, in Hz.
};
typedef struct AudioStreamRangedDescription AudioStreamRangedDescription;

/// Called when properties have changed, on a thread of the library.
typedef OSStatus (*AudioObjectPropertyListenerProc)(
    AudioObjectID inObjectID, UInt32 inNumberAddresses,
    const AudioObjectPropertyAddress *inAddresses, void *_Nullable inClientData);

// MARK: Objects

/// Numbers of objects that are not devices.
CF_ENUM(AudioObjectID) {
  kAudioObjectUnknown = 0,                    ///< No object.
  kAudioDeviceUnknown = kAudioObjectUnknown,  ///< No device.
  kAudioStreamUnknown = kAudioObjectUnknown   ///< No stream.
};
CF_ENUM(int) {
  /// The system, which always exists.
  kAudioObjectSystemObject = 1
};

/// Kinds of objects.
CF_ENUM(AudioClassID) {
  kAudioObjectClassID = 0x616f626a,          ///< Any object ('aobj').
  kAudioObjectClassIDWildcard = 0x2a2a2a2a,  ///< Any class ('****').
  kAudioSystemObjectClassID = 0x61737973,    ///< The system: kAudioObjectSystemObject ('asys').
  kAudioDeviceClassID = 0x61646576,          ///< A device ('adev').
  kAudioStreamClassID = 0x61737472           ///< One direction of a device ('astr').
};

/// The scopes of an object: the whole of it, and its endpoints, the input and the output.
CF_ENUM(AudioObjectPropertyScope) {
  /// The whole object.
  kAudioObjectPropertyScopeGlobal = 0x676c6f62,  // 'glob'
  /// What it captures.
  kAudioObjectPropertyScopeInput = 0x696e7074,  // 'inpt'
  /// What it plays.
  kAudioObjectPropertyScopeOutput = 0x6f757470,  // 'outp'
  /// The path from an input to an output inside the hardware. No device has properties in this
  /// scope.
  kAudioObjectPropertyScopePlayThrough = 0x70747275,  // 'ptru'
  /// Another name of kAudioObjectPropertyScopeInput.
  kAudioDevicePropertyScopeInput = kAudioObjectPropertyScopeInput,
  /// Another name of kAudioObjectPropertyScopeOutput.
  kAudioDevicePropertyScopeOutput = kAudioObjectPropertyScopeOutput,
  /// Another name of kAudioObjectPropertyScopePlayThrough.
  kAudioDevicePropertyScopePlayThrough = kAudioObjectPropertyScopePlayThrough
};
CF_ENUM(AudioObjectPropertyElement) {
  /// The whole object.
  kAudioObjectPropertyElementMain = 0,
  /// The older name of kAudioObjectPropertyElementMain.
  kAudioObjectPropertyElementMaster = kAudioObjectPropertyElementMain
};

/// Wildcards for any selector, scope or element when a listener is added or removed.
CF_ENUM(UInt32) {
  kAudioObjectPropertySelectorWildcard = 0x2a2a2a2a,  ///< Every property ('****').
  kAudioObjectPropertyScopeWildcard = 0x2a2a2a2a,     ///< Every scope ('****').
  kAudioObjectPropertyElementWildcard = 0xFFFFFFFF    ///< Every element.
};

// MARK: Errors

/// Status codes, in addition to those of AUComponent.h.
CF_ENUM(OSStatus) {
  /// The call has succeeded.
  kAudioHardwareNoError = 0,
  /// The device must be running for this call.
  kAudioHardwareNotRunningError = 0x73746f70,  // 'stop'
  /// The call failed for a reason without its own code.
  kAudioHardwareUnspecifiedError = 0x77686174,  // 'what'
  /// The object does not have this property.
  kAudioHardwareUnknownPropertyError = 0x77686f3f,  // 'who?'
  /// The memory is too small, or does not have the size of the value.
  kAudioHardwareBadPropertySizeError = 0x2173697a,  // '!siz'
  /// The object does not accept this value.
  kAudioHardwareIllegalOperationError = 0x6e6f7065,  // 'nope'
  /// There is no object with this number.
  kAudioHardwareBadObjectError = 0x216f626a,  // '!obj'
  /// The object is not a device.
  kAudioHardwareBadDeviceError = 0x21646576,  // '!dev'
  /// The object is not a stream of a device.
  kAudioHardwareBadStreamError = 0x21737472,  // '!str'
  /// The property can only be read.
  kAudioHardwareUnsupportedOperationError = 0x756e6f70,  // 'unop'
  /// The device cannot be used yet.
  kAudioHardwareNotReadyError = 0x6e726479,  // 'nrdy'
  /// The device does not have this format.
  kAudioDeviceUnsupportedFormatError = 0x21646174,  // '!dat'
  /// Another process has exclusive access to the device.
  kAudioDevicePermissionsError = 0x21686f67  // '!hog'
};

// MARK: Properties

/// Properties of any object; global scope unless noted otherwise.
CF_ENUM(AudioObjectPropertySelector) {
  /// AudioClassID: the base class.
  kAudioObjectPropertyBaseClass = 0x62636c73,  // 'bcls'
  /// AudioClassID: the kind of the object.
  kAudioObjectPropertyClass = 0x636c6173,  // 'clas'
  /// AudioObjectID: the system for a device, the device for a stream.
  kAudioObjectPropertyOwner = 0x73746476,  // 'stdv'
  /// AudioObjectID[]: the devices of the system, the streams of a device. A qualifier of
  /// AudioClassID[] selects classes.
  kAudioObjectPropertyOwnedObjects = 0x6f776e64,  // 'ownd'
  /// CFStringRef: the display name.
  kAudioObjectPropertyName = 0x6c6e616d,  // 'lnam'
  /// CFStringRef: the model name of a device; for other objects the name.
  kAudioObjectPropertyModelName = 0x6c6d6f64,  // 'lmod'
  /// CFStringRef: the manufacturer of a device if the server reports it, otherwise the back end,
  /// such as "pipewire".
  kAudioObjectPropertyManufacturer = 0x6c6d616b,  // 'lmak'
  /// CFStringRef: the serial number, if the server reports it.
  kAudioObjectPropertySerialNumber = 0x736e756d,  // 'snum'
  /// CFStringRef, of a channel of an endpoint (elements from 1): its name, such as "Front Left".
  kAudioObjectPropertyElementName = 0x6c63686e,  // 'lchn'
  /// CFStringRef, of a channel of an endpoint: the endpoint, "Input" or "Output".
  kAudioObjectPropertyElementCategoryName = 0x6c63636e,  // 'lccn'
  /// CFStringRef, of a channel of an endpoint: its number.
  kAudioObjectPropertyElementNumberName = 0x6c636e6e  // 'lcnn'
};

/// Properties of devices; those of an endpoint (the input or the output) have its scope, the others the global one.
CF_ENUM(AudioObjectPropertySelector) {
  /// CFStringRef: the mixer of the desktop, where one is installed, such as
  /// "org.pulseaudio.pavucontrol".
  kAudioDevicePropertyConfigurationApplication = 0x63617070,  // 'capp'
  /// CFStringRef: the permanent identifier of the device, a value for AUDIOTOOLBOX_DEVICE.
  kAudioDevicePropertyDeviceUID = 0x75696420,  // 'uid '
  /// CFStringRef: the back end and the name.
  kAudioDevicePropertyModelUID = 0x6d756964,  // 'muid'
  /// UInt32: how the device is connected, derived from its name and back end.
  kAudioDevicePropertyTransportType = 0x7472616e,  // 'tran'
  /// AudioDeviceID[]: the device itself, and others of the same card.
  kAudioDevicePropertyRelatedDevices = 0x616b696e,  // 'akin'
  /// UInt32: 0, because shared clocks are unknown.
  kAudioDevicePropertyClockDomain = 0x636c6b64,  // 'clkd'
  /// UInt32: 1 as long as it can be opened.
  kAudioDevicePropertyDeviceIsAlive = 0x6c69766e,  // 'livn'
  /// UInt32: 1 while this process plays to it or captures from it.
  kAudioDevicePropertyDeviceIsRunning = 0x676f696e,  // 'goin'
  /// UInt32, of an endpoint: 1 if the endpoint has channels.
  kAudioDevicePropertyDeviceCanBeDefaultDevice = 0x64666c74,  // 'dflt'
  /// UInt32, of an endpoint: 1 if it can be the default device for system sounds.
  kAudioDevicePropertyDeviceCanBeDefaultSystemDevice = 0x73666c74,  // 'sflt'
  /// UInt32, of an endpoint: the frames between a cycle and the analog signal, as the running stream
  /// reports them; without one, the length of a cycle plus the latency that the server reports. Of
  /// a stream 0, because the device's value includes it.
  kAudioDevicePropertyLatency = 0x6c746e63,  // 'ltnc'
  /// AudioStreamID[], of an endpoint (both in the global scope): its streams.
  kAudioDevicePropertyStreams = 0x73746d23,  // 'stm#'
  /// AudioObjectID[], of an endpoint (both in the global scope): see AudioHardwareControls.h.
  kAudioObjectPropertyControlList = 0x6374726c,  // 'ctrl'
  /// UInt32, of an endpoint: 0, because the latency includes it.
  kAudioDevicePropertySafetyOffset = 0x73616674,  // 'saft'
  /// Float64, RW: frames per second. PipeWire switches all programs to a rate that its user allows.
  /// With other back ends, setting it is a request of this process for streams that start later.
  kAudioDevicePropertyNominalSampleRate = 0x6e737274,  // 'nsrt'
  /// AudioValueRange[]: the rates that the device accepts, in Hz.
  kAudioDevicePropertyAvailableNominalSampleRates = 0x6e737223,  // 'nsr#'
  /// UInt32: 0, because hidden devices are not listed.
  kAudioDevicePropertyIsHidden = 0x6869646e,  // 'hidn'
  /// UInt32[2]: the channels that are left and right, counted from 1.
  kAudioDevicePropertyPreferredChannelsForStereo = 0x64636832,  // 'dch2'
  /// AudioChannelLayout, of an endpoint: a label for each channel.
  kAudioDevicePropertyPreferredChannelLayout = 0x73726e64  // 'srnd'
};

/// Properties of one direction of a device; global scope.
CF_ENUM(AudioObjectPropertySelector) {
  /// UInt32: 1, because every stream takes part in cycles.
  kAudioStreamPropertyIsActive = 0x73616374,  // 'sact'
  /// UInt32: 1 for input, 0 for output.
  kAudioStreamPropertyDirection = 0x73646972,  // 'sdir'
  /// UInt32: the kind of terminal, if the server reports it.
  kAudioStreamPropertyTerminalType = 0x7465726d,  // 'term'
  /// UInt32: the device channel of its first channel, counted from 1.
  kAudioStreamPropertyStartingChannel = 0x7363686e,  // 'schn'
  /// UInt32: frames of latency in addition to the device's.
  kAudioStreamPropertyLatency = kAudioDevicePropertyLatency,
  /// AudioStreamBasicDescription, RW: Float32, interleaved. Only the rate can be changed.
  kAudioStreamPropertyVirtualFormat = 0x73666d74,  // 'sfmt'
  /// AudioStreamRangedDescription[]: the formats that a program can set.
  kAudioStreamPropertyAvailableVirtualFormats = 0x73666d61,  // 'sfma'
  /// AudioStreamBasicDescription, RW: the format of the hardware, if the server reports it.
  kAudioStreamPropertyPhysicalFormat = 0x70667420,  // 'pft '
  /// AudioStreamRangedDescription[]: as kAudioStreamPropertyAvailableVirtualFormats.
  kAudioStreamPropertyAvailablePhysicalFormats = 0x70667461  // 'pfta'
};

/// How a device is connected.
CF_ENUM(UInt32) {
  kAudioDeviceTransportTypeUnknown = 0,  ///< The server does not say.
  kAudioDeviceTransportTypeBuiltIn = 0x626c746e,  ///< Part of the machine ('bltn').
  kAudioDeviceTransportTypeAggregate = 0x67727570,  ///< Several devices as one ('grup').
  kAudioDeviceTransportTypeVirtual = 0x76697274,  ///< Software, such as a null sink ('virt').
  kAudioDeviceTransportTypePCI = 0x70636920,  ///< A card in the machine ('pci ').
  kAudioDeviceTransportTypeUSB = 0x75736220,  ///< USB ('usb ').
  kAudioDeviceTransportTypeFireWire = 0x31333934,  ///< FireWire ('1394').
  kAudioDeviceTransportTypeBluetooth = 0x626c7565,  ///< Bluetooth, whose latency is large ('blue').
  kAudioDeviceTransportTypeBluetoothLE = 0x626c6561,  ///< Bluetooth Low Energy ('blea').
  kAudioDeviceTransportTypeHDMI = 0x68646d69,  ///< HDMI ('hdmi').
  kAudioDeviceTransportTypeDisplayPort = 0x64707274,  ///< DisplayPort ('dprt').
  kAudioDeviceTransportTypeAirPlay = 0x61697270,  ///< A network, as RAOP ('airp').
  kAudioDeviceTransportTypeAVB = 0x65617662,  ///< Audio Video Bridging ('eavb').
  kAudioDeviceTransportTypeThunderbolt = 0x7468756e  ///< Thunderbolt ('thun').
};

/// The kind of terminal of a stream.
CF_ENUM(UInt32) {
  /// The server does not say.
  kAudioStreamTerminalTypeUnknown = 0,
  /// Line level.
  kAudioStreamTerminalTypeLine = 0x6c696e65,  // 'line'
  /// S/PDIF or AES3.
  kAudioStreamTerminalTypeDigitalAudioInterface = 0x73706466,  // 'spdf'
  /// Loudspeakers.
  kAudioStreamTerminalTypeSpeaker = 0x73706b72,  // 'spkr'
  /// Headphones.
  kAudioStreamTerminalTypeHeadphones = 0x68647068,  // 'hdph'
  /// A loudspeaker for low frequencies.
  kAudioStreamTerminalTypeLFESpeaker = 0x6c666573,  // 'lfes'
  /// The earpiece of a telephone.
  kAudioStreamTerminalTypeReceiverSpeaker = 0x7273706b,  // 'rspk'
  /// A microphone.
  kAudioStreamTerminalTypeMicrophone = 0x6d696372,  // 'micr'
  /// The microphone of a headset.
  kAudioStreamTerminalTypeHeadsetMicrophone = 0x686d6963,  // 'hmic'
  /// The microphone of a telephone.
  kAudioStreamTerminalTypeReceiverMicrophone = 0x726d6963,  // 'rmic'
  /// A text telephone.
  kAudioStreamTerminalTypeTTY = 0x7474795f,  // 'tty_'
  /// HDMI.
  kAudioStreamTerminalTypeHDMI = 0x68646d69,  // 'hdmi'
  /// DisplayPort.
  kAudioStreamTerminalTypeDisplayPort = 0x64707274  // 'dprt'
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
