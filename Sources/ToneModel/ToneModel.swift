// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The tone generator without a screen: what shall sound, and whether it does.
///
/// Views read it and call it, all on one thread, and are told by `onChange` of what changed
/// elsewhere. Every change is free of clicks while it plays.
public final class ToneModel {
  /// Frequencies that can be chosen, in Hz.
  public static let frequencies = 20.0...20_000.0
  /// Levels that can be chosen, in dBFS.
  public static let levels = -90.0...0.0
  /// Frequencies that A4 may have, in Hz.
  public static let tunings = 400.0...480.0
  /// Above this level, in dBFS, whoever listens is asked first.
  public static let loudLevel = -6.0

  /// What sounds, or will when it plays: one to eight tones.
  public internal(set) var tones: [Tone] {
    didSet {
      if tones.map(\.largestAmplitude).reduce(0, +) <= Decibels.ratio(Self.loudLevel) {
        mayBeLoud = false
      }
      if tones != oldValue { output?.mix.tones = tones }
      onChange()
    }
  }

  /// Which of the tones is looked at, and changed.
  public internal(set) var selection = 0

  /// Called after every change, on the thread of the views.
  public var onChange: () -> Void = {}

  /// What kept the device from playing when somebody last looked; nil: nothing.
  var lastInterruption: String?
  /// The units that play; there are none while nothing sounds.
  var output: ToneOutput? { didSet { onChange() } }
  /// Whether somebody has agreed to more than the loud level.
  var mayBeLoud: Bool
  /// A level that waits for an answer, in dBFS.
  public internal(set) var askedLevel: Double?

  /// Begins in silence. A tone that is loud by itself has been agreed to.
  public init(_ tone: Tone = Tone()) {
    var tone = tone
    tone.frequency = Self.frequencies.nearest(to: tone.frequency)
    tone.level = Self.levels.nearest(to: tone.level)
    mayBeLoud = tone.level > Self.loudLevel
    tones = [tone]
  }

  // MARK: Playing

  /// Whether it plays.
  public var isPlaying: Bool { output != nil }

  /// [control thread] Makes the units anew and plays; does nothing when it plays.
  ///
  /// - Parameter seconds: When the tone is to end, its fades included; nil plays until `stop`.
  /// - Throws: Which step failed, and why; then nothing plays.
  public func play(for seconds: Double? = nil) throws(ToneError) {
    guard output == nil else { return }
    let output = try ToneOutput(tones)
    if let seconds {
      try output.end(atFrame: Int((seconds * output.sampleRate).rounded()))
    }
    try output.start()
    lastInterruption = nil
    self.output = output
  }

  /// [control thread] Sleeps until a tone with an end is over, and tears the units down. The tone
  /// fades out early when `isCancelled` says so.
  public func waitUntilOver(unless isCancelled: () -> Bool = { false }) {
    guard let output else { return }
    output.mix.waitUntilOver(
      patience: 2, isWaiting: { output.interruption != nil },
      unless: { output.isOver || isCancelled() })
    stop()
  }

  /// [control thread] Fades out and tears the units down; does nothing when nothing plays.
  public func stop() {
    output?.stop()
    output = nil
  }

  /// [control thread] Plays when it is silent, and stops when it plays.
  public func toggle() throws(ToneError) {
    if isPlaying { stop() } else { try play() }
  }

  /// The uid of the device to play to; nil: the default one, whichever that is. While it plays, it
  /// continues there, after a fade.
  public var deviceChoice: String? {
    didSet {
      guard deviceChoice != oldValue else { return }
      ToneDevices.choose(deviceChoice)
      if isPlaying {
        stop()
        try? play()
      }
      onChange()
    }
  }

  /// What the device is asked for; nothing at first. While it plays, it begins anew with that, after a
  /// fade.
  public var deviceWishes = ToneDeviceWishes() {
    didSet {
      guard deviceWishes != oldValue else { return }
      ToneDevices.prefer(deviceWishes)
      if isPlaying {
        stop()
        try? play()
      }
      onChange()
    }
  }

  /// The peak since the last call, in dBFS; minus infinity in silence.
  public func takePeak() -> Double { Decibels.level(output?.mix.takePeak() ?? 0) }

  /// The last frames of the left (0) or right (1) channel; none while nothing plays.
  public func lastSamples(_ count: Int, channel: Int) -> [Float] {
    output?.mix.tap.last(count, channel: channel) ?? []
  }

