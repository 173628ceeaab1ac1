// SPDX-License-Identifier: Apache-2.0
#import <AVFoundation/AVFoundation.h>

NSString *const AVAudioSessionCategoryAmbient = @"AVAudioSessionCategoryAmbient";
NSString *const AVAudioSessionCategorySoloAmbient = @"AVAudioSessionCategorySoloAmbient";
NSString *const AVAudioSessionCategoryPlayback = @"AVAudioSessionCategoryPlayback";
NSString *const AVAudioSessionCategoryRecord = @"AVAudioSessionCategoryRecord";
NSString *const AVAudioSessionCategoryPlayAndRecord = @"AVAudioSessionCategoryPlayAndRecord";
NSString *const AVAudioSessionCategoryAudioProcessing = @"AVAudioSessionCategoryAudioProcessing";

// The categories with their codes.
enum { kCategoryCount = 6 };

static UInt32 categoryCode(int index) {
  const UInt32 codes[kCategoryCount] = {
      kAudioSessionCategory_AmbientSound, kAudioSessionCategory_SoloAmbientSound,
      kAudioSessionCategory_MediaPlayback, kAudioSessionCategory_RecordAudio,
      kAudioSessionCategory_PlayAndRecord, kAudioSessionCategory_AudioProcessing};
  return codes[index];
}

static NSString *categoryName(int index) {
  NSString *names[kCategoryCount] = {
      AVAudioSessionCategoryAmbient, AVAudioSessionCategorySoloAmbient,
      AVAudioSessionCategoryPlayback, AVAudioSessionCategoryRecord,
      AVAudioSessionCategoryPlayAndRecord, AVAudioSessionCategoryAudioProcessing};
  return names[index];
}

// Whether a call succeeded; otherwise sets the error, if the caller wants one.
static BOOL succeeded(OSStatus status, NSError **error) {
  if (status == noErr) return YES;
  if (error == NULL) return NO;
  char text[512] = "";
  CFStringRef explanation = AUDiagnosticsCopyReason(status);
  if (explanation) {
    CFStringGetCString(explanation, text, sizeof text, kCFStringEncodingUTF8);
    CFRelease(explanation);
  }
  NSDictionary *info = [NSDictionary dictionaryWithObject:[NSString stringWithUTF8String:text]
                                                   forKey:NSLocalizedDescriptionKey];
  *error = [NSError errorWithDomain:NSOSStatusErrorDomain code:status userInfo:info];
  return NO;
}

// A property of four bytes, or of eight; 0 if it cannot be read.
static UInt32 integer(AudioSessionPropertyID property) {
  UInt32 value = 0, size = sizeof value;
  return AudioSessionGetProperty(property, &size, &value) == noErr ? value : 0;
}

static Float32 duration(AudioSessionPropertyID property) {
  Float32 value = 0;
  UInt32 size = sizeof value;
  return AudioSessionGetProperty(property, &size, &value) == noErr ? value : 0;
}

static Float64 rate(AudioSessionPropertyID property) {
  Float64 value = 0;
  UInt32 size = sizeof value;
  return AudioSessionGetProperty(property, &size, &value) == noErr ? value : 0;
}

static void interrupted(void *data, UInt32 state) {
  id<AVAudioSessionDelegate> delegate = [(AVAudioSession *)data delegate];
  const SEL message = state == kAudioSessionBeginInterruption ? @selector(beginInterruption)
                                                               : @selector(endInterruption);
  if ([delegate respondsToSelector:message]) [delegate performSelector:message];
}

static void inputChanged(void *data, AudioSessionPropertyID property, UInt32 size, const void *value) {
  id<AVAudioSessionDelegate> delegate = [(AVAudioSession *)data delegate];
  if (property != kAudioSessionProperty_AudioInputAvailable || size < sizeof(UInt32)) return;
  if ([delegate respondsToSelector:@selector(inputIsAvailableChanged:)])
    [delegate inputIsAvailableChanged:*(const UInt32 *)value != 0];
}

@implementation AVAudioSession

@synthesize delegate;

+ (AVAudioSession *)sharedInstance {
  static AVAudioSession *session;
  @synchronized(self) {
    if (session == nil) session = [[AVAudioSession alloc] init];
  }
  return session;
}

- (id)init {
  if ((self = [super init])) {
    // A program may have initialized the session in C, with a listener of its own.
    if (AudioSessionInitialize(NULL, NULL, interrupted, self) == noErr)
      AudioSessionAddPropertyListener(kAudioSessionProperty_AudioInputAvailable, inputChanged, self);
  }
  return self;
}

- (BOOL)setActive:(BOOL)isActive error:(NSError **)error {
  return succeeded(AudioSessionSetActive(isActive), error);
}

- (BOOL)setCategory:(NSString *)category error:(NSError **)error {
  UInt32 code = 0;
  for (int index = 0; index < kCategoryCount; index++)
    if ([categoryName(index) isEqualToString:category]) code = categoryCode(index);
  return succeeded(
      AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof code, &code), error);
}

- (NSString *)category {
  const UInt32 code = integer(kAudioSessionProperty_AudioCategory);
  for (int index = 0; index < kCategoryCount; index++)
    if (categoryCode(index) == code) return categoryName(index);
  return nil;
}

- (BOOL)setPreferredSampleRate:(double)preferred error:(NSError **)error {
  const Float64 value = preferred;
  return succeeded(
      AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, sizeof value, &value),
      error);
}

- (BOOL)setPreferredHardwareSampleRate:(double)preferred error:(NSError **)error {
  return [self setPreferredSampleRate:preferred error:error];
}

- (double)preferredSampleRate { return rate(kAudioSessionProperty_PreferredHardwareSampleRate); }
- (double)preferredHardwareSampleRate { return [self preferredSampleRate]; }

- (BOOL)setPreferredIOBufferDuration:(NSTimeInterval)preferred error:(NSError **)error {
  const Float32 value = (Float32)preferred;
  return succeeded(
      AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof value,
                              &value),
      error);
}

- (NSTimeInterval)preferredIOBufferDuration {
  return duration(kAudioSessionProperty_PreferredHardwareIOBufferDuration);
}

- (double)sampleRate { return rate(kAudioSessionProperty_CurrentHardwareSampleRate); }
- (double)currentHardwareSampleRate { return [self sampleRate]; }

- (NSTimeInterval)IOBufferDuration {
  return duration(kAudioSessionProperty_CurrentHardwareIOBufferDuration);
}

- (NSInteger)inputNumberOfChannels {
  return integer(kAudioSessionProperty_CurrentHardwareInputNumberChannels);
}
- (NSInteger)currentHardwareInputNumberOfChannels { return [self inputNumberOfChannels]; }

- (NSInteger)outputNumberOfChannels {
  return integer(kAudioSessionProperty_CurrentHardwareOutputNumberChannels);
}
- (NSInteger)currentHardwareOutputNumberOfChannels { return [self outputNumberOfChannels]; }

- (BOOL)isInputAvailable { return integer(kAudioSessionProperty_AudioInputAvailable) != 0; }
- (BOOL)inputIsAvailable { return [self isInputAvailable]; }

@end
