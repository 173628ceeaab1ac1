// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_CHANNEL_LAYOUT_TAGS_H
#define CAUDIOTOOLBOX_AUDIO_CHANNEL_LAYOUT_TAGS_H

#include <CoreFoundation/CoreFoundation.h>

// The labels of channels and the tags of layouts: a part of CoreAudioBaseTypes.h, which includes
// it.

/// The position or role of a channel.
typedef UInt32 AudioChannelLabel;
/// A known layout; the low 16 bits are its number of channels.
typedef UInt32 AudioChannelLayoutTag;

/// Labels of channels.
///
/// `Discrete_n` is 0x10000 | n, and `HOA_ACN_n` is 0x20000 | n, also for n that have no name here.
CF_ENUM(AudioChannelLabel) {
  kAudioChannelLabel_Unknown = 0xffffffff,  ///< Unknown.
  kAudioChannelLabel_Unused = 0,  ///< Not used.
  kAudioChannelLabel_UseCoordinates = 100,  ///< At the coordinates of the description.
  kAudioChannelLabel_Left = 1,  ///< Front left (L).
  kAudioChannelLabel_Right = 2,  ///< Front right (R).
  kAudioChannelLabel_Center = 3,  ///< Front centre (C).
  kAudioChannelLabel_LFEScreen = 4,  ///< Low frequencies (LFE) (LFE).
  kAudioChannelLabel_LeftSurround = 5,  ///< Left surround (Ls).
  kAudioChannelLabel_RightSurround = 6,  ///< Right surround (Rs).
  kAudioChannelLabel_LeftCenter = 7,  ///< Between left and centre (Lc).
  kAudioChannelLabel_RightCenter = 8,  ///< Between right and centre (Rc).
  kAudioChannelLabel_CenterSurround = 9,  ///< Behind the listener (Cs).
  kAudioChannelLabel_LeftSurroundDirect = 10,  ///< Left surround, direct (Lsd).
  kAudioChannelLabel_RightSurroundDirect = 11,  ///< Right surround, direct (Rsd).
  kAudioChannelLabel_TopCenterSurround = 12,  ///< Above the listener (Ts).
  kAudioChannelLabel_VerticalHeightLeft = 13,  ///< Above front left (Vhl).
  kAudioChannelLabel_VerticalHeightCenter = 14,  ///< Above front centre (Vhc).
  kAudioChannelLabel_VerticalHeightRight = 15,  ///< Above front right (Vhr).
  kAudioChannelLabel_TopBackLeft = 16,  ///< Above rear left (Tbl).
  kAudioChannelLabel_TopBackCenter = 17,  ///< Above rear centre (Tbc).
  kAudioChannelLabel_TopBackRight = 18,  ///< Above rear right (Tbr).
  kAudioChannelLabel_RearSurroundLeft = 33,  ///< Rear left (Rls).
  kAudioChannelLabel_RearSurroundRight = 34,  ///< Rear right (Rrs).
  kAudioChannelLabel_LeftWide = 35,  ///< Between left and left surround (Lw).
  kAudioChannelLabel_RightWide = 36,  ///< Between right and right surround (Rw).
  kAudioChannelLabel_LFE2 = 37,  ///< A second channel of low frequencies (LFE2).
  kAudioChannelLabel_LeftTotal = 38,  ///< Left, with a matrixed surround (Lt).
  kAudioChannelLabel_RightTotal = 39,  ///< Right, with a matrixed surround (Rt).
  kAudioChannelLabel_HearingImpaired = 40,  ///< A mix for the hearing impaired (HI).
  kAudioChannelLabel_Narration = 41,  ///< A narrator (N).
  kAudioChannelLabel_Mono = 42,  ///< The only channel (M).
  kAudioChannelLabel_DialogCentricMix = 43,  ///< A mix with louder speech (DCM).
  kAudioChannelLabel_CenterSurroundDirect = 44,  ///< Behind the listener, direct (Csd).
  kAudioChannelLabel_Haptic = 45,  ///< Vibration (Hap).
  kAudioChannelLabel_LeftTopFront = kAudioChannelLabel_VerticalHeightLeft,  ///< As VerticalHeightLeft.
  kAudioChannelLabel_CenterTopFront = kAudioChannelLabel_VerticalHeightCenter,  ///< As VerticalHeightCenter.
  kAudioChannelLabel_RightTopFront = kAudioChannelLabel_VerticalHeightRight,  ///< As VerticalHeightRight.
  kAudioChannelLabel_LeftTopMiddle = 49,  ///< Above the left side (Ltm).
  kAudioChannelLabel_CenterTopMiddle = kAudioChannelLabel_TopCenterSurround,  ///< As TopCenterSurround.
  kAudioChannelLabel_RightTopMiddle = 51,  ///< Above the right side (Rtm).
  kAudioChannelLabel_LeftTopRear = 52,  ///< Above rear left, on the ceiling (Ltr).
  kAudioChannelLabel_CenterTopRear = 53,  ///< Above rear centre, on the ceiling (Ctr).
  kAudioChannelLabel_RightTopRear = 54,  ///< Above rear right, on the ceiling (Rtr).
  kAudioChannelLabel_LeftSideSurround = 55,  ///< Left side.
  kAudioChannelLabel_RightSideSurround = 56,  ///< Right side.
  kAudioChannelLabel_LeftBottom = 57,  ///< Below front left.
  kAudioChannelLabel_RightBottom = 58,  ///< Below front right.
  kAudioChannelLabel_CenterBottom = 59,  ///< Below front centre.
  kAudioChannelLabel_LeftTopSurround = 60,  ///< Above left surround.
  kAudioChannelLabel_RightTopSurround = 61,  ///< Above right surround.
  kAudioChannelLabel_LFE3 = 62,  ///< A third channel of low frequencies.
  kAudioChannelLabel_LeftBackSurround = 63,  ///< Rear left surround.
  kAudioChannelLabel_RightBackSurround = 64,  ///< Rear right surround.
  kAudioChannelLabel_LeftEdgeOfScreen = 65,  ///< The left edge of the screen.
  kAudioChannelLabel_RightEdgeOfScreen = 66,  ///< The right edge of the screen.
  kAudioChannelLabel_Ambisonic_W = 200,  ///< Ambisonic B-format: pressure (aW).
  kAudioChannelLabel_Ambisonic_X = 201,  ///< Ambisonic B-format: front minus back (aX).
  kAudioChannelLabel_Ambisonic_Y = 202,  ///< Ambisonic B-format: left minus right (aY).
  kAudioChannelLabel_Ambisonic_Z = 203,  ///< Ambisonic B-format: up minus down (aZ).
  kAudioChannelLabel_MS_Mid = 204,  ///< Mid: the sum of left and right (Mid).
  kAudioChannelLabel_MS_Side = 205,  ///< Side: the difference of left and right (Side).
  kAudioChannelLabel_XY_X = 206,  ///< The X microphone of an XY pair (X).
  kAudioChannelLabel_XY_Y = 207,  ///< The Y microphone of an XY pair (Y).
  kAudioChannelLabel_BinauralLeft = 208,  ///< The left ear, with the filter of a head (Bl).
  kAudioChannelLabel_BinauralRight = 209,  ///< The right ear, with the filter of a head (Br).
  kAudioChannelLabel_HeadphonesLeft = 301,  ///< The left headphone (Hl).
  kAudioChannelLabel_HeadphonesRight = 302,  ///< The right headphone (Hr).
  kAudioChannelLabel_ClickTrack = 304,  ///< A metronome (Clk).
  kAudioChannelLabel_ForeignLanguage = 305,  ///< Speech in another language (FL).
  kAudioChannelLabel_Discrete = 400,  ///< No position; the order of the channels counts.
  kAudioChannelLabel_Discrete_0 = 0x00010000,  ///< Channel 0, counted from 0, without a position.
  kAudioChannelLabel_Discrete_1 = 0x00010001,  ///< Channel 1, counted from 0, without a position.
  kAudioChannelLabel_Discrete_2 = 0x00010002,  ///< Channel 2, counted from 0, without a position.
  kAudioChannelLabel_Discrete_3 = 0x00010003,  ///< Channel 3, counted from 0, without a position.
  kAudioChannelLabel_Discrete_4 = 0x00010004,  ///< Channel 4, counted from 0, without a position.
  kAudioChannelLabel_Discrete_5 = 0x00010005,  ///< Channel 5, counted from 0, without a position.
  kAudioChannelLabel_Discrete_6 = 0x00010006,  ///< Channel 6, counted from 0, without a position.
  kAudioChannelLabel_Discrete_7 = 0x00010007,  ///< Channel 7, counted from 0, without a position.
  kAudioChannelLabel_Discrete_8 = 0x00010008,  ///< Channel 8, counted from 0, without a position.
  kAudioChannelLabel_Discrete_9 = 0x00010009,  ///< Channel 9, counted from 0, without a position.
  kAudioChannelLabel_Discrete_10 = 0x0001000a,  ///< Channel 10, counted from 0, without a position.
  kAudioChannelLabel_Discrete_11 = 0x0001000b,  ///< Channel 11, counted from 0, without a position.
  kAudioChannelLabel_Discrete_12 = 0x0001000c,  ///< Channel 12, counted from 0, without a position.
  kAudioChannelLabel_Discrete_13 = 0x0001000d,  ///< Channel 13, counted from 0, without a position.
  kAudioChannelLabel_Discrete_14 = 0x0001000e,  ///< Channel 14, counted from 0, without a position.
  kAudioChannelLabel_Discrete_15 = 0x0001000f,  ///< Channel 15, counted from 0, without a position.
  kAudioChannelLabel_Discrete_65535 = 0x0001ffff,  ///< Channel 65535, counted from 0, without a position.
  kAudioChannelLabel_HOA_ACN = 500,  ///< Ambisonics; the order of the channels is that of ACN.
  kAudioChannelLabel_HOA_ACN_0 = 0x00020000,  ///< Ambisonic component 0: degree 0, index 0.
  kAudioChannelLabel_HOA_ACN_1 = 0x00020001,  ///< Ambisonic component 1: degree 1, index -1.
  kAudioChannelLabel_HOA_ACN_2 = 0x00020002,  ///< Ambisonic component 2: degree 1, index 0.
  kAudioChannelLabel_HOA_ACN_3 = 0x00020003,  ///< Ambisonic component 3: degree 1, index 1.
  kAudioChannelLabel_HOA_ACN_4 = 0x00020004,  ///< Ambisonic component 4: degree 2, index -2.
  kAudioChannelLabel_HOA_ACN_5 = 0x00020005,  ///< Ambisonic component 5: degree 2, index -1.
  kAudioChannelLabel_HOA_ACN_6 = 0x00020006,  ///< Ambisonic component 6: degree 2, index 0.
  kAudioChannelLabel_HOA_ACN_7 = 0x00020007,  ///< Ambisonic component 7: degree 2, index 1.
  kAudioChannelLabel_HOA_ACN_8 = 0x00020008,  ///< Ambisonic component 8: degree 2, index 2.
  kAudioChannelLabel_HOA_ACN_9 = 0x00020009,  ///< Ambisonic component 9: degree 3, index -3.
  kAudioChannelLabel_HOA_ACN_10 = 0x0002000a,  ///< Ambisonic component 10: degree 3, index -2.
  kAudioChannelLabel_HOA_ACN_11 = 0x0002000b,  ///< Ambisonic component 11: degree 3, index -1.
  kAudioChannelLabel_HOA_ACN_12 = 0x0002000c,  ///< Ambisonic component 12: degree 3, index 0.
  kAudioChannelLabel_HOA_ACN_13 = 0x0002000d,  ///< Ambisonic component 13: degree 3, index 1.
  kAudioChannelLabel_HOA_ACN_14 = 0x0002000e,  ///< Ambisonic component 14: degree 3, index 2.
  kAudioChannelLabel_HOA_ACN_15 = 0x0002000f,  ///< Ambisonic component 15: degree 3, index 3.
  kAudioChannelLabel_HOA_ACN_65024 = 0x0002fe00,  ///< Ambisonic component 65024: degree 254, index 254.
  kAudioChannelLabel_HOA_SN3D = kAudioChannelLabel_HOA_ACN_0,  ///< The first SN3D component, as HOA_ACN_0.
  kAudioChannelLabel_HOA_N3D = 0x00030000,  ///< The first N3D component; add its ACN number.
  kAudioChannelLabel_Object = 0x00040000,  ///< The first object; add its number.
  kAudioChannelLabel_BeginReserved = 0xf0000000,  ///< The first number that is never a label.
  kAudioChannelLabel_EndReserved = 0xfffffffe  ///< The last number that is never a label.
};

