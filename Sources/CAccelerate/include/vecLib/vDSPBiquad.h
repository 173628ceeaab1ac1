// SPDX-License-Identifier: Apache-2.0
//
// Filters of sections with two poles and two zeros, one after the other. A section has five
// coefficients, b0, b1, b2, a1, a2: y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2].

#ifndef VECLIB_VDSP_BIQUAD_H
#define VECLIB_VDSP_BIQUAD_H

#include "vDSPTypes.h"

VDSP_BEGIN

// MARK: One channel

/// The coefficients of a cascade of sections.
typedef struct vDSP_biquad_SetupStruct *vDSP_biquad_Setup;
/// The same for doubles.
typedef struct vDSP_biquad_SetupStructD *vDSP_biquad_SetupD;

/// Creates a cascade of M sections, which have five coefficients each; null if there are none or
/// the memory is missing. [control thread]
vDSP_biquad_Setup _Nullable vDSP_biquad_CreateSetup(const double *__Coefficients, vDSP_Length __M);
vDSP_biquad_SetupD _Nullable vDSP_biquad_CreateSetupD(const double *__Coefficients,
                                                      vDSP_Length __M);

/// Frees a cascade, unless it is null. [control thread]
void vDSP_biquad_DestroySetup(vDSP_biquad_Setup _Nullable __Setup);
void vDSP_biquad_DestroySetupD(vDSP_biquad_SetupD _Nullable __Setup);

