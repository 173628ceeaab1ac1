// SPDX-License-Identifier: Apache-2.0
import CommandSupport

/// Sends typed messages, each at its time.
struct MIDISending {
  let messages: TypedMIDI
  let output: MIDIOutput
  /// Seconds before the first message.
  let delay: Double

  /// Sends all and waits until they are sent. A signal ends the notes, and the process.
  func run() throws {
    let signals = Signals(Signals.ending)
    let begin = ContinuousClock.now + .seconds(delay)
    var sounding = SoundingKeys()
    func wait(until time: Double) throws {
      guard let signal = signals.next(until: begin + .seconds(time)) else { return }
      for message in sounding.endings { try output.send(message) }
      output.finish()
      Signals.endProcess(by: signal)
    }
    for event in messages.events {
      try wait(until: event.time)
      try output.send(event.bytes)
      sounding.follow(event.bytes)
    }
    try wait(until: messages.length)
    output.finish()
  }
}