/// Channels of a layout as bits, in the order of wave files.
typedef CF_OPTIONS(UInt32, AudioChannelBitmap) {
  kAudioChannelBit_Left = 0x00000001,  ///< Front left.
  kAudioChannelBit_Right = 0x00000002,  ///< Front right.
  kAudioChannelBit_Center = 0x00000004,  ///< Front centre.
  kAudioChannelBit_LFEScreen = 0x00000008,  ///< Low frequencies (LFE).
  kAudioChannelBit_LeftSurround = 0x00000010,  ///< Left surround.
  kAudioChannelBit_RightSurround = 0x00000020,  ///< Right surround.
  kAudioChannelBit_LeftCenter = 0x00000040,  ///< Between left and centre.
  kAudioChannelBit_RightCenter = 0x00000080,  ///< Between right and centre.
  kAudioChannelBit_CenterSurround = 0x00000100,  ///< Behind the listener.
  kAudioChannelBit_LeftSurroundDirect = 0x00000200,  ///< Left surround, direct.
  kAudioChannelBit_RightSurroundDirect = 0x00000400,  ///< Right surround, direct.
  kAudioChannelBit_TopCenterSurround = 0x00000800,  ///< Above the listener.
  kAudioChannelBit_VerticalHeightLeft = 0x00001000,  ///< Above front left.
  kAudioChannelBit_VerticalHeightCenter = 0x00002000,  ///< Above front centre.
  kAudioChannelBit_VerticalHeightRight = 0x00004000,  ///< Above front right.
  kAudioChannelBit_TopBackLeft = 0x00008000,  ///< Above rear left.
  kAudioChannelBit_TopBackCenter = 0x00010000,  ///< Above rear centre.
  kAudioChannelBit_TopBackRight = 0x00020000,  ///< Above rear right.
  kAudioChannelBit_LeftTopFront = kAudioChannelBit_VerticalHeightLeft,  ///< As VerticalHeightLeft.
  kAudioChannelBit_CenterTopFront = kAudioChannelBit_VerticalHeightCenter,  ///< As VerticalHeightCenter.
  kAudioChannelBit_RightTopFront = kAudioChannelBit_VerticalHeightRight,  ///< As VerticalHeightRight.
  kAudioChannelBit_LeftTopMiddle = 0x00200000,  ///< Above the left side.
  kAudioChannelBit_CenterTopMiddle = kAudioChannelBit_TopCenterSurround,  ///< As TopCenterSurround.
  kAudioChannelBit_RightTopMiddle = 0x00800000,  ///< Above the right side.
  kAudioChannelBit_LeftTopRear = 0x01000000,  ///< Above rear left, on the ceiling.
  kAudioChannelBit_CenterTopRear = 0x02000000,  ///< Above rear centre, on the ceiling.
  kAudioChannelBit_RightTopRear = 0x04000000  ///< Above rear right, on the ceiling.
};

