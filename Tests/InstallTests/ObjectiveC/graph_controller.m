// SPDX-License-Identifier: Apache-2.0
// A controller that configures the session for input and output, then builds a graph of a mixer and an
// I/O unit at the rate that was granted, and gives the mixer its callback while the graph runs.
// Plays 440 Hz at 0.25.
// Prints granted 48000 Hz for 44100 Hz, AVAudioSessionCategoryPlayAndRecord
// Prints updated [01]

#import <AVFoundation/AVFoundation.h>
#import <AudioToolbox/AudioToolbox.h>
#import <Foundation/Foundation.h>

@interface GraphController : NSObject {
  Float64 graphSampleRate;
  AUGraph processingGraph;
  AUNode ioNode;
  AUNode mixerNode;
  double theta;
}
@property(nonatomic) Float64 graphSampleRate;
- (void)configureSession;
- (void)buildGraph;
- (void)attachCallback;
- (void)stop;
- (void)render:(UInt32)frames into:(AudioBufferList *)data;
@end

static OSStatus renderCallback(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                               const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
                               UInt32 inNumberFrames, AudioBufferList *ioData) {
  [(GraphController *)inRefCon render:inNumberFrames into:ioData];
  return noErr;
}

@implementation GraphController

@synthesize graphSampleRate;

- (void)configureSession {
  self.graphSampleRate = 44100.0;
  NSError *error = nil;
  AVAudioSession *session = [AVAudioSession sharedInstance];
  [session setPreferredHardwareSampleRate:graphSampleRate error:&error];
  [session setCategory:AVAudioSessionCategoryPlayAndRecord error:&error];
  [session setActive:YES error:&error];
  NSAssert(error == nil, @"%@", error);
  const double preferred = graphSampleRate;
  self.graphSampleRate = [session currentHardwareSampleRate];
  printf("granted %.0f Hz for %.0f Hz, %s\n", graphSampleRate, preferred, [[session category] UTF8String]);
}

- (void)check:(OSStatus)status {
  NSAssert1(status == noErr, @"status %d", (int)status);
}

- (void)buildGraph {
  AudioComponentDescription ioUnitDescription = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO,
                                                 kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponentDescription mixerDescription = {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer,
                                                kAudioUnitManufacturer_Apple, 0, 0};
  [self check:NewAUGraph(&processingGraph)];
  [self check:AUGraphAddNode(processingGraph, &ioUnitDescription, &ioNode)];
  [self check:AUGraphAddNode(processingGraph, &mixerDescription, &mixerNode)];
  [self check:AUGraphOpen(processingGraph)];
  AudioUnit mixerUnit;
  [self check:AUGraphNodeInfo(processingGraph, mixerNode, NULL, &mixerUnit)];

  AudioStreamBasicDescription format = {0};
  format.mSampleRate = graphSampleRate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved;
  format.mBytesPerPacket = sizeof(Float32);
  format.mFramesPerPacket = 1;
  format.mBytesPerFrame = sizeof(Float32);
  format.mChannelsPerFrame = 2;
  format.mBitsPerChannel = 8 * sizeof(Float32);
  [self check:AudioUnitSetProperty(mixerUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                                   &format, sizeof(format))];
  // For the mixer's output only the rate is set.
  [self check:AudioUnitSetProperty(mixerUnit, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0,
                                   &graphSampleRate, sizeof(graphSampleRate))];
  [self check:AUGraphConnectNodeInput(processingGraph, mixerNode, 0, ioNode, 0)];
  [self check:AUGraphInitialize(processingGraph)];
  [self check:AUGraphStart(processingGraph)];
}

- (void)attachCallback {
  AURenderCallbackStruct callback;
  callback.inputProc = &renderCallback;
  callback.inputProcRefCon = self;
  [self check:AUGraphSetNodeInputCallback(processingGraph, mixerNode, 0, &callback)];
  Boolean graphUpdated = false;
  [self check:AUGraphUpdate(processingGraph, &graphUpdated)];
  printf("updated %d\n", graphUpdated);
}

- (void)stop {
  [self check:AUGraphStop(processingGraph)];
  [self check:DisposeAUGraph(processingGraph)];
}

- (void)render:(UInt32)frames into:(AudioBufferList *)data {
  for (UInt32 frame = 0; frame < frames; frame++) {
    for (UInt32 channel = 0; channel < data->mNumberBuffers; channel++)
      ((Float32 *)data->mBuffers[channel].mData)[frame] = 0.25 * sin(theta);
    theta += 2.0 * M_PI * 440 / graphSampleRate;
    if (theta > 2.0 * M_PI) theta -= 2.0 * M_PI;
  }
}

@end

int main(void) {
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  GraphController *controller = [[GraphController alloc] init];
  [controller configureSession];
  [controller buildGraph];
  [NSThread sleepForTimeInterval:0.2];
  [controller attachCallback];
  [NSThread sleepForTimeInterval:1.5];
  [controller stop];
  [controller release];
  [pool release];
  return 0;
}
