// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_SESSION_H
#define CAUDIOTOOLBOX_AUDIO_SESSION_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// The audio session of the process, for C programs. AVAudioSession is the same session. Preferences
// apply to devices that are opened later. A sound server may grant other values; the granted values
// can be read.

// MARK: Codes

/// Status codes, in addition to kAudio_ParamError.
CF_ENUM(OSStatus) {
  /// The call has succeeded.
  kAudioSessionNoError = 0,
  /// AudioSessionInitialize has not been called.
  kAudioSessionNotInitialized = 0x21696e69,  // '!ini'
  /// AudioSessionInitialize has been called before.
  kAudioSessionAlreadyInitialized = 0x696e6974,  // 'init'
  /// The session could not be made.
  kAudioSessionInitializationError = 0x696e693f,  // 'ini?'
  /// There is no such property.
  kAudioSessionUnsupportedPropertyError = 0x7074793f,  // 'pty?'
  /// The size is not that of the value.
  kAudioSessionBadPropertySizeError = 0x2173697a,  // '!siz'
  /// Audio units run while the session is to be deactivated.
  kAudioSessionNotActiveError = 0x21616374,  // '!act'
  /// There is no device for it.
  kAudioServicesNoHardwareError = 0x6e6f6877,  // 'nohw'
  /// The call needs a category.
  kAudioSessionNoCategorySet = 0x3f636174,  // '?cat'
  /// The category does not allow this.
  kAudioSessionIncompatibleCategory = 0x21636174,  // '!cat'
  /// The session cannot do this; the explanation says why.
  kAudioSessionUnspecifiedError = 0x77686174  // 'what'
};

// MARK: Types

/// The identifier of a property of the session.
typedef UInt32 AudioSessionPropertyID;

/// Called when an interruption begins or ends, on the run loop that was passed to
/// AudioSessionInitialize.
typedef void (*AudioSessionInterruptionListener)(
    void *_Nullable inClientData, UInt32 inInterruptionState);

/// Called when a property has changed, on that run loop. The data is valid during the call.
typedef void (*AudioSessionPropertyListener)(
    void *_Nullable inClientData, AudioSessionPropertyID inID, UInt32 inDataSize,
    const void *_Nullable inData);

/// States of an interruption.
CF_ENUM(UInt32) {
  kAudioSessionEndInterruption = 0,   ///< It has ended.
  kAudioSessionBeginInterruption = 1  ///< It begins: the sound has stopped.
};

/// Values of kAudioSessionProperty_InterruptionType.
typedef UInt32 AudioSessionInterruptionType;
CF_ENUM(AudioSessionInterruptionType) {
  /// The program should play on.
  kAudioSessionInterruptionType_ShouldResume = 0x6972736d,  // 'irsm'
  /// The program should wait for its user.
  kAudioSessionInterruptionType_ShouldNotResume = 0x2172736d  // '!rsm'
};

/// Values of kAudioSessionProperty_AudioCategory.
CF_ENUM(UInt32) {
  /// Plays beside other programs; not essential.
  kAudioSessionCategory_AmbientSound = 0x616d6269,  // 'ambi'
  /// Plays alone; not essential.
  kAudioSessionCategory_SoloAmbientSound = 0x736f6c6f,  // 'solo'
  /// Playing is what the program is for.
  kAudioSessionCategory_MediaPlayback = 0x6d656469,  // 'medi'
  /// Only captures.
  kAudioSessionCategory_RecordAudio = 0x72656361,  // 'reca'
  /// Plays and captures.
  kAudioSessionCategory_PlayAndRecord = 0x706c6172,  // 'plar'
  /// Uses codecs without a device.
  kAudioSessionCategory_AudioProcessing = 0x70726f63  // 'proc'
};

/// Values of kAudioSessionProperty_Mode.
CF_ENUM(UInt32) {
  /// Any purpose.
  kAudioSessionMode_Default = 0x64666c74,  // 'dflt'
  /// A conversation, with echo cancellation.
  kAudioSessionMode_VoiceChat = 0x76636374,  // 'vcct'
  /// A video's sound.
  kAudioSessionMode_VideoRecording = 0x76726364,  // 'vrcd'
  /// Measuring, with as little processing as possible.
  kAudioSessionMode_Measurement = 0x6d736d74,  // 'msmt'
  /// A conversation in a game.
  kAudioSessionMode_GameChat = 0x676d6374  // 'gmct'
};

