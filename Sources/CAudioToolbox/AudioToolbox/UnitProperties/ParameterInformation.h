// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_PARAMETER_INFORMATION_H
#define CAUDIOTOOLBOX_PARAMETER_INFORMATION_H

#include "../AUComponent.h"
#include "../AUCoreFoundationFields.h"

// What a unit says about its parameters: names, ranges, units of measure, scales.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Units of measure of parameters.
typedef CF_ENUM(UInt32, AudioUnitParameterUnit) {
  /// A number without a unit.
  kAudioUnitParameterUnit_Generic = 0,
  /// A whole number: the index of a choice.
  kAudioUnitParameterUnit_Indexed = 1,
  /// 0 is false, anything else is true.
  kAudioUnitParameterUnit_Boolean = 2,
  /// Usually 0 to 100.
  kAudioUnitParameterUnit_Percent = 3,
  /// Seconds.
  kAudioUnitParameterUnit_Seconds = 4,
  /// A number of frames.
  kAudioUnitParameterUnit_SampleFrames = 5,
  /// -180 to 180 degrees.
  kAudioUnitParameterUnit_Phase = 6,
  /// A factor of speed.
  kAudioUnitParameterUnit_Rate = 7,
  /// Cycles per second.
  kAudioUnitParameterUnit_Hertz = 8,
  /// Hundredths of a semitone.
  kAudioUnitParameterUnit_Cents = 9,
  /// Semitones up or down.
  kAudioUnitParameterUnit_RelativeSemiTones = 10,
  /// A key, 0 to 127; 69 is 440 Hz.
  kAudioUnitParameterUnit_MIDINoteNumber = 11,
  /// A controller's value, 0 to 127.
  kAudioUnitParameterUnit_MIDIController = 12,
  /// 20 * log10 of a gain.
  kAudioUnitParameterUnit_Decibels = 13,
  /// A factor of amplitude; 1 leaves it unchanged.
  kAudioUnitParameterUnit_LinearGain = 14,
  /// -180 to 180.
  kAudioUnitParameterUnit_Degrees = 15,
  /// 0 to 100; the gains of both sides are square roots.
  kAudioUnitParameterUnit_EqualPowerCrossfade = 16,
  /// 0 to 1; the gain is the cube.
  kAudioUnitParameterUnit_MixerFaderCurve1 = 17,
  /// -1 is left, 1 is right.
  kAudioUnitParameterUnit_Pan = 18,
  /// A distance in meters.
  kAudioUnitParameterUnit_Meters = 19,
  /// 1200 * log2(f / 440 Hz) + 6900.
  kAudioUnitParameterUnit_AbsoluteCents = 20,
  /// An interval in octaves.
  kAudioUnitParameterUnit_Octaves = 21,
  /// Beats per minute.
  kAudioUnitParameterUnit_BPM = 22,
  /// A time in beats of the host's tempo.
  kAudioUnitParameterUnit_Beats = 23,
  /// Thousandths of a second.
  kAudioUnitParameterUnit_Milliseconds = 24,
  /// A ratio to 1, such as that of a compressor.
  kAudioUnitParameterUnit_Ratio = 25,
  /// The unit is `unitName` of the parameter's information.
  kAudioUnitParameterUnit_CustomUnit = 26,
  /// A controller's value of MIDI 2.0.
  kAudioUnitParameterUnit_MIDI2Controller = 27
};

