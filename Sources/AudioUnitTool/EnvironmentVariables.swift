// SPDX-License-Identifier: Apache-2.0

/// The environment variables that the library reads.
enum EnvironmentVariables {
  /// Each name with its meaning and, in parentheses, its default.
  static let all: [(name: String, meaning: String)] = [
    (
      "AUDIOTOOLBOX_DEVICE",
      "the device: pipewire, jack, pulse or alsa, each with :NAME for a particular device (see `au "
        + "devices`); null; file:OUT.wav, file:,IN.wav or file:OUT.wav,IN.wav. The default is the "
        + "best one available"
    ),
    ("AUDIOTOOLBOX_RATE", "sample rate of the devices null and file (48000)"),
    (
      "AUDIOTOOLBOX_FRAMES",
      "frames per cycle of the devices null and file (512); also requested from PipeWire, PulseAudio "
        + "and ALSA"
    ),
    ("AUDIOTOOLBOX_CHANNELS", "channels of the devices null and file (2)"),
    ("AUDIOTOOLBOX_CLOCK", "the pace of the devices null and file: paced or fast (paced)"),
    ("AUDIOTOOLBOX_INPUT", "what follows the end of an input file: silence or loop (silence)"),
    (
      "AUDIOTOOLBOX_MIDI",
      "how MIDI reaches hardware and other programs: alsa, jack, alsa,jack for both, or none. The "
        + "default is the first of alsa and jack that is there"
    ),
    ("AUDIOTOOLBOX_BANK", "the SoundFont or DLS file that instruments play (the system's)"),
    (
      "AUDIOTOOLBOX_HEAD",
      "the SOFA file (HRTF) that the 3D mixers use for headphones, or sphere for a calculated head "
        + "(the file from libmysofa1)"
    ),
    (
      "AUDIOTOOLBOX_PLUGINS",
      "formats of plug-ins that programs use: lv2, ladspa, clap, several with commas, all, or none, "
        + "which also leaves out audio units (what the program asks for)"
    ),
    (
      "AUDIOTOOLBOX_OUT_OF_PROCESS",
      "1 runs LV2, LADSPA and CLAP plug-ins in processes of their own, unless a program asks for its own "
        + "process"
    ),
    (
      "AUDIO_UNIT_PATH",
      "folders with audio units, NAME.component, before ~/.local/lib/audio-units and those of the "
        + "system; LV2_PATH, LADSPA_PATH and CLAP_PATH are those of the other formats"
    ),
    ("AUDIOTOOLBOX_LOG", "1 prints the reason for each failed call"),
  ]
}
