// SPDX-License-Identifier: Apache-2.0
import Foundation
import PlainText
import ToneModel
import ToneTexts

/// The commands typed after a colon, for everything without a key.
struct Prompt {
  let model: ToneModel
  let devices: () -> ToneDevices

  /// Executes a command.
  ///
  /// - Returns: A message; may be empty.
  /// - Throws: If it fails, with the reason.
  func run(_ line: String) throws(ToneError) -> String {
    let words = line.split(separator: " ").map(String.init)
    guard let word = words.first else { return "" }
    let rest = words.dropFirst().joined(separator: " ")
    switch word {
    case "device": return try play(to: rest)
    case "level": return try setLevel(rest)
    case "calibrate": return try calibrate(rest)
    case "unit": return try showLevels(in: rest)
    case "lock": return try SignalPrompt(model: model).lock(rest)
    case "channels": return try SignalPrompt(model: model).setChannels(rest)
    case "am": return try SignalPrompt(model: model).modulateAmplitude(Self.pair(rest))
    case "fm": return try SignalPrompt(model: model).modulateFrequency(Self.pair(rest))
    case "order": return try SignalPrompt(model: model).setOrder(rest)
    case "bits": return try SignalPrompt(model: model).setBits(rest)
    case "timing": return try SignalPrompt(model: model).setTiming(Array(words.dropFirst()))
    case "file": return try SignalPrompt(model: model).play(file: Self.argument(of: line))
    case "dither": return try SignalPrompt(model: model).setDither(rest)
    case "band": return try setBand(Array(words.dropFirst()))
    case "crest": return try setCrest(rest)
    case "a4": return try tune(rest)
    case "rate": return try requestRate(rest)
    case "cycle": return try requestCycle(rest)
    case "sweep": return try sweep(Array(words.dropFirst()))
    case "export": return try export(Array(words.dropFirst()))
    case "burst": return try burst(Array(words.dropFirst()))
    // The second words are those of older versions.
    case "save", "keep": return try savePreset(rest)
    case "preset": return try usePreset(rest)
    case "delete", "forget": return try deletePreset(rest)
    default:
      if let frequency = Quantity.frequency(a4: model.a4).value(of: line) {
        return try tune(to: frequency)
      }
      throw Self.unknown(word, PromptEntry.all.map(\.word))
    }
  }

  /// Two numbers with a space or, as on the command line, a slash between them.
  private static func pair(_ text: String) -> [String] {
    text.split { $0 == " " || $0 == "/" }.map(String.init)
  }

  /// What follows the first word, with its spaces.
  private static func argument(of line: String) -> String {
    let rest = line.drop { $0 == " " }.drop { $0 != " " }
    return rest.trimmingCharacters(in: .whitespaces)
  }

  // MARK: Frequency

  private func tune(to frequency: Double) throws(ToneError) -> String {
    let range = model.possibleFrequencies
    guard range.contains(frequency) else {
      throw ToneError(
        tr(
          "{} Hz is outside {} to {} Hz.", Texts.plain(frequency), Texts.plain(range.lowerBound),
          Texts.plain(range.upperBound)))
    }
    model.frequency = frequency
    return ""
  }

  // MARK: Device and tuning

  private func play(to name: String) throws(ToneError) -> String {
    guard !name.isEmpty else {
      model.deviceChoice = nil
      return tr("Playing to the default output.")
    }
    let all = devices().all
    let found = all.first { $0.uid == name || $0.name == name }
    let part = name.lowercased()
    guard let device = found ?? all.first(where: { $0.name.lowercased().contains(part) })
    else { throw Self.unknown(name, all.map(\.name)) }
    model.deviceChoice = device.uid
    return tr("Playing to {}.", device.name)
  }

  private func tune(_ text: String) throws(ToneError) -> String {
    guard let a4 = Quantity.frequency().value(of: text), ToneModel.tunings.contains(a4) else {
      throw PromptEntry.usage("a4")
    }
    model.a4 = a4
    return tr("A4 is {} Hz.", Texts.plain(a4))
  }

  private func requestRate(_ text: String) throws(ToneError) -> String {
    var rate: Double?
    if !text.isEmpty {
      guard let value = Quantity.sampleRate.value(of: text),
        ToneDevicePreferences.sampleRates.contains(value)
      else { throw PromptEntry.usage("rate") }
      rate = value
    }
    model.devicePreferences.sampleRate = rate
    return granted
  }

