// SPDX-License-Identifier: Apache-2.0
// A file through a mixer and an effect, edited while it plays: FileChain FILE
//
// Reads one command per line: "volume VALUE", "cutoff HERTZ", "effect 0|1" (takes the effect out of the
// graph, or puts it back), "wait SECONDS", "quit". The file is repeated until then.
// Examples/Graphs/file.json describes the same graph.
import AVFoundation
import ExampleSupport

run("FileChain FILE") { arguments in
  let chain = try FileChain(arguments.text("FILE"), sampleRate: try activateSession(.playback))
  try chain.start()
  show("volume VALUE, cutoff HERTZ, effect 0|1, wait SECONDS, quit")
  readCommands { command in
    switch command.form {
    case ("volume", 1): try chain.volume.set(command.value(1))
    case ("cutoff", 1): try chain.cutoff.set(command.value(1))
    case ("effect", 1): try chain.setEffect(isOn: command.value(1) != 0)
    default: throw command.unknown
    }
  }
  try chain.stop()
}
