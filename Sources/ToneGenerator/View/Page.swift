// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import PlainText
import ToneModel
import ToneTexts

/// The screen contents, built from the state of the model. It draws nothing by itself.
struct Page {
  /// The values to show.
  struct State {
    var tone = Tone()
    /// The scale of the tone's level.
    var scale = LevelScale()
    /// The unit in which levels are shown as well; nil: only in dBFS.
    var levelUnit: LevelUnit?
    /// The frequency that sounds, if the tone is locked to a line.
    var lockedFrequency: Double?
    var note = Note(nearestTo: 440)
    var isPlaying = false
    /// A description of the device; nil while nothing plays.
    var device: String?
    /// Whether nothing can be heard, because there is no device.
    var isUnheard = false
    /// In dBFS.
    var meter = -Double.infinity
    /// The index of the selected tone, and the number of tones.
    var selection = 0
    var toneCount = 1
    /// The plot of the signal; nil: none.
    var plots: SignalPlots?
    var plotKind = SignalPlots.Kind.nothing
    /// The digits typed so far; nil if none are.
    var entry: String?
    /// The note of the letter A while the letters play; nil otherwise.
    var letterA: Int?
    /// The command line typed after a colon; nil if there is none.
    var prompt: String?
    /// An error or another message; may be empty.
    var message = ""
    /// The first visible line of the list of all keys; nil while it is hidden.
    var keysFrom: Int?
  }

  let state: State
  let size: Terminal.Size

  /// The smallest and the largest number of rows of a plot.
  private static let plotRows = 4...12

  /// The lines from the top of the screen, at most as many as it has rows.
  var lines: [Line] {
    if let first = state.keysFrom { return keyPage(from: first) }
    // If there is little space, first the blank lines are left out, then the large digits, then
    // most of the help.
    var candidates: [[[Line]]] = []
    for (large, spaced, help) in [
      (true, true, Help.all), (true, false, .all), (false, false, .all), (true, false, .shortest),
      (false, false, .shortest), (false, false, .none),
    ] {
      candidates.append(sections(large: large, spaced: spaced, help: help))
    }
    // While a command is typed, its help needs the space of the axis and the plot.
    if state.prompt != nil {
      candidates.insert(sections(large: false, spaced: false, help: .all, hasAxis: false), at: 3)
    }
    if state.plotKind != .nothing {
      // The plot gets the remaining rows.
      for (index, parts) in candidates.enumerated() {
        let room = size.rows - parts.joined().count
        if state.prompt != nil, (0..<2).contains(room), index >= 2 { break }
        guard room >= (state.prompt == nil ? Self.plotRows.lowerBound : 2) else { continue }
        let rows = min(room, Self.plotRows.upperBound)
        return Array((parts[..<3] + [plot(rows)] + parts[3...]).joined())
      }
    }
    let fitting = candidates.first { $0.joined().count <= size.rows }
    return Array((fitting ?? candidates[candidates.count - 1]).joined().prefix(size.rows))
  }

  /// The sections of the screen; the first three are its head.
  private func sections(
    large: Bool, spaced: Bool, help: Help, hasAxis: Bool = true
  ) -> [[Line]] {
    let isLarge = large && largeWidth > 0
    let parts: [[Line]] = [
      [title], isLarge ? largeFrequency : [smallFrequency], [noteLine], hasAxis ? axis : [],
      [levelLine, meterLine], [waveLine] + toneLines + [deviceLine] + unheardLines, messageLines,
      helpLines(help),
    ]
    return parts.enumerated().map { index, part in
      spaced && index > 0 && !part.isEmpty ? [Line()] + part : part
    }
  }

  private func plot(_ rows: Int) -> [Line] {
    let plots = state.plots ?? SignalPlots()
    let columns = max(1, size.columns - 2)
    let lines =
      state.plotKind == .scope
      ? plots.scope(columns: columns, rows: rows)
      : plots.spectrum(columns: columns, rows: rows)
    return lines.map { Line(" ") + $0 }
  }

  // MARK: The head

  private var title: Line {
    var line = Line(" ToneGenerator", .bold)
    let status = state.isPlaying ? "▶ \(tr("playing"))" : "■ \(tr("stopped"))"
    line.pad(to: max(line.width + 1, size.columns - status.columns - 1))
    line.add(status, state.isPlaying ? [.green, .bold] : .dim)
    return line
  }

  private var frequencyText: String {
    state.entry ?? Texts.frequency(state.tone.frequency)
  }

  /// The columns of a dot of the large digits: as many as fit, 0 if not even one does.
  private var largeWidth: Int {
    guard BigDigits.canShow(frequencyText) else { return 0 }
    return [2, 1].first { BigDigits.columns(frequencyText, width: $0) + 6 <= size.columns } ?? 0
  }

  private var largeFrequency: [Line] {
    let style = frequencyStyle
    return BigDigits.rows(frequencyText, width: largeWidth).enumerated().map { row, text in
      var line = Line(text, style)
      line.add(row == BigDigits.rowCount - 1 ? " Hz" : "   ", style)
      return line.centred(in: size.columns)
    }
  }

