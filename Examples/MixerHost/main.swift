// SPDX-License-Identifier: Apache-2.0
// Two loops in a mixer, with controls for each: MixerHost
//
// Reads one command a line: "volume BUS 0…1", "pan BUS -1…1", "enable BUS 0|1", "master 0…1",
// "play", "stop", "wait SECONDS", "quit". Bus 0 is the guitar, bus 1 the beat.
import AVFoundation
import ExampleSupport

let host = try MixerHost(loops: [Loops.guitar, Loops.beat])
try host.play()
print("playing; volume, pan, enable BUS VALUE; master VALUE; play, stop, wait, quit")
reading: while let line = readLine() {
  let words = line.split(separator: " ").map(String.init)
  let numbers = words.dropFirst().compactMap(Float.init)
  do {
    switch (words.first, numbers.count) {
    case ("volume", 2): try host.set(kMultiChannelMixerParam_Volume, numbers[1], bus: numbers[0])
    case ("pan", 2): try host.set(kMultiChannelMixerParam_Pan, numbers[1], bus: numbers[0])
    case ("enable", 2): try host.set(kMultiChannelMixerParam_Enable, numbers[1], bus: numbers[0])
    case ("master", 1): try host.setMaster(numbers[0])
    case ("wait", 1): wait(seconds: Double(numbers[0]))
    case ("play", 0): try host.play()
    case ("stop", 0): try host.stop()
    case ("quit", 0): break reading
    default: print("not understood: \(line)")
    }
  } catch {
    print("\(error)")
  }
}
try host.stop()
