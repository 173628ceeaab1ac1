// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import ToneModel

/// `au play`.
enum PlayCommand {
  private static let files = RepeatedArgument<String>(
    "FILE", .path("the path of a sound file or of a folder, or - for the standard input"),
    "sound files, or folders")
  private static let rate = Option<Double>(
    "rate", "FACTOR", .number(in: 1 / 32.0...32), default: 1,
    "how many times as fast; the pitch stays")
  private static let pitch = Option<Double?>(
    "pitch", "CENTS", .number(of: "cents", in: -2_400...2_400),
    "how much higher, in hundredths of a semitone; the time stays")
  private static let effects = RepeatedOption<UnitSpec>(
    "effect", "EFFECT", .unitSpec,
    "apply an effect; repeat the option to apply several, in their order")
  private static let device = Option<String?>(
    "device", "DEVICE", .text("a device as in AUDIOTOOLBOX_DEVICE", .asked("device")),
    "play to this device")
  private static let loop = Flag("loop", "begin again at the end")
  private static let gain = Option<Double>(
    "gain", "DB", .level(in: -100...24), default: 0, "how much louder")

  /// Plays sound files.
  static let command = Command(
    "play", "play sound files",
    discussion: """
      Files follow each other without a gap; of a folder all sound files are played, in the order of their \
      names. A file of another rate than the first is converted to that while it is read, and the device's \
      rate is made of it.

      On a terminal a line shows how far it is. Space pauses; the arrows go 5 seconds (left, right) or a \
      minute (down, up) back and ahead; n and p go to the next and the previous file, q ends. Without a \
      terminal it prints a line for each file.

      What comes through a pipe is played while it comes, where its kind of file allows for that and it is \
      not repeated; else when all of it has come.

      An effect is written EFFECT,PARAMETER=VALUE,…, as for `au tone`.
      """,
    parameters: [rate, pitch, effects, device, loop, gain, files],
    examples: [
      .init("au play song.flac", "A file, to the default device."),
      .init("au play album --gain -6", "All files of a folder, at half the level."),
      .init("au play talk.mp3 --rate 1.5", "A talk, half as fast again."),
      .init("au play loop.wav --loop --effect rvb2,preset=plate", "A loop, with an effect."),
      .init("au tone 440 -o - | au play -", "What another program writes."),
    ]
  ) { values in
    if let device = values[device] { setenv("AUDIOTOOLBOX_DEVICE", device, 1) }
    let list = try Playlist(values[files], streamsInput: !values[loop])
    let chain = try PlayChain(
      list,
      .init(
        rate: values[rate], pitch: values[pitch], effects: values[effects], gain: values[gain],
        loops: values[loop]))
    let keyboard = PlayKeyboard(isInput: values[files].contains("-"))
    var playing = Playing(list, chain, keyboard)
    try playing.run()
  }
}
