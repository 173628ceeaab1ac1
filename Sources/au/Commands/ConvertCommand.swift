// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Dispatch

/// `au convert`.
enum ConvertCommand {
  private static let inputs = RepeatedArgument<String>(
    "IN", .path("the path of a sound file, or of a folder of them"), "sound files, or folders")
  private static let output = Option<String?>(
    "output", "OUT", .path("the path of a file, or of a folder"),
    "the file to write, or the folder to write to (default: the folder of the input)")
  private static let kind = Option<String?>(
    "format", "KIND", .text("an extension, such as wav, flac, m4a, opus, mp3 or caf"),
    "the file type for files in a folder (default: wav)")
  private static let rate = Option<Double?>(
    "rate", "HZ", .sampleRate(in: 1_000...768_000), "the sample rate (default: that of the input)")
  private static let bits = Option<Int?>(
    "bits", "N",
    .init(expected: "8, 16, 24, 32, 32f or 64f") { ConversionSettings.bits[$0] },
    "bits per sample; 32f and 64f are floating point (default: those of the input)")
  private static let codec = Option<ConversionSettings.Codec?>(
    "codec", "WORD",
    .init(expected: ConversionSettings.Codec.allCases.map(\.rawValue).joined(separator: ", ")) {
      ConversionSettings.Codec(rawValue: $0)
    }, "the codec, if the file type allows several (default: the usual one)")
  private static let bitRate = Option<Int?>(
    "bitrate", "KBITS", .wholeNumber(of: "kilobits per second", in: 6...2_560),
    "kilobits per second for all channels, with lossy codecs (default: the usual rate)")
  private static let variable = Option<Int?>(
    "vbr", "PERCENT", .wholeNumber(of: "percent", in: 0...100),
    "variable bit rate at this quality (AAC, MP3, Vorbis)")
  private static let channels = Option<Int?>(
    "channels", "N", .wholeNumber(of: "channels", in: 1...64),
    "how many channels (default: those of the input)")
  private static let quality = Option<ConversionSettings.Quality>(
    "quality", "WORD", default: .high, "the quality of rate conversion")
  private static let dither = Option<ConversionSettings.Dither>(
    "dither", "WORD", default: .triangular, "the noise that hides the loss of bits")
  private static let normalize = Option<Double?>(
    "normalize", "DB", .level(in: -60...0), "normalise to this true peak")
  private static let trim = Flag("trim", "remove silence (below -60 dB) at both ends")
  private static let noTags = Flag(
    "no-tags", "do not copy tags, pictures and markers")
  private static let overwrite = Flag(
    "overwrite", "convert again even if the output is newer than its input")
  private static let jobs = Option<Int>(
    "jobs", "N", .wholeNumber(of: "files at a time", in: 1...64),
    default: ProcessInfo.processInfo.activeProcessorCount,
    "how many files to convert at a time, or parts of a file in FLAC and Apple Lossless")
  private static let json = Flag("json", "print a line of JSON for each file")

  /// Converts sound files.
  static let command = Command(
    "convert", "convert sound files: file type, rate, bits, channels",
    discussion: """
      The extension of the output chooses the file type: .wav, .rf64, .bw64, .w64, .aiff, .aifc, \
      .caf and .au are uncompressed, .flac (and .m4a, .mp4 and .caf with --codec alac) is \
      lossless; .m4a, .m4b, .mp4 and .aac contain AAC, .ogg Vorbis, .opus Opus and .mp3 MP3. If a \
      codec does not have a sample rate, the next higher one is used. Tags, a picture, markers and \
      loops are copied if the file type has a place for them. Samples keep their values if the \
      output has room for their bits; a dither is added only if bits are lost, or the rate or the \
      level changes. Fewer channels are mixed from all (ITU-R BS.775): centre and surrounds at -3 dB, \
      mono as the mean of left and right. Samples that are not numbers become silence, those beyond full scale are \
      clipped, and a line says how many. A file gets its name when it is \
      complete. An output that is newer than its input is skipped, so that an interrupted run can \
      be resumed. The written files do not depend on the number of jobs or on earlier runs.
      """,
    parameters: [
      output, kind, codec, rate, bits, channels, MixOptions.lowFrequency, bitRate, variable,
      quality, dither, normalize, trim, noTags, overwrite, jobs, json, inputs,
    ],
    examples: [
      .init("au convert take.wav -o take.flac", "Compresses a recording without loss."),
      .init("au convert song.flac -o song.opus --bitrate 128", "For a portable player."),
      .init("au convert take.wav -o cd.wav --rate 44100 --bits 16", "For a compact disc."),
      .init(
        "au convert takes --output packed --format flac --jobs "
          + "4", "A folder, four files at a time."),
    ]
  ) { values in
    var settings = ConversionSettings()
    settings.sampleRate = values[rate]
    settings.bits = values[bits]
    settings.channelCount = values[channels]
    settings.lowFrequencyGain = MixOptions.lowFrequencyGain(values)
    settings.codec = values[codec]
    settings.bitRate = values[bitRate]
    settings.variableQuality = values[variable]
    settings.copiesMetadata = !values[noTags]
    settings.quality = values[quality]
    settings.dither = values[dither]
    settings.normalizedPeak = values[normalize]
    settings.trims = values[trim]
    let tasks = try ConversionList.tasks(
      values[inputs], output: values[output], kind: values[kind])
    settings.threads = max(1, values[jobs] / max(1, tasks.count))
    let run = ConversionRun(tasks, settings, isJSON: values[json], keepsNewer: !values[overwrite])
    guard run.perform(jobs: values[jobs]) else {
      throw Failure("\(run.failureCount) of \(Numbers.count(tasks.count, "file")) not converted")
    }
  }
}
