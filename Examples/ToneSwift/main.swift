// SPDX-License-Identifier: Apache-2.0
// Plays a tone twice: ToneSwift [FREQUENCY] [SECONDS]
import AVFoundation
import ExampleSupport

run("ToneSwift [FREQUENCY] [SECONDS]") { arguments in
  let frequency = try arguments.number("FREQUENCY", in: 0...20_000, default: 440)
  let seconds = try arguments.number("SECONDS", in: 0...3_600, default: 1)
  // The first step, and the rate that it grants.
  let rate = try activateSession(.playback)
  let generator = try ToneGenerator(frequency: frequency, sampleRate: rate)
  for _ in 1...2 {
    try generator.start()
    show("start")
    wait(seconds: seconds)
    try generator.stop()
    show("stop")
  }
}
