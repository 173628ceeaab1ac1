// SPDX-License-Identifier: Apache-2.0
// Plays two tones through a mixer in a graph, one of them through an equaliser:
//   MixerEQ [PRESET] [SECONDS] [NAME=VALUE]
// PRESET is a preset of the equaliser, NAME a control of the other tone. Without a preset it lists
// all presets and controls.
import AVFoundation
import ExampleSupport

run("MixerEQ [PRESET] [SECONDS] [NAME=VALUE]") { arguments in
  let mix = try EqualizedMix(frequencies: (3_000, 100))
  guard let preset = arguments["PRESET"] else {
    for preset in try mix.presets { show(preset.name) }
    for control in try mix.controls {
      show("\(control.name)=\(control.text(try control.value())), \(control.limits)")
    }
    return
  }
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
