// SPDX-License-Identifier: Apache-2.0
// The effect and the instrument of Units.hpp as functions that a property list names.
#include "Units.hpp"

extern "C" AudioComponentPlugInInterface *GainFactory(const AudioComponentDescription *description) {
  return makePlugIn<GainUnit>(description);
}
extern "C" AudioComponentPlugInInterface *SineFactory(const AudioComponentDescription *description) {
  return makePlugIn<SineUnit>(description);
}
