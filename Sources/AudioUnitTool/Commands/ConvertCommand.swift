// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Dispatch

/// `au convert`.
enum ConvertCommand {
  private static let inputs = RepeatedArgument<String>(
    optional: "IN", .path("the path of a sound file, or of a folder of them; - for a pipe"),
    "sound files, or folders of them; - for a pipe")
  private static let rawInput = Option<RawFormat?>(
    "raw-in", "FORMAT", .rawInput, "read an input without a header: its samples, rate and channels")
  private static let rawOutput = Option<RawFormat?>(
    "raw-out", "SAMPLES", .rawOutput, "write samples without a header")
  private static let jobs = Option<Int>(
    "jobs", "N", .wholeNumber(of: "files", in: 1...64),
    default: ProcessInfo.processInfo.activeProcessorCount,
    "how many files to convert at a time, or parts of one in FLAC and Apple Lossless")

  /// Converts sound files.
  static let command = Command(
    "convert", "convert and edit sound files: type, rate, channels, level",
    discussion: """
      The extension of the output chooses the file type: .wav, .rf64, .bw64, .w64, .aiff, .aifc, \
      .caf and .au are uncompressed, .flac (and .m4a, .mp4 and .caf with --codec alac) is \
      lossless; .m4a, .m4b, .mp4 and .aac contain AAC, .ogg Vorbis, .opus Opus and .mp3 MP3. If a \
      codec does not have a sample rate, the next higher one is used. Tags, a picture, markers and \
      loops are copied if the file type has a place for them.

      Edits take effect in this order, whatever the order of the options: --from and --to, --trim, \
      --remove-silence, --reverse, --pick, --tempo and --pitch, --speed, fades, --gain, and at last \
      --loudness, --normalize or --peak. --loudness measures the whole sound, then changes its level by \
      one gain; with --peak, no more than that true peak allows.

      Samples keep their values if the \
      output has room for their bits; a dither is added only if bits are lost, or the rate or the \
      level changes. Fewer channels are mixed from all (ITU-R BS.775): centre and surrounds at -3 dB, \
      mono as the mean of left and right. Samples that are not numbers become silence, those beyond full scale are \
      clipped, and a line says how many.

      \(BatchOptions.discussion)

      From a pipe to a pipe, sound passes while it arrives, unless an option or a codec needs all of it \
      first: -f flac -o - writes FLAC.
      """,
    parameters: [
      BatchOptions.output, BatchOptions.kind,
    ] + OutputOptions.format + EditOptions.all + MetadataOptions.all + [
      rawInput, rawOutput, OutputOptions.noTags, BatchOptions.list, BatchOptions.shard,
      BatchOptions.overwrite, BatchOptions.force, BatchOptions.synchronized, jobs,
      BatchOptions.json,
      inputs,
    ],
    examples: [
      .init("au convert take.wav -o take.flac", "Compresses a recording without loss."),
      .init("au convert song.flac -o song.opus --bitrate 128", "For a portable player."),
      .init("au convert take.wav -o cd.wav --rate 44100 --bits 16", "For a compact disc."),
      .init(
        "au convert takes --output packed --format flac --jobs "
          + "4", "A folder, four files at a time."),
      .init(
        "au convert corpus -o packed --rate 16000 --shard 2/8",
        "The second of eight parts of a folder, such as a task of an array job."),
      .init(
        "au convert talk.wav -o talk.m4a --from 0:12 --to -3 --fade-out 2",
        "A part, to three seconds before the end, with a fade."),
      .init(
        "au convert episodes -o even/ --loudness -16LUFS --peak -1dBTP",
        "The same loudness for all, true peaks below -1 dB."),
      .init(
        "au convert song.wav -o slow.wav --tempo 0.8 --pitch 2", "Slower, two semitones higher."),
      .init("au convert stereo.wav -o swapped.wav --pick 2,1", "Swaps the channels."),
      .init(
        "au convert song.wav -o song.flac --tag artist=Bach --picture bach.jpg",
        "With a tag and a picture; --marker and --loop set places."),
      .init(
        "au convert - -o - --raw-in s16le,48000,2 --gain -6 < samples | aplay",
        "Samples without a header, from a pipe to a pipe."),
    ], hints: OtherPrograms.options
  ) { values in
    var settings = OutputOptions.settings(values)
    settings.edit = try EditOptions.edit(values)
    settings.metadata = try MetadataOptions.edit(values)
    settings.kind = try BatchOptions.fileKind(values)
    settings.rawInput = values[rawInput]
    settings.rawOutput = values[rawOutput]
    try check(values)
    settings.isSynchronized = values[BatchOptions.synchronized]
    try EditOptions.check(inputs: values[inputs], values)
    try OtherPrograms.check(inputs: values[inputs])
    let batch = try BatchOptions.batch(values, inputs)
    settings.threads = max(1, values[jobs] / max(1, batch.tasks.count))
    let options = values.texts(without: BatchOptions.aboutTheRun + [inputs, jobs])
    let run = ConversionRun(
      batch.tasks, settings, isJSON: values[BatchOptions.json], folders: batch.folders,
      record: batch.isResumable ? ConversionRecord(options: options) : nil,
      keepsNewer: !values[BatchOptions.overwrite])
    try BatchOptions.perform(run, jobs: values[jobs], "converted")
  }

  /// Refuses options that contradict each other.
  private static func check(_ values: Values) throws {
    guard values.has(rawOutput) else { return }
    let others: [any Parameter] = [
      OutputOptions.bits, OutputOptions.codec, OutputOptions.bitRate, OutputOptions.variable,
    ]
    for option in others where values.has(option) {
      throw UsageError("\(option.name) has no effect with --raw-out, which chooses the samples")
    }
  }
}
