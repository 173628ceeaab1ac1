// SPDX-License-Identifier: Apache-2.0
// Two loops in a mixer, with controls for each: MixerHost
//
// Reads one command per line: "volume BUS VALUE", "pan BUS VALUE", "enable BUS 0|1", "master
// VALUE", "fade BUS VALUE SECONDS", "show", "play", "stop", "wait SECONDS", "quit". Bus 0 is the
// guitar, bus 1 the beat. Every changed value is shown.
import AVFoundation
import ExampleSupport

run("MixerHost") { _ in
  let rate = try activateSession(.playback)
  let loops = Loops(sampleRate: rate)
  let host = try MixerHost(loops: [loops.guitar, loops.beat], sampleRate: rate)
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

  readCommands { command in
    func set(_ parameter: AudioUnitParameterID) throws {
      try host.control(parameter, command.bus(1)).set(command.value(2))
    }
    switch command.form {
    case ("volume", 2): try set(kMultiChannelMixerParam_Volume)
    case ("pan", 2): try set(kMultiChannelMixerParam_Pan)
    case ("enable", 2): try set(kMultiChannelMixerParam_Enable)
    case ("master", 1): try host.master.set(command.value(1))
    case ("fade", 3):
      let volume = try host.control(kMultiChannelMixerParam_Volume, command.bus(1))
      try fader.move(volume, to: command.value(2), seconds: command.seconds(3))
    case ("show", 0): try display.showAll()
    case ("play", 0): try host.play()
    case ("stop", 0): try host.stop()
    default: throw command.unknown
    }
  }
  // No control may move after its unit is disposed of.
  fader.end()
  try host.stop()
}