  private var smallFrequency: Line {
    Line("\(frequencyText) Hz", [.bold, frequencyStyle]).centred(in: size.columns)
  }

  private var frequencyStyle: Style {
    state.entry != nil ? .yellow : state.tone.waveform.isPeriodic ? .accent : .dim
  }

  private var noteLine: Line {
    guard state.entry == nil else {
      return Line(tr("Enter applies it, Escape cancels"), .yellow).centred(in: size.columns)
    }
    guard state.tone.waveform.isPeriodic else {
      let text = state.tone.sound.map { Excerpt.name($0.name) }
      return Line(text ?? tr("this signal has no frequency"), .dim).centred(in: size.columns)
    }
    var line = Line(Texts.note(state.note), .bold)
    line.add("  \(Texts.exactFrequency(state.tone.frequency)) Hz", .dim)
    if let locked = state.lockedFrequency, locked != state.tone.frequency {
      line.add("  → \(Texts.exactFrequency(locked)) Hz", .accent)
    }
    return line.centred(in: size.columns)
  }

  // MARK: The axis

  private var barColumns: Int { max(10, min(size.columns, 100) - 24) }

  /// The column of a frequency on the logarithmic axis.
  private func column(_ frequency: Double) -> Int {
    let range = ToneModel.audible
    let frequency = min(max(frequency, range.lowerBound), range.upperBound)
    let part = log(frequency / range.lowerBound) / log(range.upperBound / range.lowerBound)
    return Int((part * Double(barColumns - 1)).rounded())
  }

  private var axis: [Line] {
    let ticks: [(Double, String)] = [
      (20, "20"), (50, "50"), (100, "100"), (200, "200"), (500, "500"), (1_000, "1k"),
      (2_000, "2k"), (5_000, "5k"), (10_000, "10k"), (20_000, "20k"),
    ]
    var rail = Array(repeating: Character("─"), count: barColumns)
    for (frequency, _) in ticks { rail[column(frequency)] = "┼" }
    let place = column(state.tone.frequency)
    var line = label("")
    line.add(String(rail[..<place]), .dim)
    line.add("█", .accent)
    line.add(String(rail[(place + 1)...]), .dim)
    var names = label("")
    for (frequency, name) in ticks {
      let start = Self.labelColumns + column(frequency) - name.count / 2
      guard start > names.width || names.width <= Self.labelColumns else { continue }
      names.pad(to: start)
      names.add(name, .dim)
    }
    return [line, names]
  }

  // MARK: Level, wave and device

  static let labelColumns = 10

  /// The beginning of a line: a word, up to the column of the values.
  func label(_ text: String) -> Line {
    var line = Line(" \(text)", .dim)
    line.pad(to: Self.labelColumns)
    return line
  }

  /// The calibrated value takes space from the bar.
  private var meterColumns: Int { max(10, barColumns - (state.levelUnit == nil ? 0 : 14)) }

  private func addMeasured(_ level: Double, to line: inout Line) {
    guard let unit = state.levelUnit, level.isFinite,
      let text = Texts.measured(level, in: unit, state.scale)
    else { return }
    line.add("  \(text)", .dim)
  }

  private var levelLine: Line {
    var line = label(tr("Level")) + Meter.bar(state.tone.level, columns: meterColumns)
    line.add("  \(Texts.level(state.tone.level))")
    addMeasured(state.tone.level, to: &line)
    return line
  }

  private var meterLine: Line {
    var line = label(tr("Output")) + Meter.bar(state.meter, columns: meterColumns)
    if state.isPlaying {
      line.add("  \(Texts.level(state.meter))")
      addMeasured(state.meter, to: &line)
    }
    return line
  }

  private var deviceLine: Line {
    var line = label(tr("Device"))
    let none = state.isUnheard ? tr("None") : tr("none until it plays")
    line.add(state.device ?? none, state.device == nil ? .dim : [])
    return line
  }

  /// Why nothing can be heard, and what to do about it; empty if there is a device.
  private var unheardLines: [Line] { state.isUnheard ? wrapped(Texts.unheard) : [] }

  // MARK: The foot

  /// One line, or two for a long message.
  private var messageLines: [Line] {
    if let prompt = state.prompt { return [Line(" :\(prompt)▏", .yellow)] }
    return state.message.isEmpty ? [Line()] : wrapped(state.message)
  }

  /// A text in one line, or in two if it is long.
  private func wrapped(_ text: String) -> [Line] {
    let columns = size.columns - 1
    guard text.columns > columns else { return [Line(" \(text)", .yellow)] }
    let parts = text.wrapped(columns: columns)
    let rest = text.dropFirst(parts[0].count).drop { $0 == " " }.words(columns: columns)
    return [Line(" \(parts[0])", .yellow), Line(" \(rest)", .yellow)]
  }

  /// The extent of the help on keys.
  private enum Help {
    case all, shortest, none
  }

