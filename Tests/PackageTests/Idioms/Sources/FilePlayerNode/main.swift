// SPDX-License-Identifier: Apache-2.0
// A player class around a file player unit and an output unit, connected directly; a file is
// written with ExtAudioFile first.
// Plays 660 Hz at 0.2.
// Prints completed: 0

import AudioToolbox

let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
  "idiom-\(getpid()).caf")
try writeTone(to: url, frequency: 660, amplitude: 0.2, seconds: 1)
let player = try FilePlayer(url: url)
try player.play()
let deadline = Date().addingTimeInterval(8)
while player.result == nil, Date() < deadline { Thread.sleep(forTimeInterval: 0.02) }
print("completed: \(player.result.map(String.init) ?? "never")")
player.stop()
try? FileManager.default.removeItem(at: url)
