// SPDX-License-Identifier: Apache-2.0
// Plays a tone twice: ToneSwift [FREQUENCY] [SECONDS]
import AVFoundation

let numbers = CommandLine.arguments.dropFirst().compactMap(Double.init)
let frequency = numbers.first ?? 440
let seconds = numbers.dropFirst().first ?? 1

let generator = try ToneGenerator(frequency: frequency)
for _ in 1...2 {
  try generator.start()
  usleep(UInt32(seconds * 1_000_000))
  try generator.stop()
}
