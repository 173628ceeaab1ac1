// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import ToneModel

@testable import CommandSupport
@testable import ToneGenerator
@testable import ToneTexts

@Suite("The terminal screen")
struct PageTests {
  private func text(_ state: Page.State, _ columns: Int = 80, _ rows: Int = 24) -> String {
    Page(state: state, size: .init(columns: columns, rows: rows)).lines.map(\.text)
      .joined(separator: "\n")
  }

  @Test("fits any size", arguments: [1, 10, 14, 19, 24, 60], [1, 20, 40, 80, 200])
  func size(rows: Int, columns: Int) {
    var state = Page.State()
    for frequency in [20, 440, 19_999.123456789, 20_000] {
      state.tone.frequency = frequency
      state.plotKind = frequency == 440 ? .scope : .spectrum
      let size = Terminal.Size(columns: columns, rows: rows)
      let lines = Page(state: state, size: size).lines
      #expect(lines.count <= rows)
      #expect(columns < 80 || lines.allSatisfy { $0.width <= columns })
    }
  }

  @Test("shows note, frequency, level, waveform and device")
  func values() {
    var state = Page.State()
    state.tone = Tone(frequency: 466.2, level: -12.5, waveform: .saw)
    state.note = Note(nearestTo: 466.2)
    state.isPlaying = true
    state.device = "null, 48000 Hz, 2 channels"
    let text = text(state, 80, 12)
    for expected in [
      "466.200 Hz", "A♯4  +0.13 cents", "−12.5 dBFS", "Saw", "null, 48000", "playing",
    ] {
      #expect(text.contains(expected))
    }
  }

  @Test("says that nothing can be heard, and what to do", arguments: [40, 80, 200], [12, 24, 60])
  func unheard(columns: Int, rows: Int) {
    var state = Page.State()
    #expect(!text(state, columns, rows).contains("No sound device"))
    state.isUnheard = true
    let page = text(state, columns, rows)
    #expect(page.contains("No sound device"))
    #expect(columns < 80 || page.contains("pipewire"))
    #expect(!page.contains("none until it plays"))
  }

  @Test("shows the keys of a piano while the letters play")
  func letters() {
    var state = Page.State()
    #expect(text(state).contains("k piano") && !text(state).contains("white keys"))
    state.letterA = 48
    #expect(text(state).contains("white keys from C3") && text(state).contains("Esc end"))
  }

