// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_PARAMETERS_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_PARAMETERS_H

// The parameters of units, a header for each family.

#include "UnitParameters/ConverterParameters.h"
#include "UnitParameters/DelayAndReverbParameters.h"
#include "UnitParameters/DynamicsParameters.h"
#include "UnitParameters/EqualizerParameters.h"
#include "UnitParameters/FilterParameters.h"
#include "UnitParameters/InstrumentParameters.h"
#include "UnitParameters/MixerParameters.h"
#include "UnitParameters/OutputUnitParameters.h"
#include "UnitParameters/SpatialMixerParameters.h"

#endif