  private func requestCycle(_ text: String) throws(ToneError) -> String {
    var frames: Int?
    if !text.isEmpty {
      guard let value = Int(text), ToneDevicePreferences.cycles.contains(value) else {
        throw PromptEntry.usage("cycle")
      }
      frames = value
    }
    model.devicePreferences.cycleFrames = frames
    return granted
  }

  /// The values that the device granted, while it plays.
  private var granted: String { model.device.map(Texts.device) ?? "" }

  // MARK: Sweep

  private func sweep(_ words: [String]) throws(ToneError) -> String {
    let kinds = [Quantity.frequency(a4: model.a4), .frequency(a4: model.a4), .seconds]
    let numbers = zip(kinds, words).compactMap { $0.value(of: $1) }
    guard numbers.count == 3, ToneModel.frequencies.contains(numbers[0]),
      ToneModel.frequencies.contains(numbers[1]), (0.1...3_600).contains(numbers[2])
    else { throw PromptEntry.usage("sweep") }
    var sweep = ToneSweep(from: numbers[0], to: numbers[1], seconds: numbers[2])
    for word in words.dropFirst(3) {
      if word.hasSuffix("steps"), let count = Int(word.dropLast(5)), ToneSweep.steps.contains(count)
      {
        sweep.steps = count
      } else if let shape = ToneSweep.Shape(rawValue: word) {
        sweep.shape = shape
      } else if let end = ToneSweep.End(rawValue: word) {
        sweep.atEnd = end
      } else if let level = Quantity.decibels.value(of: word), ToneModel.levels.contains(level) {
        sweep.endLevel = level
      } else {
        throw PromptEntry.usage("sweep")
      }
    }
    model.sweep = sweep
    return ""
  }

  // MARK: Bursts

  private func burst(_ words: [String]) throws(ToneError) -> String {
    if words.isEmpty {
      model.tone.burst = nil
      return ""
    }
    let periods = words.compactMap(Int.init)
    guard words.count == 2, periods.count == 2, periods.allSatisfy(ToneBurst.periods.contains)
    else { throw PromptEntry.usage("burst") }
    model.tone.burst = ToneBurst(on: periods[0], off: periods[1])
    return ""
  }

  // MARK: Files

  private func export(_ words: [String]) throws(ToneError) -> String {
    var (seconds, bits, isLoop) = (10.0, nil as Int?, false)
    for word in words.dropFirst() {
      if let known = ["16bit": 16, "24bit": 24][word] {
        bits = known
      } else if word == "loop" {
        isLoop = true
      } else if let number = Quantity.seconds.value(of: word), (0.1...600).contains(number) {
        seconds = number
      } else {
        throw PromptEntry.usage("export")
      }
    }
    guard let path = words.first else { throw PromptEntry.usage("export") }
    var export = ToneExport(
      model.tones, seconds: seconds, sampleRate: model.device?.sampleRate ?? 48_000, isLoop: isLoop)
    export.bits = bits
    try export.write(to: path)
    return tr("Saved {}.", path) + " "
      + tr(
        "{} frames, {} s", String(export.frameCount),
        String(format: "%.6f", Double(export.frameCount) / export.sampleRate))
  }

  private func savePreset(_ name: String) throws(ToneError) -> String {
    guard !name.isEmpty else { throw PromptEntry.usage("save") }
    try PresetStore().save(TonePreset(name, model.tones))
    return tr("Saved as “{}”.", name)
  }

  private func usePreset(_ name: String) throws(ToneError) -> String {
    // The names of built-in presets are translated.
    let builtIn = TonePreset.builtIn.map { TonePreset(tr($0.name), $0.tones) }
    let all = builtIn + (try PresetStore().load())
    let named = all.first { $0.name == name }
    let part = name.lowercased()
    guard let preset = named ?? all.first(where: { $0.name.lowercased().contains(part) })
    else { throw Self.unknown(name, all.map(\.name)) }
    try model.replaceTones(preset.tones)
    return tr("Preset: {}", preset.name)
  }

  private func deletePreset(_ name: String) throws(ToneError) -> String {
    let store = PresetStore()
    let names = try store.load().map(\.name)
    guard names.contains(name) else { throw Self.unknown(name, names) }
    try store.remove(name)
    return tr("Deleted “{}”.", name)
  }

  // MARK: Errors

  /// A name that there is not: near ones, or else all.
  private static func unknown(_ name: String, _ known: [String]) -> ToneError {
    let near = NearWords.near(to: name, in: known)
    return ToneError(
      tr(
        "There is no “{}”; there are: {}", Excerpt.name(name),
        (near.isEmpty ? known : near).joined(separator: ", ")))
  }
}
