// SPDX-License-Identifier: Apache-2.0
// Plays two tones through a mixer, the first by way of an equaliser:
//   MixerEQ [PRESET] [SECONDS]
// Without a preset it lists those that there are.
import AVFoundation

let words = Array(CommandLine.arguments.dropFirst())
let player = try EqualizedMix(frequencies: [100, 3_000])
guard let wanted = words.first else {
  for name in player.presets { print(name) }
  exit(0)
}
try player.choose(wanted)
try player.start()
usleep(UInt32((words.dropFirst().first.flatMap(Double.init) ?? 1) * 1_000_000))
try player.stop()
