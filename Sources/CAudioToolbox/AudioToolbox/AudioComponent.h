// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_COMPONENT_H
#define CAUDIOTOOLBOX_AUDIO_COMPONENT_H

#include "../CoreAudioTypes/CoreAudioBaseTypes.h"

// The registry of components: finding them, making instances, registering units of a program.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Types

/// Properties of a component.
typedef CF_OPTIONS(UInt32, AudioComponentFlags) {
  /// Found only by a search with type, subtype and manufacturer.
  kAudioComponentFlag_Unsearchable = 1U << 0,
  /// It needs nothing outside of a sandbox; has no effect here.
  kAudioComponentFlag_SandboxSafe = 1U << 1,
  /// It is implemented by a subclass of AUAudioUnit.
  kAudioComponentFlag_IsV3AudioUnit = 1U << 2,
  /// Can only be created by the asynchronous call.
  kAudioComponentFlag_RequiresAsyncInstantiation = 1U << 3,
  /// Its instances may live in the process of the program.
  kAudioComponentFlag_CanLoadInProcess = 1U << 4
};

/// Options for the creation of an instance. LV2, LADSPA and CLAP plug-ins can have a process of their own;
/// other instances live in the caller's process. kAudioUnitProperty_LoadedOutOfProcess says where one is.
typedef CF_OPTIONS(UInt32, AudioComponentInstantiationOptions) {
  /// Asks for a process of its own.
  kAudioComponentInstantiation_LoadOutOfProcess = 1U << 0,
  /// Asks for the process of the caller, where instances live unless AUDIOTOOLBOX_OUT_OF_PROCESS is set.
  kAudioComponentInstantiation_LoadInProcess = 1U << 1,
  /// Tells a unit that it is in another process; never set here.
  kAudioComponentInstantiation_LoadedRemotely = 1U << 31
};

/// The description of a component, or a search for components.
///
/// In a search, zero in type, subtype or manufacturer means any. A component matches if its flags
/// equal `componentFlags` in the bits of `componentFlagsMask`.
typedef struct AudioComponentDescription {
  OSType componentType;          ///< The kind of component, such as kAudioUnitType_Effect.
  OSType componentSubType;       ///< What it does, such as kAudioUnitSubType_Delay.
  OSType componentManufacturer;  ///< Who made it, such as kAudioUnitManufacturer_Apple.
  UInt32 componentFlags;         ///< Flags of AudioComponentFlags; 0 in most searches.
  UInt32 componentFlagsMask;     ///< The flags that a search compares; 0 otherwise.
} AudioComponentDescription;

/// A component: a kind of unit in the registry.
typedef struct OpaqueAudioComponent *AudioComponent;

/// The pointee type of an instance; it is never accessed.
struct ComponentInstanceRecord {
  long data[1];  ///< Not used.
};
typedef struct ComponentInstanceRecord ComponentInstanceRecord;
/// The older name of AudioComponentInstance.
typedef ComponentInstanceRecord *ComponentInstance;

/// An instance of a component.
typedef ComponentInstance AudioComponentInstance;

/// A method of a plug-in. The first argument is the plug-in; the others depend on the selector.
typedef OSStatus (*AudioComponentMethod)(void *self, ...);

/// The beginning of the memory of a plug-in that a factory created.
typedef struct AudioComponentPlugInInterface {
  /// Called once, with the handle of the new instance, before any other method.
  OSStatus (*Open)(void *self, AudioComponentInstance mInstance);
  /// Called once, last; releases the memory of the plug-in.
  OSStatus (*Close)(void *self);
  /// The method of a selector; null when the plug-in does not have it.
  AudioComponentMethod _Nullable (*_Nonnull Lookup)(SInt16 selector);
  /// Null.
  void *_Nullable reserved;
} AudioComponentPlugInInterface;

/// Creates a plug-in for a description; returns null if it cannot.
typedef AudioComponentPlugInInterface *_Nullable (*AudioComponentFactoryFunction)(
    const AudioComponentDescription *inDesc);

/// Results of the component functions.
CF_ENUM(OSStatus) {
  /// Creating an instance took too long.
  kAudioComponentErr_InstanceTimedOut = -66754,
  /// The process of the instance has ended.
  kAudioComponentErr_InstanceInvalidated = -66749,
  /// A component with this type, subtype and manufacturer exists.
  kAudioComponentErr_DuplicateDescription = -66752,
  /// Components of this type cannot be registered.
  kAudioComponentErr_UnsupportedType = -66751,
  /// There can be no further instance of this component.
  kAudioComponentErr_TooManyInstances = -66750,
  /// The program may not register or create this component.
  kAudioComponentErr_NotPermitted = -66748,
  /// The process of the component took too long to start.
  kAudioComponentErr_InitializationTimedOut = -66747,
  /// The format is not one that the component supports.
  kAudioComponentErr_InvalidFormat = -66746
};

