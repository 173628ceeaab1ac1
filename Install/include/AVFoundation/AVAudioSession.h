// SPDX-License-Identifier: Apache-2.0

#ifndef AVFOUNDATION_AV_AUDIO_SESSION_H
#define AVFOUNDATION_AV_AUDIO_SESSION_H

// The audio session for Objective-C programs on GNUstep, over the functions of AudioSession.h. The class
// is compiled with the program: its source is in the folder that
// `pkg-config --variable=objectivec audiotoolbox` prints.

#ifdef __OBJC__

#import <Foundation/Foundation.h>

/// What the program is for.
extern NSString *const AVAudioSessionCategoryAmbient;
extern NSString *const AVAudioSessionCategorySoloAmbient;
extern NSString *const AVAudioSessionCategoryPlayback;
extern NSString *const AVAudioSessionCategoryRecord;
extern NSString *const AVAudioSessionCategoryPlayAndRecord;
extern NSString *const AVAudioSessionCategoryAudioProcessing;

/// What a session tells its delegate, on the main run loop of the thread that made the session.
@protocol AVAudioSessionDelegate <NSObject>
@optional
/// Another program has taken the device, or it has stopped.
- (void)beginInterruption;
/// The sound can continue.
- (void)endInterruption;
/// An input came or went.
- (void)inputIsAvailableChanged:(BOOL)isInputAvailable;
@end

/// The audio session of the process. [control thread]
///
/// A setter returns NO if it fails, with an error of the domain NSOSStatusErrorDomain, whose code is the
/// status of the C function and whose description is its explanation.
@interface AVAudioSession : NSObject {
  id<AVAudioSessionDelegate> delegate;
}

/// The only session.
+ (AVAudioSession *)sharedInstance;

/// Not retained.
@property(nonatomic, assign) id<AVAudioSessionDelegate> delegate;

/// Activates the session, or deactivates it while no unit runs.
- (BOOL)setActive:(BOOL)isActive error:(NSError **)error;

/// Sets the category, one of AVAudioSessionCategory….
- (BOOL)setCategory:(NSString *)category error:(NSError **)error;
- (NSString *)category;

/// The preferred rate in Hz, 0 for none, for devices that are opened later.
- (BOOL)setPreferredSampleRate:(double)rate error:(NSError **)error;
- (BOOL)setPreferredHardwareSampleRate:(double)rate error:(NSError **)error;
- (double)preferredSampleRate;
- (double)preferredHardwareSampleRate;

/// The preferred cycle in seconds, 0 for none, for devices that are opened later.
- (BOOL)setPreferredIOBufferDuration:(NSTimeInterval)duration error:(NSError **)error;
- (NSTimeInterval)preferredIOBufferDuration;

/// The granted values: rate in Hz, cycle in seconds, channels.
- (double)sampleRate;
- (double)currentHardwareSampleRate;
- (NSTimeInterval)IOBufferDuration;
- (NSInteger)inputNumberOfChannels;
- (NSInteger)currentHardwareInputNumberOfChannels;
- (NSInteger)outputNumberOfChannels;
- (NSInteger)currentHardwareOutputNumberOfChannels;

/// Whether there is an input.
- (BOOL)isInputAvailable;
- (BOOL)inputIsAvailable;

@end

#endif

#endif
