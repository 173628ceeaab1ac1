// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import PlainText
import ToneModel

/// The options that change a sound, shared by the commands that write files.
enum EditOptions {
  private static let from = Option<SoundPosition?>(
    "from", "TIME", .soundPosition, "begin at this time")
  private static let to = Option<SoundPosition?>("to", "TIME", .soundPosition, "end at this time")
  private static let trim = Flag("trim", "remove the silence at both ends; --from and --to cut")
  private static let silence = Option<Double?>(
    "remove-silence", "SECONDS", .seconds(in: 0...3_600), "shorten every silence to this")
  private static let threshold = Option<Double>(
    "silence-level", "DB", .level(in: -150...0), default: -60,
    "what is below this on all channels is silence")
  private static let reverse = Flag("reverse", "play backwards")
  private static let pick = Option<[Int]?>(
    "pick", "CHANNELS", .channelNumbers, "pick, swap or repeat channels")
  private static let speed = Option<Double?>(
    "speed", "FACTOR", .number(in: 0.01...100), "faster and higher, as a tape is")
  private static let tempo = Option<Double?>(
    "tempo", "FACTOR", .number(in: 0.03125...32), "faster at the same pitch")
  private static let pitch = Option<Double?>(
    "pitch", "SEMITONES", .number(of: "semitones", in: -24...24),
    "semitones higher at the same tempo")
  private static let fadeIn = Option<Double?>(
    "fade-in", "SECONDS", .seconds(in: 0...3_600), "length of a fade in")
  private static let fadeOut = Option<Double?>(
    "fade-out", "SECONDS", .seconds(in: 0...3_600), "length of a fade out, up to the end")
  private static let curve = Option<FadeStep.Curve>(
    "fade-curve", "WORD", default: .linear, "the shape of fades")
  private static let gain = Option<Double?>(
    "gain", "DB", .level(in: -200...200), "change the level")
  private static let normalize = Option<Double?>(
    "normalize", "DB", .level(in: -60...0), "normalise to this true peak")
  private static let loudness = Option<Double?>(
    "loudness", "LUFS", .loudness(in: -70...0), "normalise to this loudness (EBU R 128)")
  private static let ceiling = Option<Double?>(
    "peak", "DBTP", .truePeak(in: -60...20), "turn down so that no true peak exceeds this")

  /// Those that name a part of the sound.
  static let places: [any Parameter] = [from, to]

  /// All of them, in the order in which they take effect.
  static let all: [any Parameter] =
    places + [
      trim, silence, threshold, reverse, pick, tempo, pitch, speed, fadeIn, fadeOut, curve,
      gain, normalize, loudness, ceiling,
    ]

  /// The part of the sound that the options name; nil for all of it.
  static func part(_ values: Values) -> SoundPart? {
    guard values[from] != nil || values[to] != nil else { return nil }
    return SoundPart(from: values[from], to: values[to])
  }

  /// The edit that the options request.
  ///
  /// - Throws: If options exclude each other, or have no effect.
  static func edit(_ values: Values) throws -> Edit {
    var edit = Edit()
    let threshold = SilenceThreshold(values[threshold])
    if let part = part(values) { edit.steps.append(CutStep(part: part)) }
    if values[trim] { edit.steps.append(TrimStep(threshold: threshold)) }
    if let remaining = values[silence] {
      edit.steps.append(SilenceStep(remaining: remaining, threshold: threshold))
    }
    if values[reverse] { edit.steps.append(ReverseStep()) }
    if let numbers = values[pick] { edit.steps.append(ChannelStep(numbers: numbers)) }
    if let unit = stretcher(values) { edit.steps.append(UnitStep(units: [unit], tail: 0)) }
    edit.speed = values[speed] ?? 1
    if values[fadeIn] != nil || values[fadeOut] != nil {
      edit.lastSteps.append(
        FadeStep(
          fadeIn: values[fadeIn] ?? 0, fadeOut: values[fadeOut] ?? 0, curve: values[curve]))
    }
    if let gain = values[gain] { edit.lastSteps.append(GainStep(decibels: gain)) }
    let target: NormalizeStep.Measure? =
      values[loudness].map { .loudness($0) } ?? values[normalize].map { .peak($0) }
    if target != nil || values[ceiling] != nil {
      edit.lastSteps.append(NormalizeStep(target: target, ceiling: values[ceiling]))
    }
    try check(values)
    return edit
  }

  /// Explains numbers among the inputs, which other programs take as places to cut.
  static func check(inputs: [String], _ values: Values) throws(UsageError) {
    guard values[trim] else { return }
    let numbers = inputs.filter {
      SoundPosition($0) != nil && !FileManager.default.fileExists(atPath: $0)
    }
    guard let first = numbers.first else { return }
    let cut = "--from \(first)" + (numbers.count > 1 ? " --to \(numbers[1])" : "")
    throw UsageError("\(first) is no file; --trim removes silence at both ends: \(cut) cuts")
  }

  private static func check(_ values: Values) throws {
    if values.has(loudness), values.has(normalize) {
      throw UsageError(
        "--loudness and --normalize exclude each other: --loudness -16 --peak -1 has a ceiling")
    }
    if values.has(threshold), !values[trim], !values.has(silence) {
      throw UsageError("--silence-level has no effect without --trim or --remove-silence")
    }
    if values.has(curve), !values.has(fadeIn), !values.has(fadeOut) {
      throw UsageError("--fade-curve has no effect without --fade-in or --fade-out")
    }
  }

  /// The unit that changes the tempo or the pitch.
  private static func stretcher(_ values: Values) -> UnitSpec? {
    guard values[tempo] != nil || values[pitch] != nil else { return nil }
    let cents = (values[pitch] ?? 0) * 100
    return UnitSpec("aufc nutp appl,rate=\(values[tempo] ?? 1),pitch=\(cents)")
  }
}

extension ValueReader where Value == Double {
  /// A loudness within a range of LUFS.
  static func loudness(in range: ClosedRange<Double>) -> Self {
    decibels("a loudness", "LUFS", ["lufs", "lkfs", "lu"], "-16 or -16LUFS", in: range)
  }

  /// A true peak within a range of dBTP.
  static func truePeak(in range: ClosedRange<Double>) -> Self {
    decibels("a true peak", "dBTP", ["dbtp"], "-1 or -1dBTP", in: range)
  }

  private static func decibels(
    _ what: String, _ unit: String, _ units: [String], _ examples: String,
    in range: ClosedRange<Double>
  ) -> Self {
    let limits = "from \(Numbers.plain(range.lowerBound)) to \(Numbers.plain(range.upperBound))"
    let all = "\(limits) \(unit), such as \(examples)"
    return Self(expected: "\(what) \(all)", limits: ", \(all)") { text in
      let lower = text.lowercased()
      let suffix = units.first { lower.hasSuffix($0) } ?? ""
      return Quantity.decibels.value(of: String(lower.dropLast(suffix.count)))
        .flatMap { range.contains($0) ? $0 : nil }
    }
  }
}