/// Values of kAudioSessionProperty_OverrideAudioRoute.
CF_ENUM(UInt32) {
  kAudioSessionOverrideAudioRoute_None = 0,             ///< The usual route.
  kAudioSessionOverrideAudioRoute_Speaker = 0x73706b72  ///< The loudspeaker ('spkr').
};

/// Why the route has changed.
CF_ENUM(UInt32) {
  kAudioSessionRouteChangeReason_Unknown = 0,  ///< No known reason.
  kAudioSessionRouteChangeReason_NewDeviceAvailable = 1,  ///< A device has been connected.
  kAudioSessionRouteChangeReason_OldDeviceUnavailable = 2,  ///< The device has been removed.
  kAudioSessionRouteChangeReason_CategoryChange = 3,  ///< The program has set another category.
  kAudioSessionRouteChangeReason_Override = 4,  ///< The program has overridden the route.
  kAudioSessionRouteChangeReason_WakeFromSleep = 6,  ///< The machine has woken up.
  kAudioSessionRouteChangeReason_NoSuitableRouteForCategory = 7,  ///< No device fits the category.
  kAudioSessionRouteChangeReason_RouteConfigurationChange = 8  ///< A port of the route has changed.
};

/// Flags of AudioSessionSetActiveWithFlags.
CF_ENUM(UInt32) {
  /// Has no effect: the sound server always lets other programs continue when a program's streams
  /// end.
  kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation = 1
};

/// Keys of the dictionary that listeners of kAudioSessionProperty_AudioRouteChange receive: a
/// CFNumber, a CFString, and two CFDictionaries in the form of
/// kAudioSessionProperty_AudioRouteDescription.
#define kAudioSession_AudioRouteChangeKey_Reason "OutputDeviceDidChange_Reason"
/// CFString: the type of the port before.
#define kAudioSession_AudioRouteChangeKey_OldRoute "OutputDeviceDidChange_OldRoute"
/// Another name of kAudioSession_AudioRouteChangeKey_Reason.
#define kAudioSession_RouteChangeKey_Reason kAudioSession_AudioRouteChangeKey_Reason
/// CFDictionary: the route before.
#define kAudioSession_AudioRouteChangeKey_PreviousRouteDescription \
  "ActiveAudioRouteDidChange_OldDetailedRoute"
/// CFDictionary: the route now.
#define kAudioSession_AudioRouteChangeKey_CurrentRouteDescription \
  "ActiveAudioRouteDidChange_NewDetailedRoute"
/// Keys of a route: CFArrays of ports, each a CFDictionary with the type of the port, a CFString.
#define kAudioSession_AudioRouteKey_Inputs "RouteDetailedDescription_Inputs"
/// CFArray: the ports that play.
#define kAudioSession_AudioRouteKey_Outputs "RouteDetailedDescription_Outputs"
/// CFString, of a port: its type.
#define kAudioSession_AudioRouteKey_Type "RouteDetailedDescription_PortType"
/// Keys of a data source: a CFNumber and a CFString.
#define kAudioSession_InputSourceKey_ID "InputSourceKey_ID"
/// CFString: its name for people.
#define kAudioSession_InputSourceKey_Description "InputSourceKey_Description"
/// CFNumber: the number of a data destination.
#define kAudioSession_OutputDestinationKey_ID "OutputDestinationKey_ID"
/// CFString: its name for people.
#define kAudioSession_OutputDestinationKey_Description "OutputDestinationKey_Description"

// MARK: Properties

