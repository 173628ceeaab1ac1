// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_PLAYER_PROPERTIES_H
#define CAUDIOTOOLBOX_PLAYER_PROPERTIES_H

#include "../AUComponent.h"

// Properties of players: what they play, from when on, and how far they read ahead.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Flags of a slice: the program sets some of them, the unit the others.
typedef CF_OPTIONS(UInt32, AUScheduledAudioSliceFlags) {
  /// Set by the unit: it has finished the slice.
  kScheduledAudioSliceFlag_Complete = 0x01,
  /// Set by the unit: it has played some of the slice.
  kScheduledAudioSliceFlag_BeganToRender = 0x02,
  /// Set by the unit: it has skipped the beginning of the slice, which was late.
  kScheduledAudioSliceFlag_BeganToRenderLate = 0x04,
  /// Set by the program: repeat the slice until another one interrupts it.
  kScheduledAudioSliceFlag_Loop = 0x08,
  /// Set by the program: at its time, or immediately if it has none, the slice ends all slices that
  /// were scheduled earlier.
  kScheduledAudioSliceFlag_Interrupt = 0x10,
  /// Set by the program: the slice does so when the playing slice reaches its end.
  kScheduledAudioSliceFlag_InterruptAtLoop = 0x20
};

typedef struct ScheduledAudioSlice ScheduledAudioSlice;
typedef struct ScheduledAudioFileRegion ScheduledAudioFileRegion;

/// Called when a unit has finished a slice. [a thread of the library, not a render thread]
typedef void (*ScheduledAudioSliceCompletionProc)(void *_Nullable userData,
                                                  ScheduledAudioSlice *bufferList);

/// Called when a region has ended: it was played, its file failed (the error), or it was removed
/// from the schedule (userCanceledErr). [a thread of the library, not a render thread]
///
/// `fileRegion` is a copy that is valid during the call.
typedef void (*ScheduledAudioFileRegionCompletionProc)(void *_Nullable userData,
                                                       ScheduledAudioFileRegion *fileRegion,
                                                       OSStatus result);

// Other headers with status codes may also declare it.
#ifndef CAUDIOTOOLBOX_USER_CANCELED
/// Defined where userCanceledErr is declared, which two headers may do.
#define CAUDIOTOOLBOX_USER_CANCELED
CF_ENUM(OSStatus) {
  /// The schedule was canceled by a reset, or by disposing of the unit.
  userCanceledErr = -128
};
#endif

/// Frames that a unit plays. The slice and its buffers must not change until it is complete.
struct ScheduledAudioSlice {
  /// The start: a sample time counted from the start of the player, or a host time. With neither,
  /// the slice follows the previously scheduled one.
  AudioTimeStamp mTimeStamp;
  /// Called when the slice has been played or canceled; null: nothing.
  ScheduledAudioSliceCompletionProc _Nullable mCompletionProc;
  /// The first argument of that function.
  void *mCompletionProcUserData;
  /// Loops and interruptions, set by the program; progress, set by the unit.
  AUScheduledAudioSliceFlags mFlags;
  /// Always 0.
  UInt32 mReserved;
  /// For the unit's use.
  void *_Nullable mReserved2;
  /// The number of frames.
  UInt32 mNumberFrames;
  /// In the format of the unit's output.
  AudioBufferList *mBufferList;
};

/// A part of a file that a unit plays.
struct ScheduledAudioFileRegion {
  /// The start: a sample time in frames of the unit's output, counted from the start of the player,
  /// or a host time. With neither, the region follows the previously scheduled one.
  AudioTimeStamp mTimeStamp;
  /// Called when the region has been read or canceled; null: nothing.
  ScheduledAudioFileRegionCompletionProc _Nullable mCompletionProc;
  /// The first argument of that function.
  void *_Nullable mCompletionProcUserData;
  /// One of kAudioUnitProperty_ScheduledFileIDs.
  struct OpaqueAudioFileID *mAudioFile;
  /// The number of repetitions after the first time; 0xffffffff: endless.
  UInt32 mLoopCount;
  /// In frames of the file.
  SInt64 mStartFrame;
  /// In frames of the file; 0xffffffff: to its end.
  UInt32 mFramesToPlay;
};

/// Identifiers of properties of players, all in the global scope; the notation is that of
/// GeneralProperties.h.
CF_ENUM(AudioUnitPropertyID) {
  /// ScheduledAudioSlice, W: schedules the slice. The unit keeps its address.
  kAudioUnitProperty_ScheduleAudioSlice = 3300,
  /// AudioTimeStamp, W: the start, which is time 0 of the schedule. A sample time of the unit's
  /// renders (-1: the next one) or a host time (0: now). The player is silent until it is set.
  kAudioUnitProperty_ScheduleStartTimeStamp = 3301,
  /// AudioTimeStamp, R: the schedule time of the next frame to render; -1 before the start.
  kAudioUnitProperty_CurrentPlayTime = 3302,
  /// AudioFileID[], RW: the files that regions may use. They must stay open until they have been
  /// played.
  kAudioUnitProperty_ScheduledFileIDs = 3310,
  /// ScheduledAudioFileRegion, W: schedules the region. Only while the unit is initialized.
  kAudioUnitProperty_ScheduledFileRegion = 3311,
  /// UInt32, W: returns when this many frames have been read ahead, as far as there is room; 0: as
  /// many as an immediate start needs.
  kAudioUnitProperty_ScheduledFilePrime = 3312,
  /// UInt32, RW: the frames of each buffer that is read ahead, 16 to 1,048,576, default 8,192.
  kAudioUnitProperty_ScheduledFileBufferSizeFrames = 3313,
  /// UInt32, RW: the number of buffers that are read ahead for a region, 2 to 256, default 8.
  kAudioUnitProperty_ScheduledFileNumberBuffers = 3314
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
