// SPDX-License-Identifier: Apache-2.0

#ifndef CARBON_CORE_MAC_ERRORS_H
#define CARBON_CORE_MAC_ERRORS_H

#include <CoreAudioTypes/CoreAudioBaseTypes.h>

#include "../MacTypes.h"

// PlayerProperties.h may also declare it.
#ifndef CAUDIOTOOLBOX_USER_CANCELED
#define CAUDIOTOOLBOX_USER_CANCELED
enum { userCanceledErr = -128 };
#endif

/// Status codes that audio programs compare, or that plug-ins return.
enum {
  paramErr = -50,
  unimpErr = -4,
  ioErr = -36,
  bdNamErr = -37,
  fnOpnErr = -38,
  eofErr = -39,
  posErr = -40,
  tmfoErr = -42,
  fnfErr = -43,
  opWrErr = -49,
  permErr = -54,
  memFullErr = -108,
  nilHandleErr = -109,
  memWZErr = -111,
  badFormat = -206,
  notEnoughHardwareErr = -201,
  coreFoundationUnknownErr = -4960,

  /// Status codes of the Component Manager.
  validInstancesExist = -3001,
  componentNotCaptured = -3002,
  componentDontRegister = -3003,
  unresolvedComponentDLLErr = -3004,
  retryComponentRegistrationErr = -3005,
  badComponentInstance = (int)0x80008001,
  badComponentSelector = (int)0x80008002
};

#endif
