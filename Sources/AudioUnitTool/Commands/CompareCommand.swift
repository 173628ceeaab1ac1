// SPDX-License-Identifier: Apache-2.0
import CommandSupport
@_spi(TrappingConversions) import CheckedNumbers

/// `au compare`.
enum CompareCommand {
  private static let first = Argument<String>(
    "A", .path("the path of a sound file"), "a sound file")
  private static let second = Argument<String>(
    "B", .path("the path of a sound file"), "another; it gets the sample rate of the first")
  private static let search = Option<Double>(
    "search", "SECONDS", .seconds(in: 0...20), default: 2,
    "how far the one may be later than the other; 0 compares them as they are")
  private static let within = Option<Double?>(
    "within", "DB", .level(in: -400...0),
    "fail if the difference, relative to the first, is above this")
  private static let json = Flag("json", "print JSON")

  /// Compares two sound files.
  static let command = Command(
    "compare", "compare two sound files: offset, level, null test",
    discussion: """
      Finds by how much one is later than the other, aligns them and subtracts them. The null test is the \
      RMS of the difference relative to that of the first file, in decibels: about -96 dB for a copy with \
      16 bits, -inf for the same samples. "At equal level" is the difference that is left when the second \
      has got the level that brings it closest. With --within, the exit status is 1 if the null test is \
      above that level, if one file is longer than the other, or if samples are not numbers.
      """,
    parameters: [first, second, search, within, json],
    examples: [
      .init("au compare take.wav copy.flac", "Whether a copy is exact."),
      .init("au compare take.wav take.mp3 --within -30", "A test for a script."),
    ]
  ) { values in
    guard values[first] != "-" || values[second] != "-" else {
      throw UsageError("-: standard input can be read once")
    }
    let inputs = try [values[first], values[second]].map {
      try SoundInput($0, ConversionSettings(), isStreamed: false)
    }
    let rate = try inputs[0].open().sampleRate
    func open(_ index: Int) throws(Failure) -> any SoundStream {
      let sound = try inputs[index].open()
      return try RateStep(newRate: { _ in rate }).apply(
        to: { () throws(Failure) in sound }, EditNotes())
    }
    let counts = try (open(0).channelCount, open(1).channelCount)
    guard counts.0 == counts.1 else {
      throw Failure(
        "\(inputs[0].title) has \(Numbers.count(counts.0, "channel")), \(inputs[1].title) has "
          + "\(counts.1): `au convert --pick` or --channels makes them equal")
    }
    let limit = Int(saturating: (values[search] * rate).rounded())
    let offset = limit == 0 ? 0 : try SoundAlignment.offset(of: open(1), to: open(0), limit: limit)
    // A length at another rate is rounded.
    let otherRate = inputs[1].sampleRate
    let tolerance = otherRate == rate ? 0 : Int(saturating: (rate / otherRate).rounded(.up))
    let comparison = try SoundComparison(
      (inputs[0].title, inputs[1].title), try open(0), try open(1), offset: offset,
      tolerance: tolerance)
    Console.print(values[json] ? try JSON.text(comparison) : comparison.text)
    if let limit = values[within], !comparison.isWithin(limit) {
      throw Failure(comparison.excess(over: limit))
    }
  }
}