/// The coordinate system of a channel's position.
typedef CF_OPTIONS(UInt32, AudioChannelFlags) {
  /// No coordinates.
  kAudioChannelFlags_AllOff = 0,
  /// Left to right, back to front, down to up.
  kAudioChannelFlags_RectangularCoordinates = 1U << 0,
  /// Azimuth and elevation in degrees, and distance.
  kAudioChannelFlags_SphericalCoordinates = 1U << 1,
  /// The unit of distance is the meter; otherwise distances are relative.
  kAudioChannelFlags_Meters = 1U << 2
};

/// Indices into the coordinates of a channel: rectangular, then spherical.
typedef CF_ENUM(UInt32, AudioChannelCoordinateIndex) {
  kAudioChannelCoordinates_LeftRight = 0,  ///< -1 is left, 1 is right.
  kAudioChannelCoordinates_BackFront = 1,  ///< -1 is behind, 1 is in front.
  kAudioChannelCoordinates_DownUp = 2,     ///< -1 is below, 1 is above.
  kAudioChannelCoordinates_Azimuth = 0,    ///< Degrees clockwise from the front.
  kAudioChannelCoordinates_Elevation = 1,  ///< Degrees upwards.
  kAudioChannelCoordinates_Distance = 2    ///< Relative, or in meters.
};

