// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import PlainText
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// A unit in a terminal: keys change it, and the screen shows it.
final class UnitView {
  /// Seconds between two refreshes: meters move, and units change values by themselves.
  private static let refreshInterval = 0.05

  private let viewed: ViewedUnit
  private let sound: ViewSound
  private let plot: ViewPlot?
  private let canPlay: Bool
  private let analyzer = SpectrumAnalyzer()
  private let terminal = Terminal()
  private let signals = Signals(
    Signals.ending + [SIGWINCH, SIGTSTP], lastResort: { TerminalRestorer.restore() })
  private var screen: Screen
  private var state = ViewPage.State()
  private var meter = Meter()
  private var plotKind: PlotKind

  /// What is plotted.
  private enum PlotKind: CaseIterable { case response, spectrum, nothing }

  /// [main thread] A view of a unit; `canPlay` says whether it has something to play.
  init(_ viewed: ViewedUnit, _ sound: ViewSound, _ plot: ViewPlot?, canPlay: Bool) {
    self.viewed = viewed
    self.sound = sound
    self.plot = plot
    self.canPlay = canPlay
    plotKind = plot == nil ? (canPlay ? .spectrum : .nothing) : .response
    screen = Screen(terminal)
    state.title = viewed.title
    state.selected = viewed.selectable.first ?? 0
  }

  private enum End: Error {
    case quit
    case signal(Int32)
  }

  /// [main thread] Shows the unit until the user quits or a signal arrives; then restores the terminal.
  func run() throws {
    defer { terminal.leave() }
    if canPlay { play() }
    do {
      while true {
        try draw()
        try wait()
      }
    } catch End.signal(let signal) {
      terminal.leave()
      Signals.endProcess(by: signal)
    } catch End.quit { return }
  }

