// SPDX-License-Identifier: Apache-2.0
import Foundation
import PlainText
import ToneModel
import ToneTexts

// Levels, noise and crests, as they are typed behind a colon.

extension Prompt {
  /// Sets the level, in dBFS or in what was measured.
  func setLevel(_ text: String) throws(ToneError) -> String {
    guard let level = WrittenLevel(text)?.level(model.calibration) else {
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
    return ""
  }

  /// Takes what was measured at the present level; nothing forgets it.
  func calibrate(_ text: String) throws(ToneError) -> String {
    guard !text.isEmpty else {
      try model.calibrate(nil)
      return tr("The calibration is forgotten.")
    }
    guard case .measured(let value, let unit) = WrittenLevel(text),
      let calibration = Calibration(unit: unit, measured: value, at: model.level)
    else {
      throw ToneError(
        tr("“{}”: expected what was measured, such as 74dBSPL or 1.23V.", Excerpt.name(text)))
    }
    try model.calibrate(calibration)
    return tr("0 dBFS is {}.", Texts.measured(0, calibration))
  }

  /// Limits noise to a band; nothing takes the limits away.
  func limit(_ words: [String]) throws(ToneError) -> String {
    if words.isEmpty {
      model.tone.band = nil
      return ""
    }
    let limits = words.compactMap { Quantity.frequency(a4: model.a4).value(of: $0) }
    guard words.count == 2, limits.count == 2, limits.allSatisfy(ToneModel.frequencies.contains),
      let band = NoiseBand(from: limits[0], to: limits[1])
    else { throw Self.usage("band") }
    model.tone.band = band
    return model.waveform.isPeriodic ? tr("It is for noise: w selects it.") : ""
  }

  /// Lets sines begin where their sum has a crest.
  func chooseCrest(_ text: String) throws(ToneError) -> String {
    let wish: ToneCrest.Wish
    switch text {
    case "lowest": wish = .lowest
    case "highest": wish = .highest
    default:
      guard let crest = Quantity.decibels.value(of: text), crest > 0 else {
        throw Self.usage("crest")
      }
      wish = .decibels(crest)
    }
    return tr("Crest: {} dB", String(format: "%.2f", try model.setCrest(wish)))
  }
}
