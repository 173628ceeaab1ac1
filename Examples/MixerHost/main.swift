// SPDX-License-Identifier: Apache-2.0
// Two loops in a mixer, with controls for each: MixerHost
//
// Reads one command per line: "volume BUS VALUE", "pan BUS VALUE", "enable BUS 0|1", "master
// VALUE", "fade BUS VALUE SECONDS", "show", "play", "stop", "wait SECONDS", "quit". Bus 0 is the
// guitar, bus 1 the beat. Every changed value is shown.
import AVFoundation
import ExampleSupport

run("MixerHost") { _ in
  let host = try MixerHost(loops: [Loops.guitar, Loops.beat])
  let display = try Display([
    "guitar": try Control.all(of: host.mixer, kAudioUnitScope_Input, 0),
    "beat": try Control.all(of: host.mixer, kAudioUnitScope_Input, 1),
    "master": [try host.master],
  ])
  let fader = Fader()
  try host.play()
  show("volume, pan, enable BUS VALUE; master VALUE; fade BUS VALUE SECONDS;")
  show("show, play, stop, wait SECONDS, quit")
  try display.showAll()

  /// Executes a command.
  func execute(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    func bus() throws -> UInt32 {
      guard let bus = UInt32(words[1]) else {
        throw UsageFailure("BUS is \"\(words[1])\": expected 0, 1, …")
      }
      return bus
    }
    func value(_ place: Int) throws -> Float {
      guard let value = Float(words[place]) else {
        throw UsageFailure("VALUE is \"\(words[place])\": expected a number")
      }
      return value
    }
    func seconds(_ place: Int) throws -> Double {
      try readNumber("SECONDS", words[place], in: 0...3_600)
    }
    switch (words.first, words.count) {
    case ("volume", 3): try host.control(kMultiChannelMixerParam_Volume, bus()).set(value(2))
    case ("pan", 3): try host.control(kMultiChannelMixerParam_Pan, bus()).set(value(2))
    case ("enable", 3): try host.control(kMultiChannelMixerParam_Enable, bus()).set(value(2))
    case ("master", 2): try host.master.set(value(1))
    case ("fade", 4):
      let volume = try host.control(kMultiChannelMixerParam_Volume, bus())
      try fader.move(volume, to: value(2), seconds: seconds(3))
    case ("show", 1): try display.showAll()
    case ("wait", 2): try wait(seconds: seconds(1))
    case ("play", 1): try host.play()
    case ("stop", 1): try host.stop()
    default: throw UsageFailure("\"\(line)\": expected one of the commands above")
    }
  }

  while let line = readLine(), line != "quit" {
    do { try execute(line) } catch { show("\(error)") }
  }
  // No control may move after its unit is disposed of.
  fader.end()
  try host.stop()
}
