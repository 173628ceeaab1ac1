// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_PARAMETER_INFORMATION_H
#define CAUDIOTOOLBOX_PARAMETER_INFORMATION_H

#include "../AUComponent.h"
#include "../AUCoreFoundationFields.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Units of measure of parameters.
typedef CF_ENUM(UInt32, AudioUnitParameterUnit) {
  kAudioUnitParameterUnit_Generic = 0,
  /// A whole number: the index of a choice.
  kAudioUnitParameterUnit_Indexed = 1,
  /// 0 is false, anything else is true.
  kAudioUnitParameterUnit_Boolean = 2,
  /// Usually 0 to 100.
  kAudioUnitParameterUnit_Percent = 3,
  kAudioUnitParameterUnit_Seconds = 4,
  kAudioUnitParameterUnit_SampleFrames = 5,
  /// -180 to 180 degrees.
  kAudioUnitParameterUnit_Phase = 6,
  /// A factor of speed.
  kAudioUnitParameterUnit_Rate = 7,
  kAudioUnitParameterUnit_Hertz = 8,
  kAudioUnitParameterUnit_Cents = 9,
  kAudioUnitParameterUnit_RelativeSemiTones = 10,
  kAudioUnitParameterUnit_MIDINoteNumber = 11,
  kAudioUnitParameterUnit_MIDIController = 12,
  kAudioUnitParameterUnit_Decibels = 13,
  kAudioUnitParameterUnit_LinearGain = 14,
  /// -180 to 180.
  kAudioUnitParameterUnit_Degrees = 15,
  /// 0 to 100; the gains of both sides are square roots.
  kAudioUnitParameterUnit_EqualPowerCrossfade = 16,
  /// 0 to 1; the gain is the cube.
  kAudioUnitParameterUnit_MixerFaderCurve1 = 17,
  /// -1 is left, 1 is right.
  kAudioUnitParameterUnit_Pan = 18,
  kAudioUnitParameterUnit_Meters = 19,
  /// 1200 * log2(f / 440 Hz) + 6900.
  kAudioUnitParameterUnit_AbsoluteCents = 20,
  kAudioUnitParameterUnit_Octaves = 21,
  kAudioUnitParameterUnit_BPM = 22,
  kAudioUnitParameterUnit_Beats = 23,
  kAudioUnitParameterUnit_Milliseconds = 24,
  kAudioUnitParameterUnit_Ratio = 25,
  /// The unit is `unitName` of the parameter's information.
  kAudioUnitParameterUnit_CustomUnit = 26,
  kAudioUnitParameterUnit_MIDI2Controller = 27
};

/// Flags of a parameter. The "Display" values select the scale of a control for it.
typedef CF_OPTIONS(UInt32, AudioUnitParameterOptions) {
  /// The receiver of the information releases `cfNameString`.
  kAudioUnitParameterFlag_CFNameRelease = 1U << 4,
  kAudioUnitParameterFlag_OmitFromPresets = 1U << 13,
  kAudioUnitParameterFlag_PlotHistory = 1U << 14,
  /// A meter: the unit writes it, the host reads it.
  kAudioUnitParameterFlag_MeterReadOnly = 1U << 15,

  /// The bits of the scale.
  kAudioUnitParameterFlag_DisplayMask = (7U << 16) | (1U << 22),
  kAudioUnitParameterFlag_DisplaySquareRoot = 1U << 16,
  kAudioUnitParameterFlag_DisplaySquared = 2U << 16,
  kAudioUnitParameterFlag_DisplayCubed = 3U << 16,
  kAudioUnitParameterFlag_DisplayCubeRoot = 4U << 16,
  kAudioUnitParameterFlag_DisplayExponential = 5U << 16,

  /// `clumpID` is set.
  kAudioUnitParameterFlag_HasClump = 1U << 20,
  kAudioUnitParameterFlag_ValuesHaveStrings = 1U << 21,
  kAudioUnitParameterFlag_DisplayLogarithmic = 1U << 22,
  /// A control should offer fine steps.
  kAudioUnitParameterFlag_IsHighResolution = 1U << 23,
  kAudioUnitParameterFlag_NonRealTime = 1U << 24,
  kAudioUnitParameterFlag_CanRamp = 1U << 25,
  kAudioUnitParameterFlag_ExpertMode = 1U << 26,
  /// `cfNameString` is set.
  kAudioUnitParameterFlag_HasCFNameString = 1U << 27,
  /// Changes other parameters of the unit.
  kAudioUnitParameterFlag_IsGlobalMeta = 1U << 28,
  /// Changes other parameters of its element.
  kAudioUnitParameterFlag_IsElementMeta = 1U << 29,
  kAudioUnitParameterFlag_IsReadable = 1U << 30,
  kAudioUnitParameterFlag_IsWritable = 1U << 31
};

/// The scale of a parameter's flags.
#define GetAudioUnitParameterDisplayType(flags) ((flags) & kAudioUnitParameterFlag_DisplayMask)
/// The flags with another scale.
#define SetAudioUnitParameterDisplayType(flags, displayType) \
  (((flags) & ~kAudioUnitParameterFlag_DisplayMask) | (displayType))
#define AudioUnitDisplayTypeIsLogarithmic(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayLogarithmic)
#define AudioUnitDisplayTypeIsSquareRoot(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquareRoot)
#define AudioUnitDisplayTypeIsSquared(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquared)
#define AudioUnitDisplayTypeIsCubed(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubed)
#define AudioUnitDisplayTypeIsCubeRoot(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubeRoot)
#define AudioUnitDisplayTypeIsExponential(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayExponential)

enum {
  /// The clump reserved for hosts.
  kAudioUnitClumpID_System = 0
};

/// The description of a parameter for hosts.
typedef struct AudioUnitParameterInfo {
  /// Not used: zero. The name is `cfNameString`.
  char name[52];
  /// The unit of measure, when it is `kAudioUnitParameterUnit_CustomUnit`.
  AU_CF_FIELD(CFStringRef, unitName);
  UInt32 clumpID;
  AU_CF_FIELD(CFStringRef, cfNameString);
  AudioUnitParameterUnit unit;
  AudioUnitParameterValue minValue;
  AudioUnitParameterValue maxValue;
  AudioUnitParameterValue defaultValue;
  AudioUnitParameterOptions flags;
} AudioUnitParameterInfo;

enum {
  /// The desired length for the whole name.
  kAudioUnitParameterName_Full = -1
};

/// A request for the name of a parameter or a clump, with a maximum length.
typedef struct AudioUnitParameterNameInfo {
  UInt32 inID;
  /// In characters, or `kAudioUnitParameterName_Full`.
  SInt32 inDesiredLength;
  AU_CF_FIELD(CFStringRef, outName);
} AudioUnitParameterNameInfo;
typedef AudioUnitParameterNameInfo AudioUnitParameterIDName;

/// A request for the text of a value.
typedef struct AudioUnitParameterStringFromValue {
  AudioUnitParameterID inParamID;
  /// In C, a null pointer requests the text of the current value.
  const AudioUnitParameterValue *inValue;
  AU_CF_FIELD(CFStringRef, outString);
} AudioUnitParameterStringFromValue;

/// A request for the value of a text.
typedef struct AudioUnitParameterValueFromString {
  AudioUnitParameterID inParamID;
  AU_CF_NONNULL_FIELD(CFStringRef, inString);
  AudioUnitParameterValue outValue;
} AudioUnitParameterValueFromString;

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
