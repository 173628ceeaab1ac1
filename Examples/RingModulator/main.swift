// SPDX-License-Identifier: Apache-2.0
// The input is multiplied with a sine and played: RingModulator [FREQUENCY] [SECONDS]
import AVFoundation
import ExampleSupport

let frequency = numbersOfCommandLine.first ?? 100
let modulator = try RingModulator(frequency: frequency)
try modulator.start()
wait(seconds: numbersOfCommandLine.dropFirst().first ?? 10)
try modulator.stop()