  @Test("the scope shows a wave in dots, the spectrum a line where a tone is")
  func pictures() throws {
    var state = Page.State()
    state.plotKind = .scope
    var plots = SignalPlots()
    plots.left = (0...160).map { Float(sin(Double($0) / 160 * 2 * .pi)) }
    state.plots = plots
    let lines = text(state).split(separator: "\n").map(String.init)
    let dots = lines.filter { $0.contains { ("\u{2801}"..."\u{28ff}").contains($0) } }
    try #require(dots.count == 4)
    // The crest is at the top of the left half, the trough at the bottom of the right half.
    let isDot = { (character: Character) in character != " " && character != "\u{2800}" }
    #expect(
      dots[0].prefix(40).contains(where: isDot) && !dots[0].dropFirst(41).contains(where: isDot))
    #expect(
      !dots[3].prefix(40).contains(where: isDot) && dots[3].dropFirst(41).contains(where: isDot))

    state.plotKind = .spectrum
    plots.levels = Array(repeating: SpectrumAnalyzer.floor, count: 78)
    plots.levels[30] = 0
    state.plots = plots
    let bars = text(state).split(separator: "\n").filter { $0.count == 79 && $0.contains("█") }
    #expect(bars.filter { Array($0)[31] == "█" }.count >= 4)
  }

  @Test("shows the commands while one is typed, those that begin with it, and its arguments")
  func commands() {
    var state = Page.State()
    state.plotKind = .scope
    state.prompt = ""
    for entry in PromptEntry.all { #expect(text(state).contains(" \(entry.word)")) }
    state.prompt = "s"
    #expect(text(state).contains("sweep HZ HZ SECONDS") && !text(state).contains("level DB"))
    state.prompt = "level -2"
    #expect(text(state).contains("level DB"))
  }

  @Test("shows six decimals, the line to which the tone is locked, and the level in another unit")
  func laboratory() {
    var state = Page.State()
    state.tone = Tone(frequency: 997, level: -20)
    state.tone.lineFrames = 65_536
    state.lockedFrequency = state.tone.lockedFrequency(997, sampleRate: 48_000)
    state.scale = LevelScale(Calibration("24dBu@0"))
    state.levelUnit = .dBu
    for expected in ["997.000000 Hz", "→ 996.82617", "locked to lines of 65536", "+4.0 dBu"] {
      #expect(text(state).contains(expected))
    }
    state.levelUnit = .rms
    #expect(text(state).contains("−23.0 dB RMS"))
  }

  @Test("the chosen waveform is visible, also where not all fit", arguments: ToneWaveform.allCases)
  func waveforms(waveform: ToneWaveform) {
    let titles = [
      "Sine", "Square", "Triangle", "Saw", "White noise", "Pink noise", "MLS", "Periodic pink",
      "J-test", "Impulse", "DC",
    ]
    let title = titles[ToneWaveform.allCases.firstIndex(of: waveform) ?? 0]
    var state = Page.State()
    state.tone.waveform = waveform
    for columns in [40, 80, 200] {
      let line = text(state, columns, 24).split(separator: "\n").first { $0.contains("Wave") }
      #expect(line?.contains(" \(title) ") == true)
      #expect((line?.count ?? 0) <= columns + 2)
    }
  }

  @Test("the settings of a tone continue in a second line")
  func longTone() {
    var state = Page.State()
    state.tone.lineFrames = 65_536
    state.tone.channels = [1, 4]
    state.tone.amplitudeModulation = AmplitudeModulation(frequency: 5, depth: 50)
    state.tone.frequencyModulation = FrequencyModulation(frequency: 0.5, deviation: 20)
    state.tone.sweep = ToneSweep(from: 100, to: 900, steps: 31)
    let shown = text(state, 80, 24)
    for expected in [
      "channels L+LFE", "AM 5 Hz, 50 %", "FM 0.5 Hz, ±20 Hz", "sweep 100 to 900 Hz", "31 steps",
    ] { #expect(shown.contains(expected)) }
    #expect(shown.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("shows side, phase, duty and sweep of the selected tone")
  func toneLine() {
    var state = Page.State()
    state.tone = Tone(waveform: .square, dutyCycle: 25)
    state.tone.side = .left
    state.tone.phase = 90
    state.tone.isInverted = true
    state.tone.sweep = ToneSweep(from: 100, to: 900)
    (state.selection, state.toneCount) = (1, 3)
    let shown = text(state, 120, 30)
    for expected in [
      "2 of 3", "left side", "right 90°", "right inverted", "duty 25 %", "sweep 100 to 900 Hz",
    ] {
      #expect(shown.contains(expected))
    }
  }

  @Test("shows how to play and quit in a terminal of 40 by 12")
  func smallest() {
    let text = text(Page.State(), 40, 12)
    #expect(text.contains("space play, stop"))
    #expect(text.contains("q quit"))
  }

  @Test("keys are in columns with gaps, in any language", arguments: 40...160)
  func gaps(columns: Int) {
    let lines = Page(state: .init(), size: .init(columns: columns, rows: 60)).lines.map(\.text)
    guard let first = lines.firstIndex(where: { $0.contains("space play, stop") }) else { return }
    for line in lines[first...] where !line.isEmpty {
      #expect(line.count <= columns)
      for meaning in ["semitone", "octave", "level", "cent", "picture", "sweep"] {
        guard let range = line.range(of: " \(meaning)") else { continue }
        #expect(line[range.upperBound...].isEmpty || line[range.upperBound...].hasPrefix("  "))
      }
    }
  }

  @Test("all keys are shown on request, in a list that scrolls if it does not fit")
  func allKeys() {
    var state = Page.State()
    state.keysFrom = 0
    let top = text(state, 80, 12)
    #expect(top.contains("play, stop") && !top.contains("export FILE"))
    state.keysFrom = Page(state: state, size: .init(columns: 80, rows: 12)).lastKeysFrom
    #expect(text(state, 80, 12).contains("help"))
    #expect(text(state, 80, 60).contains("export FILE"))
  }

  @Test(
    "nothing of the commands is cut, in any language", arguments: [nil, "ja", "zh_CN"],
    [50, 80, 120])
  func commands(language: String?, columns: Int) throws {
    let texts = try language.map(Self.translations) ?? [:]
    let entries = PromptEntry.all.map {
      PromptEntry(
        word: $0.word, arguments: $0.arguments, meaning: texts[$0.meaning] ?? $0.meaning)
    }
    #expect(language == nil || entries.contains { $0.meaning.contains { $0 > "\u{3000}" } })
    let page = Page(state: .init(), size: .init(columns: columns, rows: 24))
    for entry in entries {
      let lines = page.lines(of: [entry])
      #expect(lines.allSatisfy { $0.width <= columns }, "\(lines.map(\.text))")
      let shown = lines.map(\.text).joined().filter { $0 != " " }
      // Where the effect begins below the arguments, they may be in one line with a part of it.
      for part in [entry.word, entry.arguments] where !part.isEmpty {
        #expect(shown.contains(part.filter { $0 != " " }), "\(lines.map(\.text))")
      }
      let letters = { (text: String) in text.filter { $0 != " " }.sorted() }
      #expect(letters(shown) == letters(entry.word + entry.arguments + entry.meaning))
    }
  }

  /// The texts of a translation.
  private static func translations(_ language: String) throws -> [String: String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = try String(
      contentsOf: root.appendingPathComponent("po/\(language).po"), encoding: .utf8)
    let pairs = file.matches(of: /msgid "(.+)"\nmsgstr "(.*)"/)
    return Dictionary(pairs.map { (String($0.1), String($0.2)) }) { first, _ in first }
  }

  @Test("says what starts a sound server on this kind of machine")
  func servers() {
    func text(_ servers: Set<SoundMachine.Server>, systemd: Bool, container: Bool = false) -> String
    {
      Texts.unheard(
        on: SoundMachine(servers: servers, hasSystemd: systemd, isContainer: container))
    }
    #expect(text([.pipewire], systemd: true).contains("systemctl --user start pipewire"))
    let plain = text([.pipewire], systemd: false)
    #expect(plain.contains("pipewire & wireplumber") && !plain.contains("systemctl"))
    #expect(text([.pulseaudio], systemd: false).contains("pulseaudio --start"))
    #expect(text([.jackd], systemd: false).contains("jackd -d alsa"))
    #expect(text([], systemd: true).contains("apt install pipewire-audio"))
    let container = text([.pipewire], systemd: false, container: true)
    #expect(container.contains("container") && container.contains("pipewire-0"))
  }

  @Test("a message that does not fit continues in a second line, and ends between words")
  func message() {
    var state = Page.State()
    state.message = "The device does not play: it has been unplugged by somebody who is gone now"
    let text = text(state, 40, 20)
    #expect(
      text.contains(
        "\n The device does not play: it has been\n unplugged by somebody who is gone now"))
    #expect("短い文ではありません".words(columns: 11) == "短い文では…")
    #expect("unforeseeable".words(columns: 6) == "unfor…")
    #expect("fits".words(columns: 4) == "fits")
  }

  @Test("if the locale has only ASCII, so do plots and notes")
  func ascii() {
    #expect(TerminalCharacters.ascii("▶ A♯4  −20.0 dBFS ██▌·") == "> A#4  -20.0 dBFS ##=.")
    var canvas = DotCanvas(columns: 20, rows: 4)
    canvas.draw((0...40).map { Float(sin(Double($0) / 40 * 2 * .pi)) })
    let rows = canvas.rows.map(TerminalCharacters.ascii)
    #expect(rows.allSatisfy { $0.count == 20 && $0.utf8.allSatisfy { $0 < 0x80 } })
    #expect(
      rows[0].prefix(10).contains { $0 != " " } && rows[3].dropFirst(10).contains { $0 != " " })
  }

  @Test("shows the typed digits instead of the frequency")
  func entry() {
    var state = Page.State()
    state.entry = "123.4"
    let text = text(state, 80, 12)
    #expect(text.contains("123.4 Hz"))
    #expect(text.contains("Enter"))
  }

  @Test("a meter is empty in silence, half full in the middle and full at full scale")
  func meter() {
    #expect(Meter.bar(-.infinity, columns: 20).text == String(repeating: "·", count: 20))
    #expect(Meter.bar(-45, columns: 20).text.hasPrefix("██████████·"))
    #expect(Meter.bar(0, columns: 20).text == String(repeating: "█", count: 20))
  }

  @Test("a meter rises immediately and falls slowly")
  func ballistics() {
    var meter = Meter()
    meter.update(-10, seconds: 0.03)
    #expect(meter.level == -10)
    meter.update(-.infinity, seconds: 0.1)
    #expect(abs(meter.level + 16) < 1e-9)
    for _ in 1...20 { meter.update(-.infinity, seconds: 0.1) }
    #expect(meter.level == -.infinity)
  }
}

@Suite("Keys of the terminal")
struct KeyTests {
  @Test("arrows, pages and letters")
  func keys() {
    let bytes = Array("\u{1b}[A\u{1b}OC\u{1b}[1;2D\u{1b}[5~q 7\r\u{7f}".utf8)
    #expect(
      Key.keys(bytes) == [
        .up, .right, .shiftLeft, .pageUp, .character("q"), .character(" "), .character("7"),
        .enter, .backspace,
      ])
  }

  @Test("a lone escape is a key; unknown sequences are ignored")
  func escapes() {
    #expect(Key.keys([0x1b]) == [.escape])
    #expect(Key.keys(Array("\u{1b}[99~x".utf8)) == [.character("x")])
    #expect(Key.keys(Array("é音".utf8)) == [.character("é"), .character("音")])
    #expect(Key.keys([0xff, 0x80]).isEmpty)
  }

  @Test("the rest of a split sequence is waited for")
  func unfinished() {
    #expect(Key.isUnfinished([0x1b]))
    #expect(Key.isUnfinished(Array("\u{1b}[1;2".utf8)))
    #expect(!Key.isUnfinished(Array("\u{1b}[1;2C".utf8)))
    #expect(!Key.isUnfinished(Array("q".utf8)))
  }
}
