// SPDX-License-Identifier: Apache-2.0
// Plays two tones through a mixer in a graph, one of them through an equaliser:
//   MixerEQ [PRESET] [SECONDS] [NAME=VALUE]
// PRESET is a preset of the equaliser, NAME a control of the other tone.
//
// Without a preset it lists all presets and controls, then reads one command per line: "preset NAME",
// "volume BUS VALUE", "enable BUS 0|1", "play", "stop", "wait SECONDS", "quit". Bus 0 is the other tone,
// bus 1 the equalised one. Everything can be changed before, while and after it plays.
import AVFoundation
import ExampleSupport

run("MixerEQ [PRESET] [SECONDS] [NAME=VALUE]") { arguments in
  let rate = try activateSession(.playback)
  let mix = try EqualizedMix(frequencies: (3_000, 100), sampleRate: rate)
  guard let preset = arguments["PRESET"] else { return try obeyCommands(mix) }
  let seconds = try arguments.number("SECONDS", in: 0...3_600, default: 1)
  try mix.choose(preset)
  if let setting = arguments["NAME=VALUE"] {
    let words = setting.split(separator: "=", maxSplits: 1).map(String.init)
    guard words.count == 2, let value = Float(words[1]),
      let control = try mix.controls.first(where: { $0.name == words[0] })
    else {
      throw UsageFailure(
        "NAME=VALUE is \"\(setting)\": expected a parameter; MixerEQ alone lists them")
    }
    try control.set(value)
  }
  try mix.start()
  wait(seconds: seconds)
  try mix.stop()
}

/// Lists what can be chosen, and follows commands.
private func obeyCommands(_ mix: EqualizedMix) throws {
  for preset in try mix.presets { show(preset.name) }
  for control in try mix.controls {
    show("\(control.name)=\(control.text(try control.value())), \(control.limits)")
  }
  readCommands { command in
    switch command.form {
    case ("preset", 1...): try mix.choose(command.rest)
    case ("volume", 2):
      try mix.control(kMultiChannelMixerParam_Volume, command.bus(1)).set(command.value(2))
    case ("enable", 2):
      try mix.control(kMultiChannelMixerParam_Enable, command.bus(1)).set(command.value(2))
    case ("play", 0): try mix.start()
    case ("stop", 0): try mix.stop()
    default: throw command.unknown
    }
  }
  try mix.stop()
}
