// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import CommandSupport
import Dispatch

/// `au convert`.
enum ConvertCommand {
  private static let inputs = RepeatedArgument<String>(
    "IN", .path("the path of a sound file, or of a folder of them"), "sound files, or folders")
  private static let output = Option<String?>(
    "output", "OUT", .path("the path of a file, or of a folder"),
    "the file to write, or the folder to write to (default: beside the input)")
  private static let kind = Option<String?>(
    "format", "KIND", .text("an ending, such as wav, flac, m4a, opus, mp3 or caf"),
    "what files in a folder become (default: wav)")
  private static let rate = Option<Double?>(
    "rate", "HZ", .sampleRate(in: 1_000...768_000), "the sample rate (default: that of the input)")
  private static let bits = Option<Int?>(
    "bits", "N",
    .init(expected: "8, 16, 24, 32, 32f or 64f") { ConversionSettings.bits[$0] },
    "bits of a sample; 32f and 64f are floating point (default: those of the input)")
  private static let codec = Option<ConversionSettings.Codec?>(
    "codec", "WORD",
    .init(expected: ConversionSettings.Codec.allCases.map(\.rawValue).joined(separator: ", ")) {
      ConversionSettings.Codec(rawValue: $0)
    }, "what packets are, where a kind of file holds several (default: the usual one)")
  private static let bitRate = Option<Int?>(
    "bitrate", "KBITS", .wholeNumber(of: "kilobits per second", in: 6...2_560),
    "kilobits per second of all channels, where sound is lost (default: those usual)")
  private static let variable = Option<Int?>(
    "vbr", "PERCENT", .wholeNumber(of: "percent", in: 0...100),
    "as many bits as this quality takes (AAC, MP3, Vorbis)")
  private static let channels = Option<Int?>(
    "channels", "N", .wholeNumber(of: "channels", in: 1...64),
    "how many channels (default: those of the input)")
  private static let quality = Option<ConversionSettings.Quality>(
    "quality", "WORD", default: .high, "of rate conversion")
  private static let dither = Option<ConversionSettings.Dither>(
    "dither", "WORD", default: .triangular, "what hides the loss of bits")
  private static let normalize = Option<Double?>(
    "normalize", "DB", .level(in: -60...0), "the true peak that the sound is brought to")
  private static let trim = Flag("trim", "leave out silence (below -60 dB) at both ends")
  private static let noTags = Flag(
    "no-tags", "leave out texts, pictures and markers")
  private static let overwrite = Flag(
    "overwrite", "convert again what is there and newer than its input")
  private static let jobs = Option<Int>(
    "jobs", "N", .wholeNumber(of: "files at a time", in: 1...64),
    default: ProcessInfo.processInfo.activeProcessorCount, "how many files are converted at a time")
  private static let json = Flag("json", "print a line of JSON for each file")

  /// Converts sound files.
  static let command = Command(
    "convert", "convert sound files: kind, rate, bits, channels",
    discussion: """
      The ending of the output says what it becomes: .wav, .rf64, .bw64, .w64, .aiff, .aifc, .caf and .au \
      hold samples as they are, .flac (and .m4a, .mp4 and .caf with --codec alac) packs them without \
      loss; .m4a, .m4b, .mp4 and .aac are AAC, .ogg is Vorbis, .opus and .mp3 what they are called. \
      Rates that a codec does not have become the next higher one. Texts, a picture, markers and loops \
      go along where the kind of file has a place for them. A file takes its name when it is whole; one \
      that is there and newer than its input is left as it is, so that an interrupted run goes on where \
      it stopped. Neither the number of jobs nor what was done before changes what is written.
      """,
    parameters: [
      output, kind, codec, rate, bits, channels, bitRate, variable, quality, dither, normalize,
      trim,
      noTags, overwrite, jobs, json, inputs,
    ],
    examples: [
      .init("au convert take.wav -o take.flac", "Packs a recording."),
      .init("au convert song.flac -o song.opus --bitrate 128", "For listening on the way."),
      .init("au convert take.wav -o cd.wav --rate 44100 --bits 16", "For a compact disc."),
      .init("au convert takes --output packed --format flac --jobs 4", "A folder, four at a time."),
    ]
  ) { values in
    var settings = ConversionSettings()
    settings.sampleRate = values[rate]
    settings.bits = values[bits]
    settings.channelCount = values[channels]
    settings.codec = values[codec]
    settings.bitRate = values[bitRate]
    settings.variableQuality = values[variable]
    settings.keepsTexts = !values[noTags]
    settings.quality = values[quality]
    settings.dither = values[dither]
    settings.normalizedPeak = values[normalize]
    settings.trims = values[trim]
    let tasks = try ConversionList.tasks(
      values[inputs], output: values[output], kind: values[kind])
    let run = ConversionRun(tasks, settings, isJSON: values[json], keepsFresh: !values[overwrite])
    guard run.perform(jobs: values[jobs]) else {
      throw Failure("\(run.failureCount) of \(Numbers.count(tasks.count, "file")) not converted")
    }
  }
}
