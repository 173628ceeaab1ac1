// SPDX-License-Identifier: Apache-2.0
import Foundation
import PlainText
import ToneModel
import ToneTexts

// The commands for levels, noise and crests.

extension Prompt {
  /// Sets the level, in dB relative to full scale or, once calibrated, in what a meter shows. The
  /// level is then shown in that unit, too.
  func setLevel(_ text: String) throws(ToneError) -> String {
    guard let written = WrittenLevel(text), let level = written.level(model.levelScale) else {
      throw ToneError(
        tr("“{}”: expected a level such as -20 or, once calibrated, 74dBSPL.", Excerpt.name(text)))
    }
    let range = ToneModel.levels
    guard range.contains(level) else {
      throw ToneError(
        tr(
          "{} is outside {} to {}.", Texts.level(level), Texts.level(range.lowerBound),
          Texts.level(range.upperBound)))
    }
    model.level = level
    if written.unit != .peak { model.shownUnit = written.unit }
    return ""
  }

  /// Shows levels in a unit as well; an empty text chooses that of the calibration.
  func showLevels(in text: String) throws(ToneError) -> String {
    guard !text.isEmpty else {
      model.shownUnit = model.calibration?.unit.levelUnit
      return ""
    }
    guard let unit = WrittenLevel("1" + text)?.unit else { throw PromptEntry.usage("unit") }
    guard unit.calibrated == nil || unit.calibrated == model.calibration?.unit else {
      throw ToneError(tr("There is no calibration for {}: see calibrate.", unit.rawValue))
    }
    model.shownUnit = unit
    return ""
  }

  /// Calibrates by the value measured at the current level; an empty text removes the calibration.
  func calibrate(_ text: String) throws(ToneError) -> String {
    guard !text.isEmpty else {
      try model.calibrate(nil)
      return tr("The calibration is removed.")
    }
    guard let written = WrittenLevel(text),
      let calibration = Calibration(written, at: model.level, rms: model.levelScale.rms)
    else {
      throw ToneError(
        tr("“{}”: expected what was measured, such as 74dBSPL or 1.23V.", Excerpt.name(text)))
    }
    try model.calibrate(calibration, shownIn: written.unit)
    return tr(
      "0 dBFS is {}.", Texts.measured(0, in: written.unit, LevelScale(calibration)) ?? "")
  }

  /// Limits noise to a band; without words, removes the limits.
  func setBand(_ words: [String]) throws(ToneError) -> String {
    if words.isEmpty {
      model.tone.band = nil
      return ""
    }
    let limits = words.compactMap { Quantity.frequency(a4: model.a4).value(of: $0) }
    guard words.count == 2, limits.count == 2, limits.allSatisfy(ToneModel.frequencies.contains),
      let band = NoiseBand(from: limits[0], to: limits[1])
    else { throw PromptEntry.usage("band") }
    model.tone.band = band
    return model.waveform.isNoise ? "" : tr("It is for noise: w selects it.")
  }

  /// Sets the initial phases of sines for a crest factor.
  func setCrest(_ text: String) throws(ToneError) -> String {
    let target: ToneCrest.Target
    switch text {
    case "lowest": target = .lowest
    case "highest": target = .highest
    default:
      guard let crest = Quantity.decibels.value(of: text), crest > 0 else {
        throw PromptEntry.usage("crest")
      }
      target = .decibels(crest)
    }
    return tr("Crest: {} dB", String(format: "%.2f", try model.setCrest(target)))
  }
}
