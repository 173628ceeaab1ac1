// SPDX-License-Identifier: Apache-2.0

#ifndef CARBON_CORE_MAC_ERRORS_H
#define CARBON_CORE_MAC_ERRORS_H

#include <CoreAudioTypes/CoreAudioBaseTypes.h>

#include "../MacTypes.h"

// PlayerProperties.h may also declare it.
#ifndef CAUDIOTOOLBOX_USER_CANCELED
/// userCanceledErr is declared; for the headers of this library only.
#define CAUDIOTOOLBOX_USER_CANCELED
/// The user has cancelled.
enum { userCanceledErr = -128 };
#endif

/// Status codes that audio programs compare, or that plug-ins return.
enum {
  /// An argument is invalid.
  paramErr = -50,
  /// The function is not implemented.
  unimpErr = -4,
  /// A file or device could not be read or written.
  ioErr = -36,
  /// The name of a file is invalid.
  bdNamErr = -37,
  /// The file is not open.
  fnOpnErr = -38,
  /// The end of the file was reached.
  eofErr = -39,
  /// The position is before the beginning of the file.
  posErr = -40,
  /// Too many files are open.
  tmfoErr = -42,
  /// There is no such file.
  fnfErr = -43,
  /// The file is already open for writing.
  opWrErr = -49,
  /// The user has no permission.
  permErr = -54,
  /// There is no memory.
  memFullErr = -108,
  /// A handle is null.
  nilHandleErr = -109,
  /// A handle has no block.
  memWZErr = -111,
  /// The format of a sound is unknown.
  badFormat = -206,
  /// There is no hardware for the sound.
  notEnoughHardwareErr = -201,
  /// A function of CoreFoundation has failed.
  coreFoundationUnknownErr = -4960,

  /// Status codes of the Component Manager.
  validInstancesExist = -3001,
  /// The component does not replace another one.
  componentNotCaptured = -3002,
  /// A component does not want to be registered.
  componentDontRegister = -3003,
  /// A library that a component needs is missing.
  unresolvedComponentDLLErr = -3004,
  /// A component is to be registered later.
  retryComponentRegistrationErr = -3005,
  /// An instance is invalid.
  badComponentInstance = (int)0x80008001,
  /// A component does not have the function.
  badComponentSelector = (int)0x80008002
};

#endif
