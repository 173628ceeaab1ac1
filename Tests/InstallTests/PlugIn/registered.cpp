// SPDX-License-Identifier: Apache-2.0
// The effect and the instrument of Units.hpp as a plug-in: they are registered when it is loaded.
#include "Units.hpp"

__attribute__((constructor)) static void loaded() {
  const AudioComponentDescription effect = {kAudioUnitType_Effect, 'gain', 'Exmp', 0, 0};
  const AudioComponentDescription instrument = {kAudioUnitType_MusicDevice, 'sine', 'Exmp', 0, 0};
  AudioComponentRegister(&effect, CFSTR("Example: Gain"), 0x10000, makePlugIn<GainUnit>);
  AudioComponentRegister(&instrument, CFSTR("Example: Sine"), 0x10000, makePlugIn<SineUnit>);
}