  private func wait() throws {
    var descriptors = [
      pollfd(fd: STDIN_FILENO, events: Int16(clamping: POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(clamping: POLLIN), revents: 0),
    ]
    let count = poll(&descriptors, 2, Int32(saturating: Self.refreshInterval * 1_000))
    if count == 0 {
      meter.update(sound.takePeak(), seconds: Self.refreshInterval)
      if let error = viewed.takeRenderError() { state.message = error }
    }
    if descriptors[1].revents != 0 {
      while let signal = signals.next() { try handle(signal) }
    }
    if descriptors[0].revents != 0 {
      guard let bytes = terminal.read() else { throw End.quit }
      for key in Key.keys(bytes) { try handle(key) }
    }
  }

  private func handle(_ signal: Int32) throws {
    switch signal {
    case SIGWINCH: screen.invalidate()
    case SIGTSTP:
      let wasPlaying = sound.isPlaying
      if wasPlaying { play() }
      terminal.leave()
      kill(getpid(), SIGSTOP)
      terminal.enter()
      screen.invalidate()
      if wasPlaying { play() }
    default: throw End.signal(signal)
    }
  }

  // MARK: Drawing

  private func draw() throws {
    state.source = canPlay ? sound.text.isEmpty ? "sound" : sound.text : ""
    state.isPlaying = sound.isPlaying
    state.preset = viewed.presetName
    state.presetCount = viewed.presets.count
    state.setting = viewed.setting
    state.isBypassed = viewed.isBypassed
    state.level = meter.level
    state.rows = viewed.rows.map { row in
      switch row {
      case .group(let name): .group(name)
      case .parameter(let parameter): .parameter(Self.shown(parameter))
      }
    }
    preparePlot()
    let size = terminal.size
    guard screen.draw(ViewPage(state: state, size: size).lines, size: size) else { throw End.quit }
  }

  private static func shown(_ parameter: ViewedParameter) -> ViewPage.Parameter {
    let value = parameter.value
    return ViewPage.Parameter(
      name: parameter.about.name, value: parameter.text(value), place: parameter.place(value),
      isMeter: parameter.isMeter, isChoice: parameter.isChoice && !parameter.isMeter)
  }

  private func preparePlot() {
    state.plot = nil
    switch plotKind {
    case .response:
      guard let plot else { return }
      let highest = Numbers.short(sound.sampleRate / 2_000, digits: 2)
      state.plotName = "response in dB, 20 Hz to \(highest) kHz"
      state.plot = { [viewed] columns, rows in
        guard let curve = plot.curve(of: viewed, columns: columns) else {
          return [Line("        the unit gives no response", .dim)]
        }
        return ViewPlot.lines(curve, columns: columns, rows: rows)
      }
    case .spectrum:
      state.plotName = "spectrum of the output, 20 Hz to 20 kHz"
      let samples = sound.lastSamples
      let rate = sound.sampleRate
      state.plot = { [analyzer] columns, rows in
        let levels = analyzer.levels(of: samples, sampleRate: rate, columns)
        var canvas = DotCanvas(columns: columns, rows: rows)
        canvas.draw(levels.map { Float(1 - 2 * $0 / SpectrumAnalyzer.floor) })
        return canvas.rows.map { Line("        ") + Line($0, .accent) }
      }
    case .nothing: return
    }
  }

  // MARK: Keys

  private func handle(_ key: Key) throws {
    guard key != .redraw else { return screen.invalidate() }
    if state.isHelp { return state.isHelp = false }
    state.message = ""
    if handleInEntry(key) { return }
    let parameter = viewed.parameter(state.selected)
    switch key {
    case .up: select(-1)
    case .down: select(1)
    case .pageUp: select(-10)
    case .pageDown: select(10)
    case .left: parameter?.step(-1, .normal)
    case .right: parameter?.step(1, .normal)
    case .shiftLeft: parameter?.step(-1, .fine)
    case .shiftRight: parameter?.step(1, .fine)
    case .enter where parameter != nil: state.entry = ""
    case .character(let character): try handle(character)
    default: break
    }
  }

  private func handle(_ character: Character) throws {
    let parameter = viewed.parameter(state.selected)
    switch character {
    case "[": parameter?.step(-1, .large)
    case "]": parameter?.step(1, .large)
    case "d": parameter.map { _ = $0.set($0.about.info.defaultValue) }
    case "D": viewed.setDefaults()
    case "p", "P":
      if !viewed.stepPreset(character == "p" ? 1 : -1) { state.message = "it has no presets" }
    case "a":
      if !viewed.exchangeSettings() { state.message = "the unit refuses the other setting" }
    case "c":
      viewed.copySetting()
      state.message = "A and B are the same now"
    case "b":
      viewed.toggleBypass()
      if viewed.isBypassed == nil { state.message = "it cannot be bypassed" }
    case "v": useNextPlot()
    case " ":
      if canPlay { play() } else { state.message = "name a file, or use --input" }
    case "n":
      if !sound.playNote(60) { state.message = "it plays no notes, or is not playing" }
    case "?": state.isHelp = true
    case "q", "Q": throw End.quit
    default: break
    }
  }

  private func useNextPlot() {
    let all = PlotKind.allCases.filter {
      switch $0 {
      case .response: plot != nil
      case .spectrum: canPlay
      case .nothing: true
      }
    }
    let index = all.firstIndex(of: plotKind) ?? 0
    plotKind = all[(index + 1) % all.count]
  }

  private func play() {
    do { try sound.toggle() } catch { state.message = "\(error)" }
  }

  /// Selects another parameter, so many further.
  private func select(_ change: Int) {
    let all = viewed.selectable
    guard let index = all.firstIndex(of: state.selected) else { return }
    state.selected = all[min(max(index + change, 0), all.count - 1)]
  }

  /// Handles a key of the value being typed; false while there is none.
  private func handleInEntry(_ key: Key) -> Bool {
    guard var text = state.entry else { return false }
    switch key {
    case .character(let character): text.append(character)
    case .backspace where !text.isEmpty: text.removeLast()
    case .escape, .backspace:
      state.entry = nil
      return true
    case .enter:
      state.entry = nil
      if !text.isEmpty { type(text) }
      return true
    default: break
    }
    state.entry = text
    return true
  }

  private func type(_ text: String) {
    do throws(Failure) { try viewed.parameter(state.selected)?.type(text) } catch {
      state.message = "\(error)"
    }
  }
}