/// Filters N numbers. [one thread at a time for the same Delay]
///
/// Delay has 2 M + 2 elements: the two last numbers before the first section, the older first, and
/// then the two last after each section. It is zero at the start, and is updated.
VDSP_FUNCTION void vDSP_biquad(const struct vDSP_biquad_SetupStruct *__Setup, float *__Delay,
                               const float *__X, vDSP_Stride __IX, float *__Y, vDSP_Stride __IY,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_biquadD(const struct vDSP_biquad_SetupStructD *__Setup, double *__Delay,
                                const double *__X, vDSP_Stride __IX, double *__Y, vDSP_Stride __IY,
                                vDSP_Length __N);

// MARK: Several channels

/// The coefficients and the state of a cascade of sections for several channels.
typedef struct vDSP_biquadm_SetupStruct *vDSP_biquadm_Setup;
/// The same for doubles.
typedef struct vDSP_biquadm_SetupStructD *vDSP_biquadm_SetupD;

/// Creates a cascade of M sections for N channels. Coefficients has five for the first section of
/// each channel, then for the second section, and so on. Null if M or N is zero or the memory is
/// missing. [control thread]
vDSP_biquadm_Setup _Nullable vDSP_biquadm_CreateSetup(const double *__Coefficients, vDSP_Length __M,
                                                      vDSP_Length __N);
vDSP_biquadm_SetupD _Nullable vDSP_biquadm_CreateSetupD(const double *__Coefficients,
                                                        vDSP_Length __M, vDSP_Length __N);

/// Frees a cascade, unless it is null. [control thread]
void vDSP_biquadm_DestroySetup(vDSP_biquadm_Setup _Nullable __Setup);
void vDSP_biquadm_DestroySetupD(vDSP_biquadm_SetupD _Nullable __Setup);

/// Forgets the history of the signals. [one thread at a time]
VDSP_FUNCTION void vDSP_biquadm_ResetState(vDSP_biquadm_Setup __Setup);
VDSP_FUNCTION void vDSP_biquadm_ResetStateD(vDSP_biquadm_SetupD __Setup);

/// Copies the history of Source, a cascade of as many sections and channels. [one thread at a time]
VDSP_FUNCTION void vDSP_biquadm_CopyState(vDSP_biquadm_Setup __Destination,
                                          const struct vDSP_biquadm_SetupStruct *__Source);
VDSP_FUNCTION void vDSP_biquadm_CopyStateD(vDSP_biquadm_SetupD __Destination,
                                           const struct vDSP_biquadm_SetupStructD *__Source);

/// Filters N numbers of each channel. [one thread at a time]
VDSP_FUNCTION void vDSP_biquadm(vDSP_biquadm_Setup __Setup, const float *_Nonnull *_Nonnull __X,
                                vDSP_Stride __IX, float *_Nonnull *_Nonnull __Y, vDSP_Stride __IY,
                                vDSP_Length __N);
VDSP_FUNCTION void vDSP_biquadmD(vDSP_biquadm_SetupD __Setup, const double *_Nonnull *_Nonnull __X,
                                 vDSP_Stride __IX, double *_Nonnull *_Nonnull __Y, vDSP_Stride __IY,
                                 vDSP_Length __N);

/// Sets the coefficients of section_count sections from start_section on, for channel_count
/// channels from start_channel on, in the order of `vDSP_biquadm_CreateSetup`. What is outside of
/// the cascade is skipped. [one thread at a time]
VDSP_FUNCTION void vDSP_biquadm_SetCoefficientsDouble(vDSP_biquadm_Setup __Setup,
                                                      const double *__Coefficients,
                                                      vDSP_Length __start_section,
                                                      vDSP_Length __start_channel,
                                                      vDSP_Length __section_count,
                                                      vDSP_Length __channel_count);
VDSP_FUNCTION void vDSP_biquadm_SetCoefficientsDoubleD(vDSP_biquadm_SetupD __Setup,
                                                       const double *__Coefficients,
                                                       vDSP_Length __start_section,
                                                       vDSP_Length __start_channel,
                                                       vDSP_Length __section_count,
                                                       vDSP_Length __channel_count);
VDSP_FUNCTION void vDSP_biquadm_SetCoefficientsSingle(vDSP_biquadm_Setup __Setup,
                                                      const float *__Coefficients,
                                                      vDSP_Length __start_section,
                                                      vDSP_Length __start_channel,
                                                      vDSP_Length __section_count,
                                                      vDSP_Length __channel_count);
VDSP_FUNCTION void vDSP_biquadm_SetCoefficientsSingleD(vDSP_biquadm_SetupD __Setup,
                                                       const float *__Coefficients,
                                                       vDSP_Length __start_section,
                                                       vDSP_Length __start_channel,
                                                       vDSP_Length __section_count,
                                                       vDSP_Length __channel_count);

/// Sets coefficients that the cascade moves to: after each number that it filters, the distance to
/// Targets is multiplied by interp_rate, until it is not above interp_threshold: then it is zero.
/// It is zero at once if it is not above interp_threshold at the beginning, or if interp_rate or
/// interp_threshold is zero. [one thread at a time]
VDSP_FUNCTION void vDSP_biquadm_SetTargetsDouble(vDSP_biquadm_Setup __Setup,
                                                 const double *__Targets, float __interp_rate,
                                                 float __interp_threshold,
                                                 vDSP_Length __start_section,
                                                 vDSP_Length __start_channel,
                                                 vDSP_Length __section_count,
                                                 vDSP_Length __channel_count);
VDSP_FUNCTION void vDSP_biquadm_SetTargetsDoubleD(vDSP_biquadm_SetupD __Setup,
                                                  const double *__Targets, double __interp_rate,
                                                  double __interp_threshold,
                                                  vDSP_Length __start_section,
                                                  vDSP_Length __start_channel,
                                                  vDSP_Length __section_count,
                                                  vDSP_Length __channel_count);
VDSP_FUNCTION void vDSP_biquadm_SetTargetsSingle(vDSP_biquadm_Setup __Setup, const float *__Targets,
                                                 float __interp_rate, float __interp_threshold,
                                                 vDSP_Length __start_section,
                                                 vDSP_Length __start_channel,
                                                 vDSP_Length __section_count,
                                                 vDSP_Length __channel_count);
VDSP_FUNCTION void vDSP_biquadm_SetTargetsSingleD(vDSP_biquadm_SetupD __Setup,
                                                  const float *__Targets, double __interp_rate,
                                                  double __interp_threshold,
                                                  vDSP_Length __start_section,
                                                  vDSP_Length __start_channel,
                                                  vDSP_Length __section_count,
                                                  vDSP_Length __channel_count);

/// Chooses the sections that work, with a flag for each; the others pass their input on.
/// [one thread at a time]
VDSP_FUNCTION void vDSP_biquadm_SetActiveFilters(vDSP_biquadm_Setup __Setup,
                                                 const bool *__filter_states);
VDSP_FUNCTION void vDSP_biquadm_SetActiveFiltersD(vDSP_biquadm_SetupD __Setup,
                                                  const bool *__filter_states);

VDSP_END

#endif
