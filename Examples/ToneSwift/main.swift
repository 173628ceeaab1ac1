// SPDX-License-Identifier: Apache-2.0
// Plays a tone twice: ToneSwift [FREQUENCY] [SECONDS]
import AVFoundation
import ExampleSupport

run("ToneSwift [FREQUENCY] [SECONDS]") { arguments in
  let frequency = try arguments.number("FREQUENCY", in: 0...22_050, default: 440)
  let seconds = try arguments.number("SECONDS", in: 0...3_600, default: 1)
  let generator = try ToneGenerator(frequency: frequency)
  for _ in 1...2 {
    try generator.start()
    show("start")
    wait(seconds: seconds)
    try generator.stop()
    show("stop")
  }
}
