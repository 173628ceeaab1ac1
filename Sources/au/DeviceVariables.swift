// SPDX-License-Identifier: Apache-2.0

/// The environment variables that choose and configure devices.
enum DeviceVariables {
  /// Each name with what it means.
  static let all: [(name: String, meaning: String)] = [
    (
      "AUDIOTOOLBOX_DEVICE",
      "the device: pipewire, jack, pulse or alsa, each with :NAME for a particular device (see `au "
        + "devices`); null; file:OUT.wav or file:OUT.wav,IN.wav. The default is the best one "
        + "available"
    ),
    ("AUDIOTOOLBOX_RATE", "sample rate of the devices null and file (48000)"),
    (
      "AUDIOTOOLBOX_FRAMES",
      "frames per cycle of the devices null and file; requested from others (512)"
    ),
    ("AUDIOTOOLBOX_CHANNELS", "channels of the devices null and file (2)"),
    ("AUDIOTOOLBOX_CLOCK", "fast lets the devices null and file run as fast as possible (paced)"),
    ("AUDIOTOOLBOX_INPUT", "loop repeats the input file when it ends (silence)"),
    ("AUDIOTOOLBOX_LOG", "1 prints the reason for each failed call"),
  ]
}
