// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import CoreMIDI
import Foundation

/// Plays a MIDI file to a destination.
struct MIDIFilePlayback {
  let score: MIDIScore
  let destination: MIDIEndpointRef
  /// Waits until the last messages are sent.
  let output: MIDIOutput

  /// Plays to the end, or until a signal, which ends the notes and then the process.
  func run() throws {
    let signals = Signals(Signals.ending)
    try score.setDestination(destination)
    let length = score.seconds
    let title = URL(fileURLWithPath: score.path).lastPathComponent
    var line = PlayLine()
    var signal: Int32?
    try score.start()
    while signal == nil {
      let position = score.position
      line.show(
        .init(
          position: min(position, length), length: length, title: title, number: 1, count: 1,
          isPaused: false))
      if position >= length { break }
      signal = signals.next(until: .now + .milliseconds(50))
    }
    line.clear()
    // A player ends the notes when it stops.
    try score.setPaused(true)
    output.finish()
    if let signal { Signals.endProcess(by: signal) }
  }
}
