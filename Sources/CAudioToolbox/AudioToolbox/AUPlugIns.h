// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_PLUG_INS_H
#define CAUDIOTOOLBOX_AU_PLUG_INS_H

#include <CoreFoundation/CoreFoundation.h>

#include "AudioComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Only in this library; other implementations of the interface do not have it.
//
// Plug-ins of this machine are components, which the functions of AudioComponent.h find after the
// built-in ones. Audio units, in folders NAME.component, are always among them, as on Apple's
// systems: only their property lists are read, and their code is loaded with the first instance.
//
// LV2, LADSPA and CLAP plug-ins are among them only if the program enables their formats, or its
// user does with the environment variable AUDIOTOOLBOX_PLUGINS ("lv2,ladspa,clap", "all", or "none"
// for no plug-ins at all), which takes precedence. By default they are not, because a program that
// takes the first effect it finds must not get code of strangers, which may end or block it. What
// they contain is read in another process, and kept in a file of the user.

/// Formats of plug-ins.
typedef CF_OPTIONS(UInt32, AUPlugInFormats) {
  /// Audio units in folders NAME.component.
  kAUPlugInFormat_AudioUnit = 1U << 0,
  /// LV2 plug-ins, in the usual folders, or in those of LV2_PATH instead.
  kAUPlugInFormat_LV2 = 1U << 1,
  /// LADSPA plug-ins, in the usual folders, or in those of LADSPA_PATH instead.
  kAUPlugInFormat_LADSPA = 1U << 2,
  /// CLAP plug-ins, in the folders of CLAP_PATH and then in the usual ones.
  kAUPlugInFormat_CLAP = 1U << 3
};

/// Options of AUPlugInsScan.
typedef CF_OPTIONS(UInt32, AUPlugInScanOptions) {
  /// Reads every file again, also unchanged and blocked ones.
  kAUPlugInScan_Everything = 1U << 0
};

// Keys of the dictionaries in the result of AUPlugInsCopyList.

/// CFString: "Maker: Name"; the name of the file if it contains no plug-in.
#define kAUPlugInNameKey "name"
/// CFNumber: one bit of AUPlugInFormats.
#define kAUPlugInFormatKey "format"
/// CFString: the path of its file or folder.
#define kAUPlugInPathKey "path"
/// CFString: what names it for ever: an LV2 URI, a CLAP id, "file:label" of a LADSPA plug-in, the codes
/// of an audio unit; its path if the file contains no plug-in.
#define kAUPlugInIdentifierKey "identifier"
/// CFNumber: the codes of its component; 0 if it is none.
#define kAUPlugInTypeKey "type"
/// CFNumber: the subtype of its component; 0 if it is none.
#define kAUPlugInSubtypeKey "subtype"
/// CFNumber: the manufacturer of its component; 0 if it is none.
#define kAUPlugInManufacturerKey "manufacturer"
/// CFString: why it cannot be used, for people; absent if it can.
#define kAUPlugInReasonKey "reason"
/// CFBoolean: whether it is blocked: it ended or blocked a process, or AUPlugInsSetBlocked was called.
#define kAUPlugInIsBlockedKey "blocked"

/// Makes plug-ins of some formats components of this program. [control thread]
///
/// The next search for components reads what earlier scans found. Files that are new or have changed
/// are scanned on a thread of the library, which posts
/// kAudioComponentRegistrationsChangedNotification when it has found more; AUPlugInsScan waits for it.
///
/// - Parameter inFormats: the formats, besides those that the environment names.
/// - Returns: noErr, or `kAudio_ParamError` for an unknown format.
OSStatus AUPlugInsEnable(AUPlugInFormats inFormats);

/// The formats whose plug-ins are components of this program. [any thread]
AUPlugInFormats AUPlugInsGetEnabled(void);

/// Scans the files of the enabled formats that are new or have changed, and waits for the end. [control
/// thread]
///
/// Each file is read in a process of its own, ten seconds at most. One that ends or blocks the process
/// is blocked until it changes. A bundle of LV2 has changed if its folder has: texts in it that were
/// overwritten are read again by the thread of AUPlugInsEnable, or with kAUPlugInScan_Everything.
///
/// - Parameter inOptions: kAUPlugInScan_Everything reads all plug-ins again, not only those that
///   have changed.
/// - Returns: noErr, or the error of the files in which the result is kept.
OSStatus AUPlugInsScan(AUPlugInScanOptions inOptions);

// For Swift, module AudioToolbox declares functions with the same names.
#ifndef __swift__

/// All plug-ins of the enabled formats, with those that cannot be used. [control thread]
///
/// - Returns: an array of dictionaries with the keys above, which the caller releases.
CFArrayRef AUPlugInsCopyList(void);

/// Blocks the file that contains a plug-in, or permits it again, for all programs of the user. [control
/// thread]
///
/// Blocked plug-ins remain components, of which no instances can be made. Audio units cannot be blocked.
///
/// - Parameters:
///   - inIdentifier: the identifier of a plug-in, or the path of its file.
///   - inIsBlocked: true to block it, false to allow it.
/// - Returns: noErr, or `kAudio_ParamError` if the identifier is not a CFString, or no LV2, LADSPA
///   or CLAP plug-in has it.
OSStatus AUPlugInsSetBlocked(CFStringRef inIdentifier, Boolean inIsBlocked);

/// The path of the file in which the results of scans are kept; the caller releases it. [any thread]
///
/// - Returns: null if the user has no folder for it.
CFStringRef _Nullable AUPlugInsCopyCachePath(void);

#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
