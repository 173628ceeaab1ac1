// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import PlainText

/// `au record`.
enum RecordCommand {
  private static let place = Argument<String?>(
    optional: "OUT", .path(paths), "the file to write, as with --output")
  private static let output = Option<String?>(
    "output", "OUT", .path(paths, limits: ", whose name ends in \(Recording.endings)"),
    "the file to write")
  private static let paths = "a path that ends in \(Recording.endings)"
  private static let seconds = Option<Double?>(
    "seconds", "SECONDS", .seconds(in: 0.01...604_800),
    "how long to record (default: until Ctrl-C)")
  private static let device = Option<String?>(
    "device", "DEVICE", .deviceName,
    "record from this device")
  private static let rate = Option<Double?>(
    "rate", "HZ", .sampleRate(in: 1_000...768_000), "the sample rate (default: the device's)")
  private static let channels = Option<Int?>(
    "channels", "N", .wholeNumber(of: "channels", in: 1...64),
    "how many channels; fewer than the device's are a mix of all (default: the device's)")
  private static let bits = Option<Int?>(
    "bits", "N", .fileBits,
    "bits per sample, in uncompressed files; f is floating point (default: 24)")
  private static let startAbove = Option<Double?>(
    "start-above", "DB", .level(in: -100...0),
    "begin when a sample exceeds this level; the half second before it is included")
  private static let stopBelow = Option<Double?>(
    "stop-below", "DB", .level(in: -100...0),
    "end when all samples stay below this level for two seconds")

  /// Records the input to a file.
  static let command = Command(
    "record", "record the input to a sound file",
    discussion: """
      The extension chooses the file type: .wav, .rf64, .w64, .aiff, .aifc, .caf and .au are \
      uncompressed, .flac compresses 16 or 24 bits without loss, .m4a, .ogg, .opus and .mp3 are \
      lossy. The file gets its name when it is complete, after Ctrl-C too; an older one of that \
      name stays until then. On a terminal the levels of the channels are shown meanwhile.
      """,
    parameters: [
      output, seconds, device, rate, channels, MixOptions.lowFrequency, bits, startAbove, stopBelow,
      place,
    ],
    examples: [
      .init("au record take.wav", "Until Ctrl-C."),
      .init("au record -o take.flac --seconds 60 --channels 1", "A minute of one channel."),
      .init(
        "au record speech.wav --start-above -40 --stop-below -50",
        "From the first word to two seconds after the last."),
    ]
  ) { values in
    if let name = values[device] { setenv("AUDIOTOOLBOX_DEVICE", name, 1) }
    var settings = InputRecording.Settings()
    settings.seconds = values[seconds]
    settings.sampleRate = values[rate]
    settings.channelCount = values[channels]
    settings.lowFrequencyGain = MixOptions.lowFrequencyGain(values)
    settings.bits = values[bits]
    let path = try path(values)
    settings.startLevel = values[startAbove]
    settings.stopLevel = values[stopBelow]
    let recording = try InputRecording(path, settings.encoding(for: path), settings)
    let signal = try recording.run()
    Console.print(
      "\(path): \(Numbers.rounded(recording.recordedSeconds, digits: 2)) s")
    // Ctrl-C is how a recording ends, so that what follows in a script is done.
    if let signal, signal != SIGINT { Signals.endProcess(by: signal) }
  }

  /// The output file, which is given in one of two ways.
  private static func path(_ values: Values) throws(UsageError) -> String {
    switch (values[place], values[output]) {
    case (let path?, nil), (nil, let path?): return path
    case (nil, nil): throw UsageError("OUT is missing: expected \(paths)")
    case (let place?, let output?):
      throw UsageError(
        "two output files, \(Excerpt.quoted(place)) and \(Excerpt.quoted(output)): name one")
    }
  }
}
