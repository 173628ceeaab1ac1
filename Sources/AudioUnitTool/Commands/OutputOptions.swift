// SPDX-License-Identifier: Apache-2.0
import CommandSupport

/// The options for the format of written files, shared by the commands that make files of files.
enum OutputOptions {
  static let output = Option<String?>(
    "output", "OUT", .path("a path whose extension chooses the file type, or - for a pipe"),
    "the file to write, or - for a pipe; its extension chooses the type")
  static let pipeKind = Option<Recording.Kind?>(
    "format", "KIND", .pipeKind, "the file type in a pipe (default: wav)")
  static let rate = Option<Double?>(
    "rate", "HZ", .sampleRate(in: 1_000...768_000), "the sample rate (default: that of the input)")
  static let bits = Option<Int?>(
    "bits", "N", .fileBits,
    "bits per sample; f is floating point (default: those of the input)")
  static let codec = Option<ConversionSettings.Codec?>(
    "codec", "WORD", .choice(),
    "the codec, if the file type allows several (default: the usual one)")
  static let bitRate = Option<Int?>(
    "bitrate", "KBITS", .kilobits,
    "kilobits per second for all channels, with lossy codecs (default: the usual rate)")
  static let variable = Option<Int?>(
    "vbr", "PERCENT", .wholeNumber(of: "percent", in: 0...100),
    "variable bit rate at this quality; for AAC, MP3 and Vorbis")
  static let channels = Option<Int?>(
    "channels", "N", .wholeNumber(of: "channels", in: 1...64),
    "how many channels (default: those of the input)")
  static let quality = Option<ConversionQuality>(
    "quality", "WORD", default: .mastering, "the quality of rate conversion")
  static let dither = Option<ConversionSettings.Dither>(
    "dither", "WORD", default: .triangular, "the noise that hides the loss of bits")
  static let noTags = Flag("no-tags", "do not copy tags, pictures and markers")

  /// All of them but the output.
  static let format: [any Parameter] = [
    codec, rate, bits, channels, MixOptions.lowFrequency, bitRate, variable, quality, dither,
  ]

  /// The settings that they request.
  static func settings(_ values: Values) -> ConversionSettings {
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
    return settings
  }
}

extension ValueReader where Value == Recording.Kind {
  /// The type of a file whose name does not say it.
  static var pipeKind: Self {
    let kinds = Recording.kinds.joined(separator: ", ")
    return Self(expected: kinds, limits: ": \(kinds)", completion: .words(Recording.kinds)) {
      try? Recording.kind($0, of: "--format")
    }
  }
}

extension ValueReader where Value == Int {
  /// Kilobits per second, as a number or, as other programs have it, with a k: "128k".
  static var kilobits: Self {
    let number = Self.wholeNumber(of: "kilobits per second", in: 6...2_560)
    return Self(expected: number.expected, limits: number.limits) { text in
      number.read(text.lowercased().hasSuffix("k") ? String(text.dropLast()) : text)
    }
  }

  /// The bits of a sample in a file.
  static var fileBits: Self {
    Self(
      expected: "8, 16, 24, 32, 32f or 64f", limits: ": 8, 16, 24, 32, 32f or 64f",
      completion: .words(["8", "16", "24", "32", "32f", "64f"])
    ) { ConversionSettings.bits[$0] }
  }
}

extension ValueReader where Value == String {
  /// The path of a sound file to write.
  static var recordingPath: Self { path(Recording.paths, limits: Recording.limits) }

  /// A device.
  static var deviceName: Self {
    text(
      "a device as in AUDIOTOOLBOX_DEVICE", limits: ", as in AUDIOTOOLBOX_DEVICE",
      .dynamic("device"))
  }
}
