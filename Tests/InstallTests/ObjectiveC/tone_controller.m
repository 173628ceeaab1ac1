// SPDX-License-Identifier: Apache-2.0
// A tone generator as classes of early phones have it: the session first, with what it grants, then a
// RemoteIO unit whose callback gets the object.
// Plays 440 Hz at 0.25.
// Prints granted 48000 Hz, a cycle of 256 frames, AVAudioSessionCategoryPlayAndRecord
// Prints refused: NSOSStatusErrorDomain -50, .+

#import <AVFoundation/AVFoundation.h>
#import <AudioToolbox/AudioToolbox.h>
#import <Foundation/Foundation.h>

@interface ToneController : NSObject {
  double graphSampleRate;
  double theta;
  AudioUnit toneUnit;
}
@property(nonatomic) double graphSampleRate;
- (void)configureSession;
- (void)startTone;
- (void)stopTone;
- (void)renderFrames:(UInt32)frames into:(Float32 *)samples;
@end

static OSStatus RenderTone(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                           const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
                           UInt32 inNumberFrames, AudioBufferList *ioData) {
  ToneController *controller = (ToneController *)inRefCon;
  [controller renderFrames:inNumberFrames into:(Float32 *)ioData->mBuffers[0].mData];
  return noErr;
}

@implementation ToneController

@synthesize graphSampleRate;

- (void)configureSession {
  NSError *audioSessionError = nil;
  AVAudioSession *mySession = [AVAudioSession sharedInstance];
  self.graphSampleRate = 44100.0;
  [mySession setPreferredHardwareSampleRate:graphSampleRate error:&audioSessionError];
  [mySession setCategory:AVAudioSessionCategoryPlayAndRecord error:&audioSessionError];
  Float32 ioBufferDuration = 0.005;
  [mySession setPreferredIOBufferDuration:ioBufferDuration error:&audioSessionError];
  [mySession setActive:YES error:&audioSessionError];
  NSAssert(audioSessionError == nil, @"%@", audioSessionError);
  self.graphSampleRate = [mySession currentHardwareSampleRate];
  printf("granted %.0f Hz, a cycle of %.0f frames, %s\n", graphSampleRate,
         [mySession IOBufferDuration] * graphSampleRate, [[mySession category] UTF8String]);
  if (![mySession setCategory:@"singing" error:&audioSessionError])
    printf("refused: %s %d, %s\n", [[audioSessionError domain] UTF8String],
           (int)[audioSessionError code], [[audioSessionError localizedDescription] UTF8String]);
}

- (void)startTone {
  AudioComponentDescription description;
  description.componentType = kAudioUnitType_Output;
  description.componentSubType = kAudioUnitSubType_RemoteIO;
  description.componentManufacturer = kAudioUnitManufacturer_Apple;
  description.componentFlags = 0;
  description.componentFlagsMask = 0;
  AudioComponent component = AudioComponentFindNext(NULL, &description);
  NSAssert(component, @"no output");
  OSStatus err = AudioComponentInstanceNew(component, &toneUnit);
  NSAssert1(err == noErr, @"creating the unit: %d", (int)err);

  AURenderCallbackStruct input;
  input.inputProc = RenderTone;
  input.inputProcRefCon = self;
  err = AudioUnitSetProperty(toneUnit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                             &input, sizeof(input));
  NSAssert1(err == noErr, @"setting the callback: %d", (int)err);

  AudioStreamBasicDescription format = {0};
  format.mSampleRate = graphSampleRate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved;
  format.mBytesPerPacket = 4;
  format.mFramesPerPacket = 1;
  format.mBytesPerFrame = 4;
  format.mChannelsPerFrame = 1;
  format.mBitsPerChannel = 32;
  err = AudioUnitSetProperty(toneUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                             sizeof(format));
  NSAssert1(err == noErr, @"setting the format: %d", (int)err);
  err = AudioUnitInitialize(toneUnit);
  NSAssert1(err == noErr, @"initializing: %d", (int)err);
  err = AudioOutputUnitStart(toneUnit);
  NSAssert1(err == noErr, @"starting: %d", (int)err);
}

- (void)stopTone {
  AudioOutputUnitStop(toneUnit);
  AudioUnitUninitialize(toneUnit);
  AudioComponentInstanceDispose(toneUnit);
}

- (void)renderFrames:(UInt32)frames into:(Float32 *)samples {
  for (UInt32 frame = 0; frame < frames; frame++) {
    samples[frame] = (Float32)(0.25 * sin(theta));
    theta += 2.0 * M_PI * 440 / graphSampleRate;
    if (theta > 2.0 * M_PI) theta -= 2.0 * M_PI;
  }
}

@end

int main(void) {
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  ToneController *controller = [[ToneController alloc] init];
  [controller configureSession];
  [controller startTone];
  [NSThread sleepForTimeInterval:1];
  [controller stopTone];
  [controller release];
  [pool release];
  return 0;
}
