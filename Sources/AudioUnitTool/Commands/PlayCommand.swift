// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import ToneModel

/// `au play`.
enum PlayCommand {
  private static let files = RepeatedArgument<String>(
    "FILE", .path("the path of a sound file or of a folder, or - for the standard input"),
    "sounds, folders of them, or - for standard input; or one MIDI file")
  private static let rate = Option<Double>(
    "rate", "FACTOR", .number(in: 1 / 32.0...32), default: 1,
    "the playback speed; the pitch does not change")
  private static let pitch = Option<Double?>(
    "pitch", "CENTS", .number(of: "cents", in: -2_400...2_400),
    "raise the pitch, in hundredths of a semitone; the speed does not change")
  private static let effects = RepeatedOption<UnitSpec>(
    "effect", "EFFECT", .unitSpec,
    "apply an effect; repeat the option for several, in their order")
  private static let device = Option<String?>(
    "device", "DEVICE", .deviceName,
    "play to this device")
  private static let loop = Flag("loop", "repeat from the beginning")
  private static let gain = Option<Double>(
    "gain", "DB", .level(in: -100...24), default: 0, "the change of level")

  private static let bank = Option<String?>(
    "bank", "FILE", .path("the path of a SoundFont or DLS bank"),
    "the SoundFont or DLS bank that plays a MIDI file (default: the system's bank)")

  /// Plays sound files.
  static let command = Command(
    "play", "play sound files, or a MIDI file",
    discussion: """
      Files follow each other without a gap; all sound files of a folder are played, in the order \
      of their names. Files with another sample rate than the first are converted to that rate \
      while they are read, and then to the device's. A device with fewer channels than the files gets \
      a mix of all (ITU-R BS.775).

      On a terminal, a line shows the position. Space pauses; the arrow keys skip 5 seconds (left, \
      right) or a minute (down, up) back and ahead; n and p go to the next and the previous file, \
      q quits. Without a terminal it prints a line for each file.

      A pipe is played while data arrives, if the file type allows it and --loop is not given; \
      otherwise, or if --from or --to is a time before the end, it is played once it is complete.

      --from and --to play a part of each file, as `au convert` cuts them: seconds, minutes and seconds, \
      frames, or a time before the end.

      An effect is written EFFECT,PARAMETER=VALUE,…, as for `au tone`.

      A MIDI file is played by the instruments of a bank; --rate and --loop apply to it, other changes \
      of the sound do not.
      """,
    parameters: EditOptions.places + [
      rate, pitch, effects, ProcessOption.outOfProcess, device, loop, gain, MixOptions.lowFrequency,
      bank, files,
    ],
    examples: [
      .init("au play song.flac", "A file, to the default device."),
      .init("au play album --gain -6", "All files of a folder, at half the level."),
      .init("au play talk.mp3 --from 1:00 --to 1:10", "Ten seconds."),
      .init("au play talk.mp3 --rate 1.5", "A talk, one and a half times as fast."),
      .init("au play loop.wav --loop --effect rvb2,preset=plate", "A loop, with an effect."),
      .init("au tone 440 -o - | au play -", "The output of another program."),
      .init("au play song.mid --bank piano.sf2", "A MIDI file, with the instruments of a bank."),
    ], hints: OtherPrograms.playOptions
  ) { values in
    if let device = values[device] { setenv("AUDIOTOOLBOX_DEVICE", device, 1) }
    let part = EditOptions.part(values)
    if let path = values[files].first(where: MIDIScore.isScore) {
      guard values[files].count == 1, !values.has(pitch), !values.has(effects), !values.has(gain),
        !values[ProcessOption.outOfProcess], part == nil
      else {
        throw UsageError(
          "\(path) is a MIDI file: it is played alone, without --from, --to, --pitch, --effect, "
            + "--out-of-process and --gain")
      }
      var playback = try MIDIPlayback(
        path, bank: values[bank], rate: values[rate], loops: values[loop],
        PlayKeyboard(isInput: false))
      return try playback.run()
    }
    try ProcessOption.apply(values, to: values[effects])
    let list = try Playlist(values[files], part, streamsInput: !values[loop])
    let chain = try PlayChain(
      list,
      .init(
        rate: values[rate], pitch: values[pitch], effects: values[effects], gain: values[gain],
        loops: values[loop], lowFrequencyGain: MixOptions.lowFrequencyGain(values)))
    let keyboard = PlayKeyboard(isInput: values[files].contains("-"))
    var playing = Playing(list, chain, keyboard)
    try playing.run()
  }
}
