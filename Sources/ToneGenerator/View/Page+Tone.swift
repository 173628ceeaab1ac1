// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import PlainText
import ToneModel
import ToneTexts

// The lines with the waveform and the settings of the selected tone.

extension Page {
  /// The waveforms around the chosen one, as many as fit.
  var waveLine: Line {
    // A file is the last one while it plays.
    let all = ToneWaveform.allCases + (state.tone.waveform == .file ? [.file] : [])
    let titles = all.map(Texts.waveform)
    let chosen = all.firstIndex(of: state.tone.waveform) ?? 0
    var first = 0
    func width(_ range: ClosedRange<Int>) -> Int {
      range.reduce(2) { $0 + titles[$1].columns + 2 }
    }
    let room = size.columns - Self.labelColumns
    while first < chosen, width(first...chosen) > room { first += 1 }
    var line = label(tr("Wave"))
    for index in first..<all.count where index <= chosen || width(first...index) <= room {
      line.add(
        index == chosen ? " \(titles[index]) " : titles[index], index == chosen ? .reverse : .dim)
      line.add("  ")
    }
    return line
  }

  /// What the selected tone has besides frequency, level and waveform, in as many lines as needed.
  var toneLines: [Line] {
    let tone = state.tone
    var parts: [(text: String, matters: Bool)] = [
      (tr("{} of {}", "\(state.selection + 1)", "\(state.toneCount)"), state.toneCount > 1),
      tone.channels.isEmpty
        ? (sideText(tone.side), tone.side != .both)
        : (tr("channels {}", ToneChannels.text(tone.channels)), true),
    ]
    func add(_ text: String) { parts.append((text, true)) }
    if tone.phase != 0 { add(tr("right {}°", Texts.plain(tone.phase))) }
    if tone.isInverted { add(tr("right inverted")) }
    if tone.waveform == .square { add(tr("duty {} %", Texts.plain(tone.dutyCycle))) }
    if let band = tone.band, tone.waveform.isNoise {
      add(tr("band {} to {} Hz", Texts.plain(band.lowest), Texts.plain(band.highest)))
    }
    if let frames = tone.lineFrames { add(tr("locked to lines of {}", "\(frames)")) }
    if let am = tone.amplitudeModulation {
      add(tr("AM {} Hz, {} %", Texts.plain(am.frequency), Texts.plain(am.depth)))
    }
    if let fm = tone.frequencyModulation {
      add(tr("FM {} Hz, ±{} Hz", Texts.plain(fm.frequency), Texts.plain(fm.deviation)))
    }
    if [.maximumLengthSequence, .periodicPinkNoise].contains(tone.waveform) {
      add(tr("order {}", "\(tone.noiseOrder)"))
    }
    if let sound = tone.sound { add(Excerpt.name(sound.name)) }
    if let timing = tone.timing { add(Texts.timing(timing)) }
    if let burst = tone.burst { add(tr("burst {}, pause {}", "\(burst.on)", "\(burst.off)")) }
    if let sweep = tone.sweep {
      add(tr("sweep {} to {} Hz", Texts.plain(sweep.start), Texts.plain(sweep.end)))
      if let steps = sweep.steps { add(tr("{} steps", "\(steps)")) }
      if let level = sweep.endLevel { add(tr("to {}", Texts.level(level))) }
    }
    var lines = [label(tr("Tone"))]
    for part in parts {
      let last = lines.count - 1
      let isFirst = lines[last].width <= Self.labelColumns
      if !isFirst, lines[last].width + 2 + part.text.columns > size.columns {
        lines.append(label(""))
      }
      if lines[lines.count - 1].width > Self.labelColumns { lines[lines.count - 1].add("  ") }
      lines[lines.count - 1].add(part.text, part.matters ? [] : .dim)
    }
    return lines
  }

  private func sideText(_ side: ToneSide) -> String {
    switch side {
    case .both: tr("both sides")
    case .left: tr("left side")
    case .right: tr("right side")
    }
  }
}
