// SPDX-License-Identifier: Apache-2.0
// Shows how loud the input is, ten times a second: InputMeter [SECONDS]
import AVFoundation
import ExampleSupport

let meter = try InputMeter()
try meter.start()
for _ in 0..<Int(10 * (numbersOfCommandLine.first ?? 10)) {
  wait(seconds: 0.1)
  print(String(format: "%6.1f dBFS", 20 * log10(max(meter.takePeak(), 1e-7))))
}
try meter.stop()
