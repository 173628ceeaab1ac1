// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// The screen of a view, made of its values. It draws nothing by itself.
struct ViewPage {
  /// A line of the list.
  enum Row {
    case group(String)
    case parameter(Parameter)
  }

  /// A parameter as text, and as a place on a slider.
  struct Parameter {
    var name: String
    var value: String
    /// From 0 to 1.
    var place: Double
    var isMeter = false
    /// Whether the values are choices, which need no slider.
    var isChoice = false
  }

  /// The values to show.
  struct State {
    var title = ""
    /// What sounds; empty: nothing can.
    var source = ""
    var isPlaying = false
    var preset: String?
    var presetCount = 0
    /// 0 is A, 1 is B.
    var setting = 0
    var isBypassed: Bool?
    var rows: [Row] = []
    /// The row that the keys change.
    var selected = 0
    /// In dBFS.
    var level = -Double.infinity
    /// The value being typed; nil: none.
    var entry: String?
    var message = ""
    /// The lines of the plot for a number of rows; nil: there is no plot.
    var plot: ((_ columns: Int, _ rows: Int) -> [Line])?
    var plotName = ""
    var isHelp = false
  }

  let state: State
  let size: Terminal.Size

  /// The lines from the top of the screen, at most as many as it has rows.
  var lines: [Line] {
    if state.isHelp { return Array(help.prefix(size.rows)) }
    let head = [title, settings]
    let foot = [meter, entry, keys]
    let room = size.rows - head.count - foot.count
    guard room > 0 else { return Array(([title] + list(max(size.rows - 1, 0))).prefix(size.rows)) }
    let plotRows = state.plot == nil || room < 9 ? 0 : min(max(room / 3, 4), 10)
    var lines = head + list(min(room - plotRows, max(state.rows.count, 1)))
    let free = size.rows - lines.count - foot.count
    if let plot = state.plot, plotRows > 0 {
      let rows = min(free, max(plotRows, 10))
      if rows > 1 {
        lines.append(Line(" \(state.plotName)", .dim))
        lines += plot(max(size.columns - 10, 2), rows - 1).map { Line(" ") + $0 }
      }
    }
    while lines.count < size.rows - foot.count { lines.append(Line()) }
    return Array((lines + foot).prefix(size.rows))
  }

  // MARK: Head

  private var title: Line {
    var line = Line(" \(state.title.prefix(columns: max(size.columns - 30, 10)))", .bold)
    guard !state.source.isEmpty else { return line }
    let status = (state.isPlaying ? "▶ " : "■ ") + state.source.prefix(columns: 24)
    line.pad(to: max(line.width + 1, size.columns - status.columns - 1))
    line.add(status, state.isPlaying ? [.green, .bold] : .dim)
    return line
  }

  private var settings: Line {
    var line = Line(" ")
    for (index, name) in ["A", "B"].enumerated() {
      line.add(" \(name) ", state.setting == index ? .reverse : .dim)
    }
    if state.presetCount > 0 {
      line.add("   preset: ", .dim)
      line.add(state.preset ?? "(of \(state.presetCount))")
    }
    if let isBypassed = state.isBypassed {
      line.add("   bypass: ", .dim)
      line.add(isBypassed ? "on" : "off", isBypassed ? .yellow : [])
    }
    return line
  }

  // MARK: List

  /// So many rows of the list, around the selected one.
  private func list(_ count: Int) -> [Line] {
    guard !state.rows.isEmpty else { return [Line(" no parameters", .dim)] }
    let last = max(state.rows.count - count, 0)
    let first = min(max(state.selected - count / 2, 0), last)
    return (first..<min(first + count, state.rows.count)).map(line)
  }

  private func line(_ index: Int) -> Line {
    switch state.rows[index] {
    case .group(let name): return Line(" \(name)", [.bold, .dim])
    case .parameter(let parameter):
      let isSelected = index == state.selected && !parameter.isMeter
      var line = Line(isSelected ? " > " : "   ", .accent)
      let nameWidth = min(28, max(size.columns / 3, 8))
      line.add(
        String(parameter.name.words(columns: nameWidth)), isSelected ? .bold : [])
      line.pad(to: 3 + nameWidth + 1)
      let barWidth = min(max(size.columns - nameWidth - 26, 0), 40)
      if barWidth >= 8 {
        line = line + bar(parameter, barWidth, isSelected)
        line.add(" ")
      }
      line.add(String(parameter.value.prefix(columns: 20)), isSelected ? .accent : [])
      return line
    }
  }

  private func bar(_ parameter: Parameter, _ width: Int, _ isSelected: Bool) -> Line {
    let place = min(max(parameter.place.isFinite ? parameter.place : 0, 0), 1)
    let filled = Int(saturating: (place * Double(width - 1)).rounded())
    var line = Line()
    if parameter.isMeter {
      line.add(String(repeating: "█", count: place > 0 ? filled + 1 : 0), .green)
      line.pad(to: width)
      return line
    }
    if parameter.isChoice {
      line.add(isSelected ? "← →" : "", .dim)
      line.pad(to: width)
      return line
    }
    line.add(String(repeating: "─", count: filled), .accent)
    line.add("■", isSelected ? [.accent, .bold] : .accent)
    line.add(String(repeating: "─", count: width - 1 - filled), .dim)
    return line
  }

  // MARK: Foot

  private var meter: Line {
    guard state.isPlaying else { return Line() }
    let columns = max(min(size.columns - 16, 60), 4)
    var line = Line(" ") + Meter.bar(state.level, columns: columns)
    line.add(state.level.isFinite ? " \(Int(saturating: state.level.rounded())) dBFS" : "", .dim)
    return line
  }

  private var entry: Line {
    if let entry = state.entry { return Line(" = \(entry)_", .yellow) }
    return Line(" \(state.message.words(columns: max(size.columns - 2, 1)))", .yellow)
  }

  private var keys: Line {
    Line(
      " ↑↓ select  ←→ change  Enter type  p preset  a A/B  b bypass  v plot  ? keys  q"
        .prefix(columns: size.columns).description, .dim)
  }

  private var help: [Line] {
    let keys = [
      ("↑ ↓, Page Up, Page Down", "select a parameter"),
      ("← →", "change it by a hundredth, or to the next choice"),
      ("Shift with ← →", "by a thousandth"),
      ("[ ]", "by a tenth"),
      ("Enter", "type a value, such as 440, 1k, -6dB, or a choice"),
      ("d, D", "its default, the defaults of all"),
      ("p, P", "the next preset, the previous one"),
      ("a, c", "go to the other of A and B; make it equal to this"),
      ("b", "bypass"),
      ("v", "the plot: response, spectrum of the output, none"),
      ("Space", "play, pause"),
      ("n", "play a note on an instrument"),
      ("q", "quit"),
    ]
    return [Line(" Keys", .bold), Line()]
      + keys.map { key, meaning in
        var line = Line(" \(key)", .accent)
        line.pad(to: 28)
        line.add(meaning)
        return line
      } + [Line(), Line(" Any key leaves this list.", .dim)]
  }
}
