// SPDX-License-Identifier: Apache-2.0
// Plays the input multiplied with a sine: RingModulator [FREQUENCY] [SECONDS]
import AVFoundation
import ExampleSupport

run("RingModulator [FREQUENCY] [SECONDS]") { arguments in
  let frequency = try arguments.number("FREQUENCY", in: 0...20_000, default: 100)
  let seconds = try arguments.number("SECONDS", in: 0...3_600, default: 10)
  let modulator = try RingModulator(
    frequency: frequency, sampleRate: try activateSession(.playAndRecord, cycle: 0.005))
  try modulator.start()
  wait(seconds: seconds)
  try modulator.stop()
}
