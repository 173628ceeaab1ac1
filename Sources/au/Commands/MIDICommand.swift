// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import CoreMIDI

/// `au midi`.
enum MIDICommand {
  private static let json = Flag("json", "print JSON")

  /// Lists sources and destinations.
  static let command = Command(
    "midi", "list the sources and destinations of MIDI",
    discussion: """
      Shows what a program can receive from and send to, with the version of MIDI of its messages \
      and the number by which programs find it again: the ports of hardware and of other programs, \
      through ALSA's sequencer or JACK. Every program also has a bus of its own: what it sends to \
      the destination of the bus comes from the source.
      """,
    parameters: [json],
    examples: [
      .init("au midi", "All sources and destinations."),
      .init("au midi --json", "For a program to read."),
    ]
  ) { values in
    // The ports of the machine are there once a program has a client.
    var client = MIDIClientRef()
    MIDIClientCreateWithBlock("au" as CFString, &client, nil)
    let report = MIDIEndpointsReport()
    Console.print(values[json] ? try JSON.text(report) : report.text)
  }
}