// MARK: Finding components

/// The next component that matches a description, in order of registration. [control thread]
///
/// Start with null; continue with the component that was found, and the same description.
///
/// - Parameters:
///   - inComponent: null, or the component after which the search continues.
///   - inDesc: what to look for; fields that are 0 match everything.
/// - Returns: the next component; null when no more components match, or if `inDesc` is null or
///   `inComponent` is not a component.
AudioComponent _Nullable AudioComponentFindNext(AudioComponent _Nullable inComponent,
                                                const AudioComponentDescription *inDesc);

/// The number of components that match a description. [control thread]
///
/// - Parameter inDesc: what to count; fields that are 0 match everything.
/// - Returns: how many components match; 0 if `inDesc` is null.
UInt32 AudioComponentCount(const AudioComponentDescription *inDesc);

#ifndef __swift__
/// The name of a component, "Manufacturer: Name"; the caller releases it. [control thread]
///
/// - Parameters:
///   - inComponent: the component.
///   - outName: the name, which the caller releases.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such component or `outName` is null.
OSStatus AudioComponentCopyName(AudioComponent inComponent,
                                CFStringRef _Nullable *_Nonnull outName);
#endif

/// The full description of a component. [control thread]
///
/// - Parameters:
///   - inComponent: the component.
///   - outDesc: its type, subtype, manufacturer and flags; the mask is 0.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such component or `outDesc` is null.
OSStatus AudioComponentGetDescription(AudioComponent inComponent,
                                      AudioComponentDescription *outDesc);

/// The version of a component, 0xMMMMmmDD: major, minor, patch. [control thread]
///
/// - Parameters:
///   - inComponent: the component.
///   - outVersion: the version.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such component or `outVersion` is null.
OSStatus AudioComponentGetVersion(AudioComponent inComponent, UInt32 *outVersion);

// MARK: Instances

/// Creates an instance, which is not initialized yet. [control thread]
///
/// - Parameters:
///   - inComponent: the component.
///   - outInstance: the new instance, which the caller disposes of; null after an error.
/// - Returns: noErr; `kAudio_ParamError` if there is no such component or `outInstance` is null;
///   `kAudioUnitErr_FailedInitialization` if the factory of a plug-in returns nothing;
///   `kAudioUnitErr_InvalidFile` if the file of a plug-in cannot be loaded; or what the plug-in
///   itself returns.
OSStatus AudioComponentInstanceNew(AudioComponent inComponent,
                                   AudioComponentInstance _Nullable *_Nonnull outInstance);

/// Uninitializes an instance and disposes of it. [control thread]
///
/// Called from a callback of the instance, it takes effect after the render cycle.
///
/// - Parameter inInstance: the instance; invalid from now on.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such instance.
OSStatus AudioComponentInstanceDispose(AudioComponentInstance inInstance);

/// The component of an instance. [any thread]
///
/// - Parameter inInstance: the instance.
/// - Returns: its component; null if there is no such instance.
AudioComponent AudioComponentInstanceGetComponent(AudioComponentInstance inInstance);

/// Whether an instance has the method of a selector. [any thread]
///
/// - Parameters:
///   - inInstance: the instance.
///   - inSelectorID: a selector, such as `kAudioUnitRenderSelect`.
/// - Returns: whether it has the method; false if there is no such instance.
Boolean AudioComponentInstanceCanDo(AudioComponentInstance inInstance, SInt16 inSelectorID);

#ifndef __swift__
/// Registers a component of this process. [control thread]
///
/// The name is "Manufacturer: Name", the version 0xMMMMmmDD.
///
/// - Parameters:
///   - inDesc: type, subtype and manufacturer. A component that has the same ones is replaced if
///     its version is lower.
///   - inName: the name, which listings divide at the colon.
///   - inVersion: the version.
///   - inFactory: creates a plug-in for each new instance.
AudioComponent AudioComponentRegister(const AudioComponentDescription *inDesc, CFStringRef inName,
                                      UInt32 inVersion, AudioComponentFactoryFunction inFactory);
#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