/// Flags of a parameter. The "Display" values select the scale of a control for it.
typedef CF_OPTIONS(UInt32, AudioUnitParameterOptions) {
  /// The receiver of the information releases `cfNameString`.
  kAudioUnitParameterFlag_CFNameRelease = 1U << 4,
  /// The value is not part of presets.
  kAudioUnitParameterFlag_OmitFromPresets = 1U << 13,
  /// Worth a plot: kAudioUnitProperty_ParameterHistoryInfo.
  kAudioUnitParameterFlag_PlotHistory = 1U << 14,
  /// A meter: the unit writes it, the host reads it.
  kAudioUnitParameterFlag_MeterReadOnly = 1U << 15,

  /// The bits of the scale.
  kAudioUnitParameterFlag_DisplayMask = (7U << 16) | (1U << 22),
  /// A control shows the square root of the value.
  kAudioUnitParameterFlag_DisplaySquareRoot = 1U << 16,
  /// A control shows the square of the value.
  kAudioUnitParameterFlag_DisplaySquared = 2U << 16,
  /// A control shows the cube of the value.
  kAudioUnitParameterFlag_DisplayCubed = 3U << 16,
  /// A control shows the cube root of the value.
  kAudioUnitParameterFlag_DisplayCubeRoot = 4U << 16,
  /// A control shows the exponential of the value.
  kAudioUnitParameterFlag_DisplayExponential = 5U << 16,

  /// `clumpID` is set.
  kAudioUnitParameterFlag_HasClump = 1U << 20,
  /// The values have names: kAudioUnitProperty_ParameterValueStrings, or -StringFromValue.
  kAudioUnitParameterFlag_ValuesHaveStrings = 1U << 21,
  /// A control shows the logarithm of the value, as of frequencies.
  kAudioUnitParameterFlag_DisplayLogarithmic = 1U << 22,
  /// A control should offer fine steps.
  kAudioUnitParameterFlag_IsHighResolution = 1U << 23,
  /// It must not be changed while the unit renders.
  kAudioUnitParameterFlag_NonRealTime = 1U << 24,
  /// It can be ramped by AudioUnitScheduleParameters.
  kAudioUnitParameterFlag_CanRamp = 1U << 25,
  /// A simple user interface leaves it out.
  kAudioUnitParameterFlag_ExpertMode = 1U << 26,
  /// `cfNameString` is set.
  kAudioUnitParameterFlag_HasCFNameString = 1U << 27,
  /// Changes other parameters of the unit.
  kAudioUnitParameterFlag_IsGlobalMeta = 1U << 28,
  /// Changes other parameters of its element.
  kAudioUnitParameterFlag_IsElementMeta = 1U << 29,
  /// AudioUnitGetParameter returns it.
  kAudioUnitParameterFlag_IsReadable = 1U << 30,
  /// AudioUnitSetParameter changes it.
  kAudioUnitParameterFlag_IsWritable = 1U << 31
};

/// The scale of a parameter's flags.
#define GetAudioUnitParameterDisplayType(flags) ((flags) & kAudioUnitParameterFlag_DisplayMask)
/// The flags with another scale.
#define SetAudioUnitParameterDisplayType(flags, displayType) \
  (((flags) & ~kAudioUnitParameterFlag_DisplayMask) | (displayType))
/// Whether a control shows the logarithm.
#define AudioUnitDisplayTypeIsLogarithmic(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayLogarithmic)
/// Whether a control shows the square root.
#define AudioUnitDisplayTypeIsSquareRoot(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquareRoot)
/// Whether a control shows the square.
#define AudioUnitDisplayTypeIsSquared(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquared)
/// Whether a control shows the cube.
#define AudioUnitDisplayTypeIsCubed(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubed)
/// Whether a control shows the cube root.
#define AudioUnitDisplayTypeIsCubeRoot(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubeRoot)
/// Whether a control shows the exponential.
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
  /// The group of parameters to which it belongs, if kAudioUnitParameterFlag_HasClump.
  UInt32 clumpID;
  /// The name for display, if kAudioUnitParameterFlag_HasCFNameString.
  AU_CF_FIELD(CFStringRef, cfNameString);
  /// The unit of measure.
  AudioUnitParameterUnit unit;
  /// The lowest value; lower ones have its effect.
  AudioUnitParameterValue minValue;
  /// The highest value; higher ones have its effect.
  AudioUnitParameterValue maxValue;
  /// The value of a new unit.
  AudioUnitParameterValue defaultValue;
  /// What can be done with it, and how to show it.
  AudioUnitParameterOptions flags;
} AudioUnitParameterInfo;

enum {
  /// The desired length for the whole name.
  kAudioUnitParameterName_Full = -1
};

/// A request for the name of a parameter or a clump, with a maximum length.
typedef struct AudioUnitParameterNameInfo {
  /// The identifier of the parameter or the clump.
  UInt32 inID;
  /// In characters, or `kAudioUnitParameterName_Full`.
  SInt32 inDesiredLength;
  /// The name, which the caller releases.
  AU_CF_FIELD(CFStringRef, outName);
} AudioUnitParameterNameInfo;
/// Another name of AudioUnitParameterNameInfo.
typedef AudioUnitParameterNameInfo AudioUnitParameterIDName;

/// A request for the text of a value.
typedef struct AudioUnitParameterStringFromValue {
  /// The parameter.
  AudioUnitParameterID inParamID;
  /// In C, a null pointer requests the text of the current value.
  const AudioUnitParameterValue *inValue;
  /// The text, which the caller releases; null: show the number.
  AU_CF_FIELD(CFStringRef, outString);
} AudioUnitParameterStringFromValue;

/// A request for the value of a text.
typedef struct AudioUnitParameterValueFromString {
  AudioUnitParameterID inParamID;              ///< The parameter.
  AU_CF_NONNULL_FIELD(CFStringRef, inString);  ///< What a user has typed.
  AudioUnitParameterValue outValue;            ///< The value of that text.
} AudioUnitParameterValueFromString;

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
