// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_PROPERTIES_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_PROPERTIES_H

// The properties of units: those of every unit, then a header for each family.

#include "UnitProperties/ConverterProperties.h"
#include "UnitProperties/EqualizerProperties.h"
#include "UnitProperties/GeneralProperties.h"
#include "UnitProperties/InstrumentProperties.h"
#include "UnitProperties/MixerProperties.h"
#include "UnitProperties/OutputUnitProperties.h"
#include "UnitProperties/ParameterInformation.h"
#include "UnitProperties/PlayerProperties.h"
#include "UnitProperties/PlugInProperties.h"
#include "UnitProperties/VoiceProperties.h"

#endif