/// R: can be read, W: can be written, L: listeners are notified.
CF_ENUM(AudioSessionPropertyID) {
  /// Float64, RW: Hz; 0 means no preference.
  kAudioSessionProperty_PreferredHardwareSampleRate = 0x68777372,  // 'hwsr'
  /// Float32, RW: seconds; 0 means no preference.
  kAudioSessionProperty_PreferredHardwareIOBufferDuration = 0x696f6264,  // 'iobd'
  /// UInt32, RW: kAudioSessionCategory_...
  kAudioSessionProperty_AudioCategory = 0x61636174,  // 'acat'
  /// CFStringRef, R: the type of the output port, or without output of the input port.
  kAudioSessionProperty_AudioRoute = 0x726f7574,  // 'rout'
  /// CFDictionaryRef, L: see kAudioSession_AudioRouteChangeKey_Reason.
  kAudioSessionProperty_AudioRouteChange = 0x726f6368,  // 'roch'
  /// CFDictionaryRef, R: the whole route.
  kAudioSessionProperty_AudioRouteDescription = 0x63726172,  // 'crar'
  /// Float64, R: Hz.
  kAudioSessionProperty_CurrentHardwareSampleRate = 0x63687372,  // 'chsr'
  /// UInt32, R.
  kAudioSessionProperty_CurrentHardwareInputNumberChannels = 0x63686963,  // 'chic'
  /// UInt32, R: the channels of the output.
  kAudioSessionProperty_CurrentHardwareOutputNumberChannels = 0x63686f63,  // 'choc'
  /// Float32, RL: 0 to 1.
  kAudioSessionProperty_CurrentHardwareOutputVolume = 0x63686f76,  // 'chov'
  /// Float32, R: seconds.
  kAudioSessionProperty_CurrentHardwareInputLatency = 0x63696c74,  // 'cilt'
  /// Float32, R: seconds.
  kAudioSessionProperty_CurrentHardwareOutputLatency = 0x636f6c74,  // 'colt'
  /// Float32, R: seconds of a cycle.
  kAudioSessionProperty_CurrentHardwareIOBufferDuration = 0x63686264,  // 'chbd'
  /// UInt32, R: whether another program plays.
  kAudioSessionProperty_OtherAudioIsPlaying = 0x6f746872,  // 'othr'
  /// UInt32, W: kAudioSessionOverrideAudioRoute_...
  kAudioSessionProperty_OverrideAudioRoute = 0x6f767264,  // 'ovrd'
  /// UInt32, RL: whether there is a device to capture from.
  kAudioSessionProperty_AudioInputAvailable = 0x61696176,  // 'aiav'
  /// UInt32, L: a sound server is gone (1), or is back (0).
  kAudioSessionProperty_ServerDied = 0x64696564,  // 'died'
  /// UInt32, RW: 1 turns down what other programs play.
  kAudioSessionProperty_OtherMixableAudioShouldDuck = 0x6475636b,  // 'duck'
  /// UInt32, RW: 1 lets other programs play on.
  kAudioSessionProperty_OverrideCategoryMixWithOthers = 0x636d6978,  // 'cmix'
  /// UInt32, RW: 1 prefers the loudspeaker to the earpiece.
  kAudioSessionProperty_OverrideCategoryDefaultToSpeaker = 0x6373706b,  // 'cspk'
  /// UInt32, RW: 1 allows the microphones of headsets.
  kAudioSessionProperty_OverrideCategoryEnableBluetoothInput = 0x63626c75,  // 'cblu'
  /// UInt32, R: whether the program should resume after the last interruption.
  kAudioSessionProperty_InterruptionType = 0x74797065,  // 'type'
  /// UInt32, RW: kAudioSessionMode_...
  kAudioSessionProperty_Mode = 0x6d6f6465,  // 'mode'
  /// CFArrayRef, R: the data sources of the input.
  kAudioSessionProperty_InputSources = 0x73726373,  // 'srcs'
  /// CFArrayRef, R: the data destinations, in the form of the sources.
  kAudioSessionProperty_OutputDestinations = 0x64737473,  // 'dsts'
  /// CFNumberRef, RW: the selected data source.
  kAudioSessionProperty_InputSource = 0x69737263,  // 'isrc'
  /// CFNumberRef, RW: the chosen data destination.
  kAudioSessionProperty_OutputDestination = 0x6f647374,  // 'odst'
  /// UInt32, R: whether the input has a volume control.
  kAudioSessionProperty_InputGainAvailable = 0x69676176,  // 'igav'
  /// Float32, RW: 0 to 1.
  kAudioSessionProperty_InputGainScalar = 0x69677363  // 'igsc'
};

// MARK: Functions

// For Swift, module AudioToolbox declares a function with the same name.
#ifndef __swift__
/// Initializes the session, once per process. [control thread]
///
/// Listeners are called on the run loop, in the mode; null: the main run loop, the default mode.
///
/// - Parameters:
///   - inRunLoop: the run loop; null for the main thread's.
///   - inRunLoopMode: its mode; null for the default one.
///   - inInterruptionListener: called when an interruption begins or ends. May be null.
///   - inClientData: passed to the function.
/// - Returns: noErr; `kAudioSessionAlreadyInitialized` for a second call;
///   `kAudioSessionUnspecifiedError` if nothing can be added to the run loop; `kAudio_ParamError`
///   if the run loop or its mode is an object of another type.
OSStatus AudioSessionInitialize(
    CFRunLoopRef _Nullable inRunLoop, CFStringRef _Nullable inRunLoopMode,
    AudioSessionInterruptionListener _Nullable inInterruptionListener,
    void *_Nullable inClientData);
