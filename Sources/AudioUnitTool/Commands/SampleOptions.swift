// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import CommandSupport
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// The options for the samples of a file, shared by the commands that render files.
enum SampleOptions {
  /// The choices of --bits.
  enum Bits: String, CaseIterable, Sendable {
    case sixteen = "16"
    case twentyFour = "24"
    case float = "32f"
  }

  static let bits = Option<Bits?>(
    "bits", "BITS", .choice(),
    "bits per sample; integers are dithered, 32f is floating point (default: 32f, 24 in FLAC)")
  static let dither = Option<ConversionSettings.Dither>(
    "dither", "WORD", default: .triangular, "the noise that hides the rounding to --bits")

  /// The sample format that the options request; `path` is the file to write, nil if there is none, `usual`
  /// the dither unless one is chosen. `dithersDevices`: without a file, the dither is for the device.
  ///
  /// - Throws: If an option has no effect, or if the file type cannot hold the format.
  static func samples(
    _ values: Values, path: String?, usually usual: Dither.Kind = .triangular,
    dithersDevices: Bool = false
  ) throws -> SoundFileSamples {
    let hasUselessDither = values.has(dither) && !dithersDevices
    for (name, isGiven) in [("--bits", values.has(bits)), ("--dither", hasUselessDither)]
    where isGiven && path == nil {
      throw UsageError("\(name) has no effect without --output")
    }
    if path == nil, dithersDevices { return .native }
    guard let path, let chosen = values[bits] else {
      if values.has(dither) { throw UsageError("--dither has no effect without --bits 16 or 24") }
      return .native
    }
    if chosen == .float, values.has(dither) {
      throw UsageError("--dither has no effect on floating point")
    }
    do {
      let samples =
        if let bits = Int(chosen.rawValue) {
          try SoundFileSamples(bits: bits, dither: values.has(dither) ? values[dither].kind : usual)
        } else {
          SoundFileSamples.float
        }
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
