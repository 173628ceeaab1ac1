// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_PARAMETERS_H
#define CAUDIOTOOLBOX_AU_PARAMETERS_H

#include "AUComponent.h"

// What the parameter tree of a unit and its observers exchange; the tree itself is the Swift class
// AUParameterTree.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// The value of a parameter of a parameter tree.
typedef float AUValue;
/// The number of a parameter, unique in its parameter tree.
typedef uint64_t AUParameterAddress;
/// Stands for one observer of parameters.
typedef void *AUParameterObserverToken;

/// What happens to a parameter in an automation event.
typedef CF_ENUM(UInt32, AUParameterAutomationEventType) {
  /// The value changes.
  AUParameterAutomationEventTypeValue = 0,
  /// The user begins to move a control of the parameter.
  AUParameterAutomationEventTypeTouch = 1,
  /// The user releases the control.
  AUParameterAutomationEventTypeRelease = 2
};

/// A change or gesture of a parameter, for a program that records automation.
typedef struct AUParameterAutomationEvent {
  /// When it happened, on the machine's clock.
  uint64_t hostTime;
  /// The address of the parameter in its tree.
  AUParameterAddress address;
  /// The new value.
  AUValue value;
  /// Whether the user touches the control, moves or releases it.
  AUParameterAutomationEventType eventType;
  /// Always 0.
  uint64_t reserved;
} AUParameterAutomationEvent;

/// A change of a parameter, for a program that records it.
typedef struct AURecordedParameterEvent {
  /// When it happened, on the machine's clock.
  uint64_t hostTime;
  /// The address of the parameter in its tree.
  AUParameterAddress address;
  /// The new value.
  AUValue value;
} AURecordedParameterEvent;

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