#endif

/// Activates or deactivates the session. While audio units run, deactivating returns
/// kAudioSessionNotActiveError. [control thread]
///
/// - Parameter active: true to activate it, false to deactivate it.
/// - Returns: noErr; `kAudioSessionNotActiveError` if it is to be deactivated while audio units
///   run; an error of AVAudioSession, such as AVAudioSessionErrorCodeCannotStartPlaying, if there
///   is no device for the category; `kAudioSessionNotInitialized` before AudioSessionInitialize.
OSStatus AudioSessionSetActive(Boolean active);

/// As AudioSessionSetActive. [control thread]
///
/// - Parameters:
///   - active: true to activate it, false to deactivate it.
///   - inFlags: kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation or 0.
/// - Returns: as AudioSessionSetActive; `kAudio_ParamError` for another flag.
OSStatus AudioSessionSetActiveWithFlags(Boolean active, UInt32 inFlags);

/// Reads a property. The caller releases Core Foundation objects. [control thread]
///
/// - Parameters:
///   - inID: the property.
///   - ioDataSize: the room in bytes; on return the size of the value.
///   - outData: memory for the value.
/// - Returns: noErr; `kAudioSessionUnsupportedPropertyError` if it cannot be read;
///   `kAudioSessionBadPropertySizeError` if there is too little room; `kAudioSessionNotInitialized`
///   before AudioSessionInitialize; `kAudio_ParamError` if a pointer is null.
OSStatus AudioSessionGetProperty(
    AudioSessionPropertyID inID, UInt32 *ioDataSize, void *outData);

/// Writes a property. [control thread]
///
/// - Parameters:
///   - inID: the property.
///   - inDataSize: the size of the value in bytes.
///   - inData: the value.
/// - Returns: noErr; `kAudioSessionUnsupportedPropertyError` if it cannot be written;
///   `kAudioSessionBadPropertySizeError` for a wrong size; `kAudioSessionIncompatibleCategory` if
///   the category does not allow it; `kAudioSessionNotInitialized` before AudioSessionInitialize;
///   `kAudio_ParamError` for a wrong value or a null pointer.
OSStatus AudioSessionSetProperty(
    AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData);

/// The size of a property's value in bytes. [control thread]
///
/// - Parameters:
///   - inID: the property.
///   - outDataSize: the size in bytes.
/// - Returns: noErr; `kAudioSessionUnsupportedPropertyError` if it cannot be read;
///   `kAudioSessionNotInitialized` before AudioSessionInitialize; `kAudio_ParamError` if the
///   pointer is null.
OSStatus AudioSessionGetPropertySize(AudioSessionPropertyID inID, UInt32 *outDataSize);

/// Adds a listener that is called when a property changes. [control thread]
///
/// - Parameters:
///   - inID: the property.
///   - inProc: the function.
///   - inClientData: passed to the function.
/// - Returns: noErr; `kAudioSessionUnsupportedPropertyError` if there is no such property;
///   `kAudioSessionNotInitialized` before AudioSessionInitialize; `kAudio_ParamError` if the
///   function is null.
OSStatus AudioSessionAddPropertyListener(
    AudioSessionPropertyID inID, AudioSessionPropertyListener inProc,
    void *_Nullable inClientData);

/// Removes all listeners of a property. [control thread]
///
/// - Parameter inID: the property.
/// - Returns: noErr; `kAudioSessionUnsupportedPropertyError` if there is no such property;
///   `kAudioSessionNotInitialized` before AudioSessionInitialize.
OSStatus AudioSessionRemovePropertyListener(AudioSessionPropertyID inID);

/// Removes a listener. [control thread]
///
/// - Parameters:
///   - inID: the property.
///   - inProc: the function.
///   - inClientData: the pointer with which it was added.
/// - Returns: noErr; `kAudioSessionNotInitialized` before AudioSessionInitialize;
///   `kAudio_ParamError` if it was not added with these arguments.
OSStatus AudioSessionRemovePropertyListenerWithUserData(
    AudioSessionPropertyID inID, AudioSessionPropertyListener inProc,
    void *_Nullable inClientData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
