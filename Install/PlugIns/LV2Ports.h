// SPDX-License-Identifier: Apache-2.0
// The order of the ports of our LV2 plug-ins, and their identifiers.
#pragma once
#include "Exports.h"

#define URI_PREFIX "urn:swift-audiotoolbox:"
#define PROJECT_URI "urn:swift-audiotoolbox"
/// The key of the state that is not in ports.
#define CLASS_INFO_URI "urn:swift-audiotoolbox:class-info"

/// The indexes of the first port of each kind; those that a unit does not have are `no_port`. The inputs are first.
typedef struct Ports {
  UInt32 outputs, midi, enabled, latency, parameters;
} Ports;

enum { no_port = UINT32_MAX };

static inline Ports ports_of(const Export *export, const Variant *variant) {
  Ports ports = {.outputs = variant->inputs, .midi = no_port, .enabled = no_port};
  UInt32 next = variant->inputs + variant->outputs;
  if (export->description.componentType == kAudioUnitType_MusicDevice) ports.midi = next++;
  if (export->description.componentType == kAudioUnitType_Effect) ports.enabled = next++;
  ports.latency = next++;
  ports.parameters = next;
  return ports;
}
