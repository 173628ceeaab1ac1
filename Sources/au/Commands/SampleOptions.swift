// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import CommandSupport
import SignalProcessing

/// What the commands that render files are told of their samples.
enum SampleOptions {
  /// What can be said of bits.
  enum Bits: String, CaseIterable, Sendable {
    case sixteen = "16"
    case twentyFour = "24"
    case float = "32f"
  }

  static let bits = Option<Bits?>(
    "bits", "BITS", .choice(),
    "sample format of the file: dithered integers, or 32-bit float (default: 32f, 24 in FLAC)")
  static let dither = Option<ConversionSettings.Dither>(
    "dither", "WORD", default: .triangular, "the noise that hides the rounding to --bits")

  /// What a line says; `path` is what is written, nil where nothing is.
  ///
  /// - Throws: What has no effect, or what the kind of file cannot hold.
  static func samples(_ values: Values, path: String?) throws -> SoundFileSamples {
    for (name, isSaid) in [("--bits", values.has(bits)), ("--dither", values.has(dither))]
    where isSaid && path == nil {
      throw UsageError("\(name) has no effect without --output")
    }
    guard let path, let said = values[bits] else {
      if values.has(dither) { throw UsageError("--dither has no effect without --bits 16 or 24") }
      return .native
    }
    if said == .float, values.has(dither) {
      throw UsageError("--dither has no effect on floating point")
    }
    do {
      let samples =
        try Int(said.rawValue).map { bits throws(AudioError) in
          try SoundFileSamples(bits: bits, dither: values[dither].kind)
        } ?? .float
      try samples.check(path: path)
      return samples
    } catch { throw UsageError(error.explanation) }
  }
}

extension ConversionSettings.Dither {
  fileprivate var kind: Dither.Kind {
    switch self {
    case .none: .none
    case .triangular: .triangular
    case .shaped: .shaped
    }
  }
}
