// SPDX-License-Identifier: Apache-2.0
// Two sounds around a listener, in a 3D mixer: Mixer3D
//
// Reads one command per line: "azimuth BUS DEGREES", "elevation BUS DEGREES", "distance BUS METRES",
// "gain BUS DECIBELS", "rate BUS FACTOR", each with SECONDS to move there; "enable BUS 0|1", "show",
// "play", "stop", "wait SECONDS", "quit". Bus 0 is a hum, bus 1 a beeper.
import AVFoundation
import ExampleSupport

run("Mixer3D") { _ in
  let scene = try Scene(sampleRate: try activateSession(.playback))
  let fader = Fader()
  show("azimuth, elevation, distance, gain, rate BUS VALUE [SECONDS]; enable BUS 0|1;")
  show("show, play, stop, wait SECONDS, quit")

  readCommands { command in
    switch command.form {
    case ("show", 0):
      for bus in 0..<Scene.busCount {
        for (name, control) in try scene.controls(bus) {
          show("\(bus) \(name): \(try control.value()), \(control.limits)")
        }
      }
    case ("play", 0): try scene.play()
    case ("stop", 0): try scene.stop()
    case (let name, 2...3):
      guard let control = try scene.controls(command.bus(1))[name] else { throw command.unknown }
      if command.form.count == 2 {
        try control.set(command.value(2))
      } else {
        try fader.move(control, to: command.value(2), seconds: command.seconds(3))
      }
    default: throw command.unknown
    }
  }
  // No control may move after its unit is disposed of.
  fader.end()
  try scene.stop()
}
