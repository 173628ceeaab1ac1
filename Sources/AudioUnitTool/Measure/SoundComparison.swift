// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The difference of two sounds, aligned in time (a null test).
struct SoundComparison: Encodable {
  let first: String
  let second: String
  /// Frames by which the second is later.
  let offset: Int
  let sampleRate: Double
  /// Frames that both have, and those that only one has.
  let frames: Int
  let missingFrames: Int
  /// How much louder the second is, in decibels: the gain with which it is closest to the first. Nil for
  /// silence.
  let gain: Double?
  /// Whether the second is closest to the first when it is inverted.
  let isInverted: Bool
  /// RMS and peak of the difference, in decibels of full scale; nil if there is none.
  let difference: Double?
  let differencePeak: Double?
  /// RMS of the difference relative to that of the first, in decibels.
  let relativeDifference: Double?
  /// The same after the second got the gain that brings it closest.
  let matchedDifference: Double?
  /// Samples whose difference is not a number; left out of everything else.
  let notNumbers: Int
  /// Whether all samples of both are equal.
  let isIdentical: Bool
  /// Whether neither has more frames than the other.
  let isSameLength: Bool
  /// The power of the difference over that of the first; infinite or not a number if there is none.
  private let relativePower: Double

  private enum CodingKeys: String, CodingKey {
    case first, second, offset, sampleRate, frames, missingFrames, gain, isInverted, difference
    case differencePeak, relativeDifference, matchedDifference, notNumbers, isIdentical,
      isSameLength
  }

  /// Compares two sounds of one rate and one number of channels. `second` is read from `offset` frames
  /// after its beginning. Lengths that differ by no more than `tolerance` frames count as the same.
  init(
    _ names: (String, String), _ first: any SoundStream, _ second: any SoundStream, offset: Int,
    tolerance: Int = 0
  ) throws(Failure) {
    (self.first, self.second) = names
    self.offset = offset
    sampleRate = first.sampleRate
    let channels = first.channelCount
    // Frames that only the first has, and those that only the second has.
    var (alone, otherAlone) = (0, 0)
    if offset > 0 { otherAlone += try second.skip(offset) }
    if offset < 0 { alone += try first.skip(-offset) }
    let (one, other) = (BlockMemory(channelCount: channels), BlockMemory(channelCount: channels))
    var (frames, notNumbers) = (0, 0)
    var (power, otherPower, product, error, peak) = (0.0, 0.0, 0.0, 0.0, 0.0)
    while true {
      let count = try Self.fill(one, from: first)
      let otherCount = try Self.fill(other, from: second)
      let both = min(count, otherCount)
      for index in 0..<both * channels {
        let (a, b) = (one.samples[index], other.samples[index])
        guard (a - b).isFinite else {
          notNumbers += 1
          continue
        }
        power += a * a
        otherPower += b * b
        product += a * b
        error += (a - b) * (a - b)
        peak = max(peak, abs(a - b))
      }
      frames += both
      guard count == otherCount, count > 0 else {
        alone += count - both
        otherAlone += otherCount - both
        break
      }
    }
    alone += try first.skip(.max)
    otherAlone += try second.skip(.max)
    (self.frames, self.notNumbers) = (frames, notNumbers)
    missingFrames = alone + otherAlone
    isSameLength = abs(alone - otherAlone) <= tolerance
    let samples = Double(max(1, frames * channels))
    func level(_ power: Double) -> Double? {
      power > 0 && power.isFinite ? 10 * log10(power) : nil
    }
    gain = power > 0 && otherPower > 0 ? level(abs(product) / power).map { 2 * $0 } : nil
    isInverted = product < 0
    difference = level(error / samples)
    differencePeak = peak > 0 ? 20 * log10(peak) : nil
    relativeDifference = power > 0 ? level(error / power) : nil
    // What remains of the second without its part that is proportional to the first.
    let rest = otherPower > 0 ? power - product * product / otherPower : power
    matchedDifference = power > 0 ? level(rest > power * 1e-15 ? rest / power : 0) : nil
    isIdentical = peak == 0 && notNumbers == 0 && missingFrames == 0 && offset == 0
    relativePower = peak == 0 ? 0 : error / power
  }

  /// Whether the sounds are as long as each other, and their difference, relative to the first, is at most
  /// `limit` decibels. Samples that are not numbers are never within a limit.
  func isWithin(_ limit: Double) -> Bool {
    frames > 0 && notNumbers == 0 && isSameLength && 10 * log10(relativePower) <= limit
  }

  /// Why the difference is not within a limit.
  func excess(over limit: Double) -> String {
    guard frames > 0 else { return "\(first) and \(second) have no frames in common" }
    guard notNumbers == 0 else {
      let verb = notNumbers == 1 ? "is not a number" : "are not numbers"
      return "the difference has \(Numbers.count(notNumbers, "sample")) that \(verb)"
    }
    guard isSameLength else {
      let missing = Numbers.count(missingFrames, "frame")
      return "\(first) and \(second) differ in length: \(missing) only in one"
    }
    guard let found = relativeDifference else {
      return "the difference has no level relative to \(first)"
    }
    let level = Numbers.rounded(found, digits: 1)
    return "the difference is \(level) dB, above \(Numbers.plain(limit)) dB"
  }

  /// Fills a block as far as the sound reaches; returns the number of frames.
  private static func fill(_ block: BlockMemory, from sound: any SoundStream) throws(Failure) -> Int
  {
    var done = 0
    while done < BlockMemory.frameCount {
      let count = try sound.read(
        into: block.samples + done * block.channelCount, BlockMemory.frameCount - done)
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// A table to read.
  var text: String {
    var table = TextTable()
    func level(_ value: Double?, _ unit: String) -> String {
      value.map { "\(Numbers.rounded($0, digits: 1)) \(unit)" } ?? "none"
    }
    table.add("Identical", isIdentical ? "yes" : "no")
    let time = Numbers.short(abs(Double(offset)) / sampleRate * 1_000, digits: 3)
    let order = offset > 0 ? "later" : "earlier"
    table.add(
      "Offset",
      offset == 0
        ? "none" : "\(Numbers.count(abs(offset), "frame")) (\(time) ms): \(second) is \(order)")
    let louder = gain.flatMap { gain in
      abs(gain) < 0.005
        ? nil : "\(second) has \(gain < 0 ? "" : "+")\(Numbers.rounded(gain, digits: 2)) dB"
    }
    let inverted = isInverted ? "\(second) is inverted" : nil
    let levels = [louder, inverted].compactMap(\.self)
    table.add("Level", levels.isEmpty ? "equal" : levels.joined(separator: "; "))
    table.add(
      "Difference",
      difference == nil
        ? "none" : "\(level(difference, "dBFS RMS")), peak \(level(differencePeak, "dBFS"))")
    table.add("Null test", difference == nil ? "-inf dB" : level(relativeDifference, "dB"))
    if difference != nil {
      table.add(
        "At equal level", matchedDifference == nil ? "-inf dB" : level(matchedDifference, "dB"))
    }
    table.add("Compared", Numbers.count(frames, "frame"))
    if notNumbers > 0 { table.add("Not numbers", "\(notNumbers)") }
    if missingFrames > 0 { table.add("Only in one", Numbers.count(missingFrames, "frame")) }
    return table.text
  }
}
