// SPDX-License-Identifier: Apache-2.0
// Shows the level of the input, ten times a second: InputMeter [SECONDS]
import AVFoundation
import ExampleSupport

run("InputMeter [SECONDS]") { arguments in
  let seconds = try arguments.number("SECONDS", in: 0...3_600, default: 10)
  let meter = try InputMeter(sampleRate: try activateSession(.record))
  try meter.start()
  for _ in 0..<Int(10 * seconds) {
    wait(seconds: 0.1)
    show(String(format: "%6.1f dBFS", 20 * log10(max(meter.readAndResetPeak(), 1e-7))))
  }
  try meter.stop()
}
