// SPDX-License-Identifier: Apache-2.0

/// The files of `au new`; `@NAME@` stands for the program's name.
enum ProgramTemplate {
  static let makefile = """
    CFLAGS ?= -O2 -Wall -Wextra

    @NAME@: main.c
    \t$(CC) $(CFLAGS) main.c -o $@ $$(pkg-config --cflags --libs audiotoolbox) -lm

    clean:
    \trm -f @NAME@

    .PHONY: clean

    """

  static let source = """
    // @NAME@: a tone through a mixer. Type a volume from 0 to 1 and Enter; Control-D ends it.
    #include <AudioToolbox/AudioToolbox.h>

    // Ends the program when a call failed, with the name of the call and the reason.
    static void check(OSStatus status) {
      if (status == noErr) return;
      CFShow(AUDiagnosticsCopyLastExplanation());
      exit(1);
    }

    // What the render callback works with.
    typedef struct {
      double phase, step;
    } Tone;

    // Runs on the audio thread: no locks, no memory, no files in here.
    static OSStatus render(void *context, AudioUnitRenderActionFlags *flags,
                           const AudioTimeStamp *when, UInt32 bus, UInt32 frames,
                           AudioBufferList *data) {
      (void)flags, (void)when, (void)bus;
      Tone *tone = context;
      Float32 *samples = data->mBuffers[0].mData;
      for (UInt32 frame = 0; frame < frames; frame++) {
        samples[frame] = (Float32)(sin(tone->phase) / 4);
        tone->phase = fmod(tone->phase + tone->step, 2 * M_PI);
      }
      return noErr;
    }

    int main(void) {
      // 1. Set up the device: say what the program is for, and which rate and cycle it prefers. The
      // granted rate is that of the device, so that nothing has to be converted.
      const UInt32 category = kAudioSessionCategory_MediaPlayback;
      const Float32 cycle = 0.01f;
      Float64 rate = 48000, granted = 0;
      UInt32 size = sizeof granted;
      check(AudioSessionInitialize(NULL, NULL, NULL, NULL));
      check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category));
      check(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, sizeof rate,
                                    &rate));
      check(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration,
                                    sizeof cycle, &cycle));
      check(AudioSessionSetActive(true));
      check(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size,
                                    &granted));
      if (granted > 0) rate = granted;

      // 2. Name the units.
      AudioComponentDescription output = {kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput,
                                          kAudioUnitManufacturer_Apple, 0, 0};
      AudioComponentDescription mixing = {kAudioUnitType_Mixer,
                                          kAudioUnitSubType_MultiChannelMixer,
                                          kAudioUnitManufacturer_Apple, 0, 0};

      // 3. Make the graph and its units.
      AUGraph graph;
      AUNode outputNode, mixerNode;
      AudioUnit mixer;
      check(NewAUGraph(&graph));
      check(AUGraphAddNode(graph, &output, &outputNode));
      check(AUGraphAddNode(graph, &mixing, &mixerNode));
      check(AUGraphOpen(graph));
      check(AUGraphNodeInfo(graph, mixerNode, NULL, &mixer));

      // 4. Set up the units, all at the granted rate.
      const AudioStreamBasicDescription format = {
          .mSampleRate = rate,
          .mFormatID = kAudioFormatLinearPCM,
          .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
          .mBytesPerPacket = sizeof(Float32),
          .mFramesPerPacket = 1,
          .mBytesPerFrame = sizeof(Float32),
          .mChannelsPerFrame = 1,
          .mBitsPerChannel = 32,
      };
      check(AudioUnitSetProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                                 &format, sizeof format));
      check(AudioUnitSetProperty(mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0,
                                 &rate, sizeof rate));
      const UInt32 maximum = 4096;
      check(AudioUnitSetProperty(mixer, kAudioUnitProperty_MaximumFramesPerSlice,
                                 kAudioUnitScope_Global, 0, &maximum, sizeof maximum));

      // 5. Feed the units: the callback into the mixer, the mixer into the output.
      Tone tone = {0, 2 * M_PI * 440 / rate};
      const AURenderCallbackStruct callback = {render, &tone};
      check(AUGraphSetNodeInputCallback(graph, mixerNode, 0, &callback));
      check(AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0));

      // 6. Give people controls, below. 7. Make everything ready, and start.
      check(AUGraphInitialize(graph));
      check(AUGraphStart(graph));
      char line[80];
      while (fgets(line, sizeof line, stdin)) {
        char *end;
        const Float32 volume = strtof(line, &end);
        if (end == line || !(volume >= 0 && volume <= 1)) {
          fprintf(stderr, "a volume from 0 to 1\\n");
          continue;
        }
        check(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input,
                                    0, volume, 0));
      }

      check(AUGraphStop(graph));
      check(DisposeAUGraph(graph));
      return 0;
    }

    """
}
