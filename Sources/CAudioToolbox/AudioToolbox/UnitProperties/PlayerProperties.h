// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_PLAYER_PROPERTIES_H
#define CAUDIOTOOLBOX_PLAYER_PROPERTIES_H

#include "../AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// The state of a slice: some flags are set by the program, others by the unit.
typedef CF_OPTIONS(UInt32, AUScheduledAudioSliceFlags) {
  /// Told: the unit is done with the slice.
  kScheduledAudioSliceFlag_Complete = 0x01,
  /// Told: some of it was heard.
  kScheduledAudioSliceFlag_BeganToRender = 0x02,
  /// Told: its beginning was not, as its time was over.
  kScheduledAudioSliceFlag_BeganToRenderLate = 0x04,
  /// Wished: it repeats until another one interrupts it.
  kScheduledAudioSliceFlag_Loop = 0x08,
  /// Wished: at its time, or at once where it has none, it ends all that were scheduled before it.
  kScheduledAudioSliceFlag_Interrupt = 0x10,
  /// Wished: the same, where the slice that sounds comes to its end.
  kScheduledAudioSliceFlag_InterruptAtLoop = 0x20
};

typedef struct ScheduledAudioSlice ScheduledAudioSlice;
typedef struct ScheduledAudioFileRegion ScheduledAudioFileRegion;

/// Hears that a unit is done with a slice. [thread of the library, not the render thread]
typedef void (*ScheduledAudioSliceCompletionProc)(void *_Nullable userData,
                                                  ScheduledAudioSlice *bufferList);

/// Hears that a region is over: played, refused by its file (the error), or taken from the schedule
/// (userCanceledErr). [thread of the library, not the render thread]
///
/// `fileRegion` is a copy that is valid during the call.
typedef void (*ScheduledAudioFileRegionCompletionProc)(void *_Nullable userData,
                                                       ScheduledAudioFileRegion *fileRegion,
                                                       OSStatus result);

// The headers of other results may have it as well.
#ifndef CAUDIOTOOLBOX_USER_CANCELED
#define CAUDIOTOOLBOX_USER_CANCELED
CF_ENUM(OSStatus) {
  /// The schedule was cancelled by a reset, or with the unit.
  userCanceledErr = -128
};
#endif

/// Frames that a unit is to play. It and what it points at stay as they are until it is complete.
struct ScheduledAudioSlice {
  /// When: sample time counts from the start of the player; or host time. With neither it follows the
  /// slice that was scheduled before it.
  AudioTimeStamp mTimeStamp;
  ScheduledAudioSliceCompletionProc _Nullable mCompletionProc;
  void *mCompletionProcUserData;
  AUScheduledAudioSliceFlags mFlags;
  UInt32 mReserved;
  void *_Nullable mReserved2;
  UInt32 mNumberFrames;
  /// In the format of the unit's output.
  AudioBufferList *mBufferList;
};

/// A part of a file that a unit is to play.
struct ScheduledAudioFileRegion {
  /// When: sample time, in frames of the unit's output, counts from the start of the player; or host
  /// time. With neither it follows the region that was scheduled before it.
  AudioTimeStamp mTimeStamp;
  ScheduledAudioFileRegionCompletionProc _Nullable mCompletionProc;
  void *_Nullable mCompletionProcUserData;
  /// One of kAudioUnitProperty_ScheduledFileIDs.
  struct OpaqueAudioFileID *mAudioFile;
  /// How often it is repeated after the first time; 0xffffffff: without an end.
  UInt32 mLoopCount;
  /// In frames of the file.
  SInt64 mStartFrame;
  /// In frames of the file; 0xffffffff: to its end.
  UInt32 mFramesToPlay;
};

/// Identifiers of properties of players, all of them global; written as those of every unit.
CF_ENUM(AudioUnitPropertyID) {
  /// ScheduledAudioSlice, W: plays it. The unit keeps the address that was given.
  kAudioUnitProperty_ScheduleAudioSlice = 3300,
  /// AudioTimeStamp, W: when time 0 of the schedule is. A sample time of the unit's renders (-1: the
  /// next one) or a host time (0: now). Until it is set the player is silent.
  kAudioUnitProperty_ScheduleStartTimeStamp = 3301,
  /// AudioTimeStamp, R: the time in the schedule of the frame to be rendered next; -1 before the start.
  kAudioUnitProperty_CurrentPlayTime = 3302,
  /// AudioFileID[], RW: the files that regions may name. They stay open until they have been played.
  kAudioUnitProperty_ScheduledFileIDs = 3310,
  /// ScheduledAudioFileRegion, W: plays it. Only while the unit is initialized.
  kAudioUnitProperty_ScheduledFileRegion = 3311,
  /// UInt32, W: returns when so many frames have been read ahead, as far as there is room for them; 0:
  /// as many as it takes to start at once.
  kAudioUnitProperty_ScheduledFilePrime = 3312,
  /// UInt32, RW: frames of each buffer that is read ahead, from 16 to 1,048,576; 8,192 at first.
  kAudioUnitProperty_ScheduledFileBufferSizeFrames = 3313,
  /// UInt32, RW: how many buffers are read ahead of a region, from 2 to 256; 8 at first.
  kAudioUnitProperty_ScheduledFileNumberBuffers = 3314
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