  private func helpLines(_ help: Help) -> [Line] {
    switch help {
    case .all: state.prompt == nil ? table(letterKeys ?? Self.keys) : promptLines
    case .shortest: table(letterKeys.map { [$0[0], $0[5]] } ?? Self.firstKeys)
    case .none: []
    }
  }

  /// The indispensable keys.
  private static var firstKeys: [(key: String, meaning: String)] {
    [(tr("space"), tr("play, stop")), ("q", tr("quit")), ("?", tr("keys"))]
  }

  /// The keys while letters play; nil otherwise.
  private var letterKeys: [(key: String, meaning: String)]? {
    guard let letterA = state.letterA else { return nil }
    let note = Note(nearestTo: 440 * exp2(Double(letterA - 69) / 12))
    return [
      ("A S D F G H J K L ; '", tr("white keys from {}", note.name)),
      ("W E T Y U O P ]", tr("black keys")), ("Z X", tr("octave")), ("C V", tr("velocity")),
      (tr("space"), tr("play, stop")), ("Esc", tr("end")),
    ]
  }

  private static var keys: [(key: String, meaning: String)] {
    [
      (tr("space"), tr("play, stop")), ("← →", tr("semitone")), ("↑ ↓", "1 Hz"),
      ("PgUp PgDn", tr("octave")), ("+ -", tr("level")), ("Shift ← →", tr("cent")),
      ("Shift ↑ ↓", "0.1 Hz"), ("0-9 A-G", tr("type it")), ("w < >", tr("wave, duty")),
      ("n N Tab", tr("tones")), ("c p i", tr("sides")), ("s", tr("sweep")), ("v", tr("picture")),
      ("k", tr("piano")),
      ("o t", tr("preset, device")), (":", tr("more")), ("? q", tr("keys, quit")),
    ]
  }

  /// A table of keys and their meanings, in as many columns as fit.
  private func table(_ cells: [(key: String, meaning: String)]) -> [Line] {
    let lines = cells.map { Line($0.key, .bold) + Line(" \($0.meaning)", .dim) }
    for columnCount in [4, 3, 2] {
      let widths = (0..<columnCount).map { column in
        stride(from: column, to: lines.count, by: columnCount).map { lines[$0].width }.max() ?? 0
      }
      let room = size.columns - 1 - widths.reduce(0, +)
      let gap = columnCount == 1 ? 0 : min(room / (columnCount - 1), 4)
      // The last column may end at the margin, so only the gaps between columns are needed.
      guard gap >= 2 else { continue }
      return stride(from: 0, to: lines.count, by: columnCount).map { first in
        var line = Line()
        var start = 1
        for column in 0..<min(columnCount, lines.count - first) {
          line.pad(to: start)
          line = line + lines[first + column]
          start += widths[column] + gap
        }
        return line
      }
    }
    return lines.map { Line(" ") + $0 }
  }

  /// A list of all keys and all commands.
  private var allKeys: [Line] {
    let lines = Self.keys.map { cell in
      var line = Line(" \(cell.key)", .bold)
      line.pad(to: max(line.width + 2, 16))
      line.add(cell.meaning)
      return line
    }
    return lines + [Line()] + promptLines
  }

  /// The first line from which the list of keys is visible to its end.
  var lastKeysFrom: Int { max(0, allKeys.count - max(size.rows - 2, 1)) }

  /// The list of keys from a line, as far as it fits.
  private func keyPage(from first: Int) -> [Line] {
    let rows = max(size.rows - 2, 1)
    let foot = Line(" " + tr("↑ ↓ show more; any other key goes back"), .yellow)
    return Array(
      ([title] + allKeys[min(first, lastKeysFrom)...].prefix(rows) + [foot]).prefix(size.rows))
  }

  /// The commands that begin with what is typed, or the words of all; in the list of keys, all.
  private var promptLines: [Line] {
    guard let prompt = state.prompt else { return lines(of: PromptEntry.all) }
    let word = prompt.prefix { $0 != " " }
    let matches = PromptEntry.all.filter {
      prompt.contains(" ") ? $0.word == word : $0.word.hasPrefix(word)
    }
    if matches.count < PromptEntry.all.count { return lines(of: matches) }
    return table(PromptEntry.all.map { ($0.word, "") })
  }

  /// Commands with their arguments and effects. What does not fit continues below, so that nothing is cut.
  func lines(of entries: [PromptEntry]) -> [Line] {
    let column = min(48, size.columns * 2 / 5)
    return entries.flatMap { entry in
      let arguments = entry.arguments.wrapped(columns: size.columns - entry.word.columns - 3)
      var lines = arguments.enumerated().map { index, part in
        var line = Line(index == 0 ? " \(entry.word)" : "", .bold)
        line.pad(to: entry.word.columns + 2)
        line.add(part, .dim)
        return line
      }
      for (index, part) in entry.meaning.wrapped(columns: size.columns - column).enumerated() {
        if index > 0 || (lines.last?.width ?? 0) + 2 > column { lines.append(Line()) }
        lines[lines.count - 1].pad(to: column)
        lines[lines.count - 1].add(part, .dim)
      }
      return lines
    }
  }
}