  // MARK: The tone that is looked at

  /// The tone that is looked at.
  public var tone: Tone {
    get { tones[selection] }
    set {
      guard newValue != tones[selection] else { return }
      tones[selection] = newValue
    }
  }

  /// In Hz; what lies outside the range becomes its end. Setting it ends a sweep.
  public var frequency: Double {
    get {
      guard tone.sweep != nil else { return tone.frequency }
      return output?.mix.reachedFrequency(selection) ?? tone.firstFrequency
    }
    set {
      var changed = tone
      changed.frequency = Self.frequencies.nearest(to: newValue)
      changed.sweep = nil
      tone = changed
    }
  }

  /// In dBFS; what lies outside the range becomes its end.
  ///
  /// What would be loud becomes the loud level, and `askedLevel`, until somebody has agreed to it.
  public var level: Double {
    get { tone.level }
    set {
      let wanted = (Self.levels.lowerBound...highestLevel(0)).nearest(to: newValue)
      let quiet = highestLevel(Self.loudLevel)
      askedLevel = wanted > quiet && !mayBeLoud ? wanted : nil
      tone.level = askedLevel == nil ? wanted : max(min(quiet, wanted), Self.levels.lowerBound)
      if askedLevel != nil { onChange() }
    }
  }

  /// Answers for the level that waits.
  public func answer(loud isAgreed: Bool) {
    guard let asked = askedLevel else { return }
    askedLevel = nil
    if isAgreed {
      mayBeLoud = true
      tone.level = asked
    }
  }

  /// The level in dBFS with which this tone and the others reach `sum` dBFS together, at their worst.
  private func highestLevel(_ sum: Double) -> Double {
    let others = tones.indices.filter { $0 != selection }.map { tones[$0].largestAmplitude }
    let room = Decibels.ratio(sum) - others.reduce(0, +)
    // A tone alone has its level exactly.
    return others.isEmpty ? sum : max(Decibels.level(max(room, 0)), Self.levels.lowerBound)
  }

  /// The shape of the wave.
  public var waveform: ToneWaveform {
    get { tone.waveform }
    set { tone.waveform = newValue }
  }

  /// What moves the frequency; nil: nothing. A sweep that is switched off while it plays leaves the
  /// frequency that was shown, and a silent one that from before the sweep.
  public var sweep: ToneSweep? {
    get { tone.sweep }
    set {
      guard let newValue else {
        guard tone.sweep != nil else { return }
        frequency = isPlaying ? (frequency * 1_000).rounded() / 1_000 : tone.frequency
        return
      }
      var sweep = newValue
      sweep.start = Self.frequencies.nearest(to: sweep.start)
      sweep.end = Self.frequencies.nearest(to: sweep.end)
      sweep.seconds = (0.1...3_600).nearest(to: sweep.seconds)
      // Nobody is asked at the end of a sweep: what may be loud there is what may be loud now.
      let highest = max(highestLevel(mayBeLoud ? 0 : Self.loudLevel), Self.levels.lowerBound)
      sweep.endLevel = sweep.endLevel.map { (Self.levels.lowerBound...highest).nearest(to: $0) }
      tone.sweep = sweep
    }
  }

  /// The frequency of the A above middle C, in Hz.
  public var a4 = 440.0 {
    didSet {
      a4 = Self.tunings.nearest(to: a4)
      if a4 != oldValue { onChange() }
    }
  }

  /// What levels are outside the machine; nil: nobody has measured it.
  public var calibration: Calibration? { didSet { if calibration != oldValue { onChange() } } }

  /// The note that is nearest to the frequency.
  public var note: Note { Note(nearestTo: frequency, a4: a4) }

  /// Moves the frequency by semitones of any number and sign.
  public func step(semitones: Double) { frequency *= exp2(semitones / 12) }

  /// Moves the frequency by hertz.
  public func step(hertz: Double) {
    // Decimal steps stay decimal numbers: ten times a tenth is one.
    frequency = ((frequency + hertz) * 1e9).rounded() / 1e9
  }

  /// Moves the level by decibels.
  public func step(decibels: Double) { level = ((level + decibels) * 1e6).rounded() / 1e6 }
}

extension ClosedRange where Bound == Double {
  /// The number of the range that is nearest to a number; not a number becomes the lower end.
  func nearest(to number: Double) -> Double {
    number >= upperBound ? upperBound : number > lowerBound ? number : lowerBound
  }
}