/// Known layouts. The low 16 bits of a tag count its channels. The channels are
/// listed in their order, by the short names in brackets above: L R C is left, right, centre.
CF_ENUM(AudioChannelLayoutTag) {
  kAudioChannelLayoutTag_UseChannelDescriptions = 0x00000000,  ///< The channel descriptions are the layout.
  kAudioChannelLayoutTag_UseChannelBitmap = 0x00010000,  ///< The bitmap is the layout.
  kAudioChannelLayoutTag_Mono = 0x00640001,  ///< One channel.
  kAudioChannelLayoutTag_Stereo = 0x00650002,  ///< L R.
  kAudioChannelLayoutTag_StereoHeadphones = 0x00660002,  ///< Hl Hr.
  kAudioChannelLayoutTag_MatrixStereo = 0x00670002,  ///< Lt Rt.
  kAudioChannelLayoutTag_MidSide = 0x00680002,  ///< Mid Side.
  kAudioChannelLayoutTag_XY = 0x00690002,  ///< X Y.
  kAudioChannelLayoutTag_Binaural = 0x006a0002,  ///< Bl Br.
  kAudioChannelLayoutTag_Ambisonic_B_Format = 0x006b0004,  ///< aW aX aY aZ.
  kAudioChannelLayoutTag_Quadraphonic = 0x006c0004,  ///< L R Ls Rs.
  kAudioChannelLayoutTag_Pentagonal = 0x006d0005,  ///< L R Ls Rs C.
  kAudioChannelLayoutTag_Hexagonal = 0x006e0006,  ///< L R Ls Rs C Cs.
  kAudioChannelLayoutTag_Octagonal = 0x006f0008,  ///< L R Rls Rrs C Cs Ls Rs.
  kAudioChannelLayoutTag_Cube = 0x00700008,  ///< L R Ls Rs Vhl Vhr Ltr Rtr.
  kAudioChannelLayoutTag_MPEG_1_0 = kAudioChannelLayoutTag_Mono,  ///< One channel.
  kAudioChannelLayoutTag_MPEG_2_0 = kAudioChannelLayoutTag_Stereo,  ///< L R.
  kAudioChannelLayoutTag_MPEG_3_0_A = 0x00710003,  ///< L R C.
  kAudioChannelLayoutTag_MPEG_3_0_B = 0x00720003,  ///< C L R.
  kAudioChannelLayoutTag_MPEG_4_0_A = 0x00730004,  ///< L R C Cs.
  kAudioChannelLayoutTag_MPEG_4_0_B = 0x00740004,  ///< C L R Cs.
  kAudioChannelLayoutTag_MPEG_5_0_A = 0x00750005,  ///< L R C Ls Rs.
  kAudioChannelLayoutTag_MPEG_5_0_B = 0x00760005,  ///< L R Ls Rs C.
  kAudioChannelLayoutTag_MPEG_5_0_C = 0x00770005,  ///< L C R Ls Rs.
  kAudioChannelLayoutTag_MPEG_5_0_D = 0x00780005,  ///< C L R Ls Rs.
  kAudioChannelLayoutTag_MPEG_5_1_A = 0x00790006,  ///< L R C LFE Ls Rs.
  kAudioChannelLayoutTag_MPEG_5_1_B = 0x007a0006,  ///< L R Ls Rs C LFE.
  kAudioChannelLayoutTag_MPEG_5_1_C = 0x007b0006,  ///< L C R Ls Rs LFE.
  kAudioChannelLayoutTag_MPEG_5_1_D = 0x007c0006,  ///< C L R Ls Rs LFE.
  kAudioChannelLayoutTag_MPEG_6_1_A = 0x007d0007,  ///< L R C LFE Ls Rs Cs.
  kAudioChannelLayoutTag_MPEG_7_1_A = 0x007e0008,  ///< L R C LFE Ls Rs Lc Rc.
  kAudioChannelLayoutTag_MPEG_7_1_B = 0x007f0008,  ///< C Lc Rc L R Ls Rs LFE.
  kAudioChannelLayoutTag_MPEG_7_1_C = 0x00800008,  ///< L R C LFE Ls Rs Rls Rrs.
  kAudioChannelLayoutTag_Emagic_Default_7_1 = 0x00810008,  ///< L R Ls Rs C LFE Lc Rc.
  kAudioChannelLayoutTag_SMPTE_DTV = 0x00820008,  ///< L R C LFE Ls Rs Lt Rt.
  kAudioChannelLayoutTag_ITU_1_0 = kAudioChannelLayoutTag_Mono,  ///< One channel.
  kAudioChannelLayoutTag_ITU_2_0 = kAudioChannelLayoutTag_Stereo,  ///< L R.
  kAudioChannelLayoutTag_ITU_2_1 = 0x00830003,  ///< L R Cs.
  kAudioChannelLayoutTag_ITU_2_2 = 0x00840004,  ///< L R Ls Rs.
  kAudioChannelLayoutTag_ITU_3_0 = kAudioChannelLayoutTag_MPEG_3_0_A,  ///< L R C.
  kAudioChannelLayoutTag_ITU_3_1 = kAudioChannelLayoutTag_MPEG_4_0_A,  ///< L R C Cs.
  kAudioChannelLayoutTag_ITU_3_2 = kAudioChannelLayoutTag_MPEG_5_0_A,  ///< L R C Ls Rs.
  kAudioChannelLayoutTag_ITU_3_2_1 = kAudioChannelLayoutTag_MPEG_5_1_A,  ///< L R C LFE Ls Rs.
  kAudioChannelLayoutTag_ITU_3_4_1 = kAudioChannelLayoutTag_MPEG_7_1_C,  ///< L R C LFE Ls Rs Rls Rrs.
  kAudioChannelLayoutTag_DVD_0 = kAudioChannelLayoutTag_Mono,  ///< One channel.
  kAudioChannelLayoutTag_DVD_1 = kAudioChannelLayoutTag_Stereo,  ///< L R.
  kAudioChannelLayoutTag_DVD_2 = kAudioChannelLayoutTag_ITU_2_1,  ///< L R Cs.
  kAudioChannelLayoutTag_DVD_3 = kAudioChannelLayoutTag_ITU_2_2,  ///< L R Ls Rs.
  kAudioChannelLayoutTag_DVD_4 = 0x00850003,  ///< L R LFE.
  kAudioChannelLayoutTag_DVD_5 = 0x00860004,  ///< L R LFE Cs.
  kAudioChannelLayoutTag_DVD_6 = 0x00870005,  ///< L R LFE Ls Rs.
  kAudioChannelLayoutTag_DVD_7 = kAudioChannelLayoutTag_MPEG_3_0_A,  ///< L R C.
  kAudioChannelLayoutTag_DVD_8 = kAudioChannelLayoutTag_MPEG_4_0_A,  ///< L R C Cs.
  kAudioChannelLayoutTag_DVD_9 = kAudioChannelLayoutTag_MPEG_5_0_A,  ///< L R C Ls Rs.
  kAudioChannelLayoutTag_DVD_10 = 0x00880004,  ///< L R C LFE.
  kAudioChannelLayoutTag_DVD_11 = 0x00890005,  ///< L R C LFE Cs.
  kAudioChannelLayoutTag_DVD_12 = kAudioChannelLayoutTag_MPEG_5_1_A,  ///< L R C LFE Ls Rs.
  kAudioChannelLayoutTag_DVD_13 = kAudioChannelLayoutTag_DVD_8,  ///< L R C Cs.
  kAudioChannelLayoutTag_DVD_14 = kAudioChannelLayoutTag_DVD_9,  ///< L R C Ls Rs.
  kAudioChannelLayoutTag_DVD_15 = kAudioChannelLayoutTag_DVD_10,  ///< L R C LFE.
  kAudioChannelLayoutTag_DVD_16 = kAudioChannelLayoutTag_DVD_11,  ///< L R C LFE Cs.
  kAudioChannelLayoutTag_DVD_17 = kAudioChannelLayoutTag_DVD_12,  ///< L R C LFE Ls Rs.
  kAudioChannelLayoutTag_DVD_18 = 0x008a0005,  ///< L R Ls Rs LFE.
  kAudioChannelLayoutTag_DVD_19 = kAudioChannelLayoutTag_MPEG_5_0_B,  ///< L R Ls Rs C.
  kAudioChannelLayoutTag_DVD_20 = kAudioChannelLayoutTag_MPEG_5_1_B,  ///< L R Ls Rs C LFE.
  kAudioChannelLayoutTag_AudioUnit_4 = kAudioChannelLayoutTag_Quadraphonic,  ///< L R Ls Rs.
  kAudioChannelLayoutTag_AudioUnit_5 = kAudioChannelLayoutTag_Pentagonal,  ///< L R Ls Rs C.
  kAudioChannelLayoutTag_AudioUnit_6 = kAudioChannelLayoutTag_Hexagonal,  ///< L R Ls Rs C Cs.
  kAudioChannelLayoutTag_AudioUnit_8 = kAudioChannelLayoutTag_Octagonal,  ///< L R Rls Rrs C Cs Ls Rs.
  kAudioChannelLayoutTag_AudioUnit_5_0 = kAudioChannelLayoutTag_MPEG_5_0_B,  ///< L R Ls Rs C.
  kAudioChannelLayoutTag_AudioUnit_6_0 = 0x008b0006,  ///< L R Ls Rs C Cs.
  kAudioChannelLayoutTag_AudioUnit_7_0 = 0x008c0007,  ///< L R Ls Rs C Rls Rrs.
  kAudioChannelLayoutTag_AudioUnit_7_0_Front = 0x00940007,  ///< L R Ls Rs C Lc Rc.
  kAudioChannelLayoutTag_AudioUnit_5_1 = kAudioChannelLayoutTag_MPEG_5_1_A,  ///< L R C LFE Ls Rs.
  kAudioChannelLayoutTag_AudioUnit_6_1 = kAudioChannelLayoutTag_MPEG_6_1_A,  ///< L R C LFE Ls Rs Cs.
  kAudioChannelLayoutTag_AudioUnit_7_1 = kAudioChannelLayoutTag_MPEG_7_1_C,  ///< L R C LFE Ls Rs Rls Rrs.
  kAudioChannelLayoutTag_AudioUnit_7_1_Front = kAudioChannelLayoutTag_MPEG_7_1_A,  ///< L R C LFE Ls Rs Lc Rc.
  kAudioChannelLayoutTag_AAC_3_0 = kAudioChannelLayoutTag_MPEG_3_0_B,  ///< C L R.
  kAudioChannelLayoutTag_AAC_Quadraphonic = kAudioChannelLayoutTag_Quadraphonic,  ///< L R Ls Rs.
  kAudioChannelLayoutTag_AAC_4_0 = kAudioChannelLayoutTag_MPEG_4_0_B,  ///< C L R Cs.
  kAudioChannelLayoutTag_AAC_5_0 = kAudioChannelLayoutTag_MPEG_5_0_D,  ///< C L R Ls Rs.
  kAudioChannelLayoutTag_AAC_5_1 = kAudioChannelLayoutTag_MPEG_5_1_D,  ///< C L R Ls Rs LFE.
  kAudioChannelLayoutTag_AAC_6_0 = 0x008d0006,  ///< C L R Ls Rs Cs.
  kAudioChannelLayoutTag_AAC_6_1 = 0x008e0007,  ///< C L R Ls Rs Cs LFE.
  kAudioChannelLayoutTag_AAC_7_0 = 0x008f0007,  ///< C L R Ls Rs Rls Rrs.
  kAudioChannelLayoutTag_AAC_7_1 = kAudioChannelLayoutTag_MPEG_7_1_B,  ///< C Lc Rc L R Ls Rs LFE.
  kAudioChannelLayoutTag_AAC_7_1_B = 0x00b70008,  ///< C L R Ls Rs Rls Rrs LFE.
  kAudioChannelLayoutTag_AAC_7_1_C = 0x00b80008,  ///< C L R Ls Rs LFE Vhl Vhr.
  kAudioChannelLayoutTag_AAC_Octagonal = 0x00900008,  ///< C L R Ls Rs Rls Rrs Cs.
  /// L R C Vhc Lsd Rsd Ls Rs Vhl Vhr Lw Rw Csd Cs LFE LFE2.
  kAudioChannelLayoutTag_TMH_10_2_std = 0x00910010,
  kAudioChannelLayoutTag_TMH_10_2_full = 0x00920015,  ///< 21 channels: those of TMH_10_2_std and five more.
  kAudioChannelLayoutTag_AC3_1_0_1 = 0x00950002,  ///< C LFE.
  kAudioChannelLayoutTag_AC3_3_0 = 0x00960003,  ///< L C R.
  kAudioChannelLayoutTag_AC3_3_1 = 0x00970004,  ///< L C R Cs.
  kAudioChannelLayoutTag_AC3_3_0_1 = 0x00980004,  ///< L C R LFE.
  kAudioChannelLayoutTag_AC3_2_1_1 = 0x00990004,  ///< L R Cs LFE.
  kAudioChannelLayoutTag_AC3_3_1_1 = 0x009a0005,  ///< L C R Cs LFE.
  kAudioChannelLayoutTag_EAC_6_0_A = 0x009b0006,  ///< L C R Ls Rs Cs.
  kAudioChannelLayoutTag_EAC_7_0_A = 0x009c0007,  ///< L C R Ls Rs Rls Rrs.
  kAudioChannelLayoutTag_EAC3_6_1_A = 0x009d0007,  ///< L C R Ls Rs LFE Cs.
  kAudioChannelLayoutTag_EAC3_6_1_B = 0x009e0007,  ///< L C R Ls Rs LFE Ts.
  kAudioChannelLayoutTag_EAC3_6_1_C = 0x009f0007,  ///< L C R Ls Rs LFE Vhc.
  kAudioChannelLayoutTag_EAC3_7_1_A = 0x00a00008,  ///< L C R Ls Rs LFE Rls Rrs.
  kAudioChannelLayoutTag_EAC3_7_1_B = 0x00a10008,  ///< L C R Ls Rs LFE Lc Rc.
  kAudioChannelLayoutTag_EAC3_7_1_C = 0x00a20008,  ///< L C R Ls Rs LFE Lsd Rsd.
  kAudioChannelLayoutTag_EAC3_7_1_D = 0x00a30008,  ///< L C R Ls Rs LFE Lw Rw.
  kAudioChannelLayoutTag_EAC3_7_1_E = 0x00a40008,  ///< L C R Ls Rs LFE Vhl Vhr.
  kAudioChannelLayoutTag_EAC3_7_1_F = 0x00a50008,  ///< L C R Ls Rs LFE Cs Ts.
  kAudioChannelLayoutTag_EAC3_7_1_G = 0x00a60008,  ///< L C R Ls Rs LFE Cs Vhc.
  kAudioChannelLayoutTag_EAC3_7_1_H = 0x00a70008,  ///< L C R Ls Rs LFE Ts Vhc.
  kAudioChannelLayoutTag_DTS_3_1 = 0x00a80004,  ///< C L R LFE.
  kAudioChannelLayoutTag_DTS_4_1 = 0x00a90005,  ///< C L R Cs LFE.
  kAudioChannelLayoutTag_DTS_6_0_A = 0x00aa0006,  ///< Lc Rc L R Ls Rs.
  kAudioChannelLayoutTag_DTS_6_0_B = 0x00ab0006,  ///< C L R Rls Rrs Ts.
  kAudioChannelLayoutTag_DTS_6_0_C = 0x00ac0006,  ///< C Cs L R Rls Rrs.
  kAudioChannelLayoutTag_DTS_6_1_A = 0x00ad0007,  ///< Lc Rc L R Ls Rs LFE.
  kAudioChannelLayoutTag_DTS_6_1_B = 0x00ae0007,  ///< C L R Rls Rrs Ts LFE.
  kAudioChannelLayoutTag_DTS_6_1_C = 0x00af0007,  ///< C Cs L R Rls Rrs LFE.
  kAudioChannelLayoutTag_DTS_7_0 = 0x00b00007,  ///< Lc C Rc L R Ls Rs.
  kAudioChannelLayoutTag_DTS_7_1 = 0x00b10008,  ///< Lc C Rc L R Ls Rs LFE.
  kAudioChannelLayoutTag_DTS_8_0_A = 0x00b20008,  ///< Lc Rc L R Ls Rs Rls Rrs.
  kAudioChannelLayoutTag_DTS_8_0_B = 0x00b30008,  ///< Lc C Rc L R Ls Cs Rs.
  kAudioChannelLayoutTag_DTS_8_1_A = 0x00b40009,  ///< Lc Rc L R Ls Rs Rls Rrs LFE.
  kAudioChannelLayoutTag_DTS_8_1_B = 0x00b50009,  ///< Lc C Rc L R Ls Cs Rs LFE.
  kAudioChannelLayoutTag_DTS_6_1_D = 0x00b60007,  ///< C L R Ls Rs LFE Cs.
  kAudioChannelLayoutTag_WAVE_2_1 = kAudioChannelLayoutTag_DVD_4,  ///< L R LFE.
  kAudioChannelLayoutTag_WAVE_3_0 = kAudioChannelLayoutTag_MPEG_3_0_A,  ///< L R C.
  kAudioChannelLayoutTag_WAVE_4_0_A = kAudioChannelLayoutTag_ITU_2_2,  ///< L R Ls Rs.
  kAudioChannelLayoutTag_WAVE_4_0_B = 0x00b90004,  ///< L R Rls Rrs.
  kAudioChannelLayoutTag_WAVE_5_0_A = kAudioChannelLayoutTag_MPEG_5_0_A,  ///< L R C Ls Rs.
  kAudioChannelLayoutTag_WAVE_5_0_B = 0x00ba0005,  ///< L R C Rls Rrs.
  kAudioChannelLayoutTag_WAVE_5_1_A = kAudioChannelLayoutTag_MPEG_5_1_A,  ///< L R C LFE Ls Rs.
  kAudioChannelLayoutTag_WAVE_5_1_B = 0x00bb0006,  ///< L R C LFE Rls Rrs.
  kAudioChannelLayoutTag_WAVE_6_1 = 0x00bc0007,  ///< L R C LFE Cs Ls Rs.
  kAudioChannelLayoutTag_WAVE_7_1 = 0x00bd0008,  ///< L R C LFE Rls Rrs Ls Rs.
  /// Ambisonics in ACN order, SN3D; add the number of channels.
  kAudioChannelLayoutTag_HOA_ACN_SN3D = 0x00be0000,
  /// Ambisonics in ACN order, N3D; add the number of channels.
  kAudioChannelLayoutTag_HOA_ACN_N3D = 0x00bf0000,
  kAudioChannelLayoutTag_Atmos_5_1_2 = 0x00c20008,  ///< L R C LFE Ls Rs Ltm Rtm.
  kAudioChannelLayoutTag_Atmos_5_1_4 = 0x00c3000a,  ///< L R C LFE Ls Rs Vhl Vhr Ltr Rtr.
  kAudioChannelLayoutTag_Atmos_7_1_2 = 0x00c4000a,  ///< L R C LFE Ls Rs Rls Rrs Ltm Rtm.
  kAudioChannelLayoutTag_Atmos_7_1_4 = 0x00c0000c,  ///< L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr.
  /// L R C LFE Ls Rs Rls Rrs Lw Rw Vhl Vhr Ltm Rtm Ltr Rtr.
  kAudioChannelLayoutTag_Atmos_9_1_6 = 0x00c10010,
  kAudioChannelLayoutTag_Logic_Mono = kAudioChannelLayoutTag_Mono,  ///< One channel.
  kAudioChannelLayoutTag_Logic_Stereo = kAudioChannelLayoutTag_Stereo,  ///< L R.
  kAudioChannelLayoutTag_Logic_Quadraphonic = kAudioChannelLayoutTag_Quadraphonic,  ///< L R Ls Rs.
  kAudioChannelLayoutTag_Logic_4_0_A = kAudioChannelLayoutTag_MPEG_4_0_A,  ///< L R C Cs.
  kAudioChannelLayoutTag_Logic_4_0_B = kAudioChannelLayoutTag_MPEG_4_0_B,  ///< C L R Cs.
  kAudioChannelLayoutTag_Logic_4_0_C = 0x00c50004,  ///< 4 channels; their order is not known here.
  kAudioChannelLayoutTag_Logic_5_0_A = kAudioChannelLayoutTag_MPEG_5_0_A,  ///< L R C Ls Rs.
  kAudioChannelLayoutTag_Logic_5_0_B = kAudioChannelLayoutTag_MPEG_5_0_B,  ///< L R Ls Rs C.
  kAudioChannelLayoutTag_Logic_5_0_C = kAudioChannelLayoutTag_MPEG_5_0_C,  ///< L C R Ls Rs.
  kAudioChannelLayoutTag_Logic_5_0_D = kAudioChannelLayoutTag_MPEG_5_0_D,  ///< C L R Ls Rs.
  kAudioChannelLayoutTag_Logic_5_1_A = kAudioChannelLayoutTag_MPEG_5_1_A,  ///< L R C LFE Ls Rs.
  kAudioChannelLayoutTag_Logic_5_1_B = kAudioChannelLayoutTag_MPEG_5_1_B,  ///< L R Ls Rs C LFE.
  kAudioChannelLayoutTag_Logic_5_1_C = kAudioChannelLayoutTag_MPEG_5_1_C,  ///< L C R Ls Rs LFE.
  kAudioChannelLayoutTag_Logic_5_1_D = kAudioChannelLayoutTag_MPEG_5_1_D,  ///< C L R Ls Rs LFE.
  kAudioChannelLayoutTag_Logic_6_0_A = kAudioChannelLayoutTag_AAC_6_0,  ///< C L R Ls Rs Cs.
  kAudioChannelLayoutTag_Logic_6_0_B = 0x00c60006,  ///< 6 channels; their order is not known here.
  kAudioChannelLayoutTag_Logic_6_0_C = kAudioChannelLayoutTag_AudioUnit_6_0,  ///< L R Ls Rs C Cs.
  kAudioChannelLayoutTag_Logic_6_1_A = kAudioChannelLayoutTag_AAC_6_1,  ///< C L R Ls Rs Cs LFE.
  kAudioChannelLayoutTag_Logic_6_1_B = 0x00c70007,  ///< 7 channels; their order is not known here.
  kAudioChannelLayoutTag_Logic_6_1_C = kAudioChannelLayoutTag_MPEG_6_1_A,  ///< L R C LFE Ls Rs Cs.
  kAudioChannelLayoutTag_Logic_6_1_D = 0x00c80007,  ///< 7 channels; their order is not known here.
  kAudioChannelLayoutTag_Logic_7_1_A = kAudioChannelLayoutTag_AudioUnit_7_1,  ///< L R C LFE Ls Rs Rls Rrs.
  kAudioChannelLayoutTag_Logic_7_1_B = 0x00c90008,  ///< 8 channels; their order is not known here.
  kAudioChannelLayoutTag_Logic_7_1_C = kAudioChannelLayoutTag_MPEG_7_1_C,  ///< L R C LFE Ls Rs Rls Rrs.
  kAudioChannelLayoutTag_Logic_7_1_SDDS_A = kAudioChannelLayoutTag_MPEG_7_1_A,  ///< L R C LFE Ls Rs Lc Rc.
  kAudioChannelLayoutTag_Logic_7_1_SDDS_B = kAudioChannelLayoutTag_MPEG_7_1_B,  ///< C Lc Rc L R Ls Rs LFE.
  /// As Emagic_Default_7_1.
  kAudioChannelLayoutTag_Logic_7_1_SDDS_C = kAudioChannelLayoutTag_Emagic_Default_7_1,
  kAudioChannelLayoutTag_Logic_Atmos_5_1_2 = kAudioChannelLayoutTag_Atmos_5_1_2,  ///< As Atmos_5_1_2.
  kAudioChannelLayoutTag_Logic_Atmos_5_1_4 = kAudioChannelLayoutTag_Atmos_5_1_4,  ///< As Atmos_5_1_4.
  kAudioChannelLayoutTag_Logic_Atmos_7_1_2 = kAudioChannelLayoutTag_Atmos_7_1_2,  ///< As Atmos_7_1_2.
  kAudioChannelLayoutTag_Logic_Atmos_7_1_4_A = kAudioChannelLayoutTag_Atmos_7_1_4,  ///< As Atmos_7_1_4.
  kAudioChannelLayoutTag_Logic_Atmos_7_1_4_B = 0x00ca000c,  ///< 12 channels; their order is not known here.
  kAudioChannelLayoutTag_Logic_Atmos_7_1_6 = 0x00cb000e,  ///< 14 channels; their order is not known here.
  kAudioChannelLayoutTag_DiscreteInOrder = 0x00930000,  ///< Channels without positions; add their number.
  kAudioChannelLayoutTag_CICP_1 = kAudioChannelLayoutTag_MPEG_1_0,  ///< One channel.
  kAudioChannelLayoutTag_CICP_2 = kAudioChannelLayoutTag_MPEG_2_0,  ///< L R.
  kAudioChannelLayoutTag_CICP_3 = kAudioChannelLayoutTag_MPEG_3_0_A,  ///< L R C.
  kAudioChannelLayoutTag_CICP_4 = kAudioChannelLayoutTag_MPEG_4_0_A,  ///< L R C Cs.
  kAudioChannelLayoutTag_CICP_5 = kAudioChannelLayoutTag_MPEG_5_0_A,  ///< L R C Ls Rs.
  kAudioChannelLayoutTag_CICP_6 = kAudioChannelLayoutTag_MPEG_5_1_A,  ///< L R C LFE Ls Rs.
  kAudioChannelLayoutTag_CICP_7 = kAudioChannelLayoutTag_MPEG_7_1_B,  ///< C Lc Rc L R Ls Rs LFE.
  kAudioChannelLayoutTag_CICP_9 = kAudioChannelLayoutTag_ITU_2_1,  ///< L R Cs.
  kAudioChannelLayoutTag_CICP_10 = kAudioChannelLayoutTag_ITU_2_2,  ///< L R Ls Rs.
  kAudioChannelLayoutTag_CICP_11 = kAudioChannelLayoutTag_MPEG_6_1_A,  ///< L R C LFE Ls Rs Cs.
  kAudioChannelLayoutTag_CICP_12 = kAudioChannelLayoutTag_MPEG_7_1_C,  ///< L R C LFE Ls Rs Rls Rrs.
  kAudioChannelLayoutTag_CICP_13 = 0x00cc0018,  ///< 24 channels; their order is not known here.
  kAudioChannelLayoutTag_CICP_14 = 0x00cd0008,  ///< 8 channels; their order is not known here.
  kAudioChannelLayoutTag_CICP_15 = 0x00ce000c,  ///< 12 channels; their order is not known here.
  kAudioChannelLayoutTag_CICP_16 = 0x00cf000a,  ///< 10 channels; their order is not known here.
  kAudioChannelLayoutTag_CICP_17 = 0x00d0000c,  ///< 12 channels; their order is not known here.
  kAudioChannelLayoutTag_CICP_18 = 0x00d1000e,  ///< 14 channels; their order is not known here.
  kAudioChannelLayoutTag_CICP_19 = 0x00d2000c,  ///< 12 channels; their order is not known here.
  kAudioChannelLayoutTag_CICP_20 = 0x00d3000e,  ///< 14 channels; their order is not known here.
  kAudioChannelLayoutTag_Ogg_3_0 = kAudioChannelLayoutTag_AC3_3_0,  ///< L C R.
  kAudioChannelLayoutTag_Ogg_4_0 = kAudioChannelLayoutTag_WAVE_4_0_B,  ///< L R Rls Rrs.
  kAudioChannelLayoutTag_Ogg_5_0 = 0x00d40005,  ///< L C R Rls Rrs.
  kAudioChannelLayoutTag_Ogg_5_1 = 0x00d50006,  ///< L C R Rls Rrs LFE.
  kAudioChannelLayoutTag_Ogg_6_1 = 0x00d60007,  ///< L C R Ls Rs Cs LFE.
  kAudioChannelLayoutTag_Ogg_7_1 = 0x00d70008,  ///< L C R Ls Rs Rls Rrs LFE.
  kAudioChannelLayoutTag_MPEG_5_0_E = 0x00d80005,  ///< L R Rls Rrs C.
  kAudioChannelLayoutTag_MPEG_5_1_E = 0x00d90006,  ///< L R Rls Rrs C LFE.
  kAudioChannelLayoutTag_MPEG_6_1_B = 0x00da0007,  ///< L R Ls Rs C Cs LFE.
  kAudioChannelLayoutTag_MPEG_7_1_D = 0x00db0008,  ///< L R Rls Rrs Ls Rs C LFE.
  kAudioChannelLayoutTag_BeginReserved = 0xf0000000,  ///< The first number that is never a layout.
  kAudioChannelLayoutTag_EndReserved = 0xfffeffff,  ///< The last number that is never a layout.
  kAudioChannelLayoutTag_Unknown = 0xffff0000  ///< Unknown positions; add the number of channels.
};

#endif
