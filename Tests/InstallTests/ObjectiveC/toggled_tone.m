// SPDX-License-Identifier: Apache-2.0
// A view controller as tutorials for early phones have it: a render function that reads and writes the
// controller's variables, a method that makes the unit, and an action that makes it on one tap of a button
// and tears it down on the next. Between two tones, a slider changes the frequency.
// Plays 880 Hz at 0.25.
// Prints Play, 440 Hz
// Prints Stop, 880 Hz

#import <AudioToolbox/AudioToolbox.h>
#import <Foundation/Foundation.h>

// The two classes of UIKit that it uses.
@interface UIButton : NSObject
- (void)setTitle:(NSString *)title forState:(int)state;
@end
@implementation UIButton
- (void)setTitle:(NSString *)title forState:(int)state {
  printf("%s", [title UTF8String]);
}
@end
@interface UISlider : NSObject {
  float value;
}
@property(nonatomic) float value;
@end
@implementation UISlider
@synthesize value;
@end
#ifndef IBAction
#define IBAction void
#endif

@interface ToneViewController : NSObject {
  AudioComponentInstance toneUnit;

@public
  double frequency;
  double sampleRate;
  double theta;
}
- (IBAction)sliderChanged:(UISlider *)slider;
- (IBAction)togglePlay:(UIButton *)button;
@end

OSStatus RenderTone(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                    const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber, UInt32 inNumberFrames,
                    AudioBufferList *ioData) {
  ToneViewController *viewController = (ToneViewController *)inRefCon;
  double theta = viewController->theta;
  const double increment = 2.0 * M_PI * viewController->frequency / viewController->sampleRate;
  Float32 *buffer = (Float32 *)ioData->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < inNumberFrames; frame++) {
    buffer[frame] = sin(theta) * 0.25;
    theta += increment;
    if (theta > 2.0 * M_PI) theta -= 2.0 * M_PI;
  }
  viewController->theta = theta;
  return noErr;
}

@implementation ToneViewController

- (id)init {
  if ((self = [super init])) {
    frequency = 440;
    sampleRate = 44100;
  }
  return self;
}

- (IBAction)sliderChanged:(UISlider *)slider {
  frequency = slider.value;
}

- (void)createToneUnit {
  AudioComponentDescription outputDescription;
  outputDescription.componentType = kAudioUnitType_Output;
  outputDescription.componentSubType = kAudioUnitSubType_RemoteIO;
  outputDescription.componentManufacturer = kAudioUnitManufacturer_Apple;
  outputDescription.componentFlags = 0;
  outputDescription.componentFlagsMask = 0;
  AudioComponent output = AudioComponentFindNext(NULL, &outputDescription);
  NSAssert(output, @"there is no output");
  // Some keep the status in 16 bits, and print it as a long number.
  OSErr err = AudioComponentInstanceNew(output, &toneUnit);
  NSAssert1(toneUnit, @"making the unit: %ld", (long)err);

  AURenderCallbackStruct input;
  input.inputProc = RenderTone;
  input.inputProcRefCon = self;
  err = AudioUnitSetProperty(toneUnit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                             &input, sizeof(input));
  NSAssert1(err == noErr, @"setting the callback: %ld", (long)err);

  const int bytes = 4;
  AudioStreamBasicDescription streamFormat;
  streamFormat.mSampleRate = sampleRate;
  streamFormat.mFormatID = kAudioFormatLinearPCM;
  streamFormat.mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved;
  streamFormat.mBytesPerPacket = bytes;
  streamFormat.mFramesPerPacket = 1;
  streamFormat.mBytesPerFrame = bytes;
  streamFormat.mChannelsPerFrame = 1;
  streamFormat.mBitsPerChannel = bytes * 8;
  err = AudioUnitSetProperty(toneUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                             &streamFormat, sizeof(AudioStreamBasicDescription));
  NSAssert1(err == noErr, @"setting the format: %ld", (long)err);
}

- (IBAction)togglePlay:(UIButton *)button {
  if (!toneUnit) {
    [self createToneUnit];
    OSErr err = AudioUnitInitialize(toneUnit);
    NSAssert1(err == noErr, @"initializing: %ld", (long)err);
    err = AudioOutputUnitStart(toneUnit);
    NSAssert1(err == noErr, @"starting: %ld", (long)err);
    [button setTitle:NSLocalizedString(@"Stop", nil) forState:0];
  } else {
    AudioOutputUnitStop(toneUnit);
    AudioUnitUninitialize(toneUnit);
    AudioComponentInstanceDispose(toneUnit);
    toneUnit = nil;
    [button setTitle:NSLocalizedString(@"Play", nil) forState:0];
  }
  printf(", %.0f Hz\n", frequency);
}

@end

int main(void) {
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  ToneViewController *controller = [[ToneViewController alloc] init];
  UIButton *button = [[UIButton alloc] init];
  UISlider *slider = [[UISlider alloc] init];
  [controller togglePlay:button];
  [NSThread sleepForTimeInterval:0.2];
  [controller togglePlay:button];
  slider.value = 880;
  [controller sliderChanged:slider];
  [controller togglePlay:button];
  [NSThread sleepForTimeInterval:1.5];
  [controller togglePlay:button];
  [slider release];
  [button release];
  [controller release];
  [pool release];
  return 0;
}
