// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The tone generator without a user interface: its tones, and whether they play.
///
/// Views read and change it, all on one thread; `onChange` notifies them of changes. No change
/// clicks during playback.
public final class ToneModel {
  /// The possible frequencies, in Hz; while it plays, up to half the device's rate.
  public static let frequencies = 0.01...384_000.0
  /// The frequencies of sliders and pictures, in Hz.
  public static let audible = 20.0...20_000.0
  /// The possible levels, in dBFS.
  public static let levels = -90.0...0.0
  /// The possible frequencies of A4, in Hz.
  public static let tunings = 400.0...480.0
  /// Levels above this one, in dBFS, need a confirmation.
  public static let loudLevel = -6.0

  /// The tones, one to eight.
  public internal(set) var tones: [Tone] {
    didSet {
      if tones.map(\.largestAmplitude).reduce(0, +) <= Decibels.ratio(Self.loudLevel) {
        mayBeLoud = false
      }
      if tones != oldValue { output?.mix.tones = tones }
      onChange()
    }
  }

  /// The index of the selected tone, which the properties below change.
  public internal(set) var selection = 0

  /// Called after every change, on the thread of the views.
  public var onChange: () -> Void = {}

  /// What interrupted the device at the last check; nil: nothing.
  var lastInterruption: String?
  /// The units that play; nil while nothing plays.
  var output: ToneOutput? { didSet { onChange() } }
  /// Whether a level above the loud level has been confirmed.
  var mayBeLoud: Bool
  /// A level that waits for its confirmation, in dBFS.
  public internal(set) var pendingLevel: Double?

  /// Begins without playing. A tone that is already loud counts as confirmed.
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

  /// [control thread] Makes the units and plays; does nothing if it already plays.
  ///
  /// - Parameter seconds: The duration, fades included; nil plays until `stop`.
  /// - Throws: The step that failed, with the reason; then nothing plays.
  public func play(for seconds: Double? = nil) throws(ToneError) {
    guard output == nil else { return }
    let output = try ToneOutput(tones, dither: dither)
    try check(output)
    if let seconds {
      try output.end(atFrame: Int((seconds * output.sampleRate).rounded()))
    }
    try output.start()
    lastInterruption = nil
    self.output = output
  }

  /// Refuses what the device cannot play: frequencies above half its rate, and channels beyond its
  /// own.
  private func check(_ output: ToneOutput) throws(ToneError) {
    for tone in tones where tone.waveform.isPeriodic {
      let highest = max(tone.frequency, tone.sweep?.start ?? 0, tone.sweep?.end ?? 0)
      guard highest <= output.sampleRate / 2 else {
        throw ToneError(
          "The device plays \(output.sampleRate.plainText) frames per second: frequencies up to "
            + "\((output.sampleRate / 2).plainText) Hz, not \(highest.plainText)")
      }
    }
    if let highest = tones.flatMap(\.channels).max(), highest > output.channelCount {
      throw ToneError(
        "The device has \(output.channelCount) channels: there is no channel \(highest)")
    }
  }

  /// [control thread] Sleeps until a tone with an end is over, and tears the units down. The tone
  /// fades out early if `isCancelled` returns true.
  public func waitUntilOver(unless isCancelled: () -> Bool = { false }) {
    guard let output else { return }
    output.mix.waitUntilOver(
      timeout: 2, isWaiting: { output.interruption != nil },
      unless: { output.isOver || isCancelled() })
    stop()
  }

  /// Whether the tones have faded out while the device stays open; until it stops.
  public var isMuted = false {
    didSet {
      // What does not play has nothing to fade.
      if output == nil { isMuted = false }
      guard isMuted != oldValue else { return }
      output?.mix.isMuted = isMuted
      onChange()
    }
  }

  /// [control thread] Fades out and tears the units down; does nothing if nothing plays.
  public func stop() {
    output?.stop()
    output = nil
    isMuted = false
  }

  /// [control thread] Plays if stopped, and stops if playing.
  public func toggle() throws(ToneError) {
    if isPlaying { stop() } else { try play() }
  }

  /// The UID of the device to play to; nil: the default device. During playback it changes to the
  /// new device, after a fade.
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

  /// The rate and cycle to request from the device; initially none. During playback the device is
  /// reopened with them, after a fade.
  public var devicePreferences = ToneDevicePreferences() {
    didSet {
      guard devicePreferences != oldValue else { return }
      ToneDevices.prefer(devicePreferences)
      if isPlaying {
        stop()
        try? play()
      }
      onChange()
    }
  }

  /// The noise for devices with integers; nil: the usual one of the tones. During playback the device
  /// is reopened with it, after a fade.
  public var dither: ToneDither? {
    didSet {
      guard dither != oldValue else { return }
      if isPlaying {
        stop()
        try? play()
      }
      onChange()
    }
  }

  /// Returns the peak since the last call, in dBFS; minus infinity in silence.
  public func readAndResetPeak() -> Double { Decibels.level(output?.mix.readAndResetPeak() ?? 0) }

  /// The last frames of the left (0) or right (1) channel; empty while nothing plays.
  public func lastSamples(_ count: Int, channel: Int) -> [Float] {
    output?.mix.tap.last(count, channel: channel) ?? []
  }

  // MARK: The selected tone

  /// The selected tone.
  public var tone: Tone {
    get { tones[selection] }
    set {
      guard newValue != tones[selection] else { return }
      tones[selection] = newValue
    }
  }

  /// The frequencies that are possible now, in Hz.
  public var possibleFrequencies: ClosedRange<Double> {
    guard let output else { return Self.frequencies }
    return Self.frequencies.lowerBound...min(Self.frequencies.upperBound, output.sampleRate / 2)
  }

  /// The frequency that sounds at the rate of the device, or at 48,000 Hz while nothing plays: the
  /// line to which the tone is locked, in Hz.
  public var soundingFrequency: Double {
    tone.lockedFrequency(frequency, sampleRate: output?.sampleRate ?? 48_000)
  }

  /// In Hz; values outside the range are clamped. Setting it ends a sweep.
  public var frequency: Double {
    get {
      guard tone.sweep != nil else { return tone.frequency }
      return output?.mix.reachedFrequency(selection) ?? tone.firstFrequency
    }
    set {
      var changed = tone
      changed.frequency = possibleFrequencies.nearest(to: newValue)
      changed.sweep = nil
      tone = changed
    }
  }

  /// In dBFS; values outside the range are clamped.
  ///
  /// A level above the loud level is limited to it and stored in `pendingLevel` until it is
  /// confirmed.
  public var level: Double {
    get { tone.level }
    set {
      let requested = (Self.levels.lowerBound...highestLevel(0)).nearest(to: newValue)
      let quiet = highestLevel(Self.loudLevel)
      pendingLevel = requested > quiet && !mayBeLoud ? requested : nil
      tone.level =
        pendingLevel == nil ? requested : max(min(quiet, requested), Self.levels.lowerBound)
      if pendingLevel != nil { onChange() }
    }
  }

  /// Confirms or rejects the pending level.
  public func confirm(loud isAgreed: Bool) {
    guard let level = pendingLevel else { return }
    pendingLevel = nil
    if isAgreed {
      mayBeLoud = true
      tone.level = level
    }
  }

  /// The level in dBFS at which this tone and the others can sum to at most `sum` dBFS.
  private func highestLevel(_ sum: Double) -> Double {
    let others = tones.indices.filter { $0 != selection }.map { tones[$0].largestAmplitude }
    let room = Decibels.ratio(sum) - others.reduce(0, +)
    // For a single tone the level is exact.
    return others.isEmpty ? sum : max(Decibels.level(max(room, 0)), Self.levels.lowerBound)
  }

  /// The shape of the wave; a file is chosen with `play(file:)`.
  public var waveform: ToneWaveform {
    get { tone.waveform }
    set {
      guard newValue != .file else { return }
      var changed = tone
      changed.waveform = newValue
      changed.sound = nil
      tone = changed
    }
  }

  /// The sweep of the frequency; nil: none. Ending a sweep during playback keeps the current
  /// frequency; otherwise it restores the frequency from before the sweep.
  public var sweep: ToneSweep? {
    get { tone.sweep }
    set {
      guard let newValue else {
        guard tone.sweep != nil else { return }
        frequency = isPlaying ? (frequency * 1_000).rounded() / 1_000 : tone.frequency
        return
      }
      var sweep = newValue
      sweep.start = possibleFrequencies.nearest(to: sweep.start)
      sweep.end = possibleFrequencies.nearest(to: sweep.end)
      sweep.seconds = (0.1...3_600).nearest(to: sweep.seconds)
      // The end of a sweep cannot ask for confirmation, so its limit is that of the current level.
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

  /// The calibration of the levels; nil: none.
  public var calibration: Calibration? {
    didSet {
      guard calibration != oldValue else { return }
      if shownUnit?.calibrated != calibration?.unit { shownUnit = calibration?.unit.levelUnit }
      onChange()
    }
  }

  /// The unit in which views show levels besides dBFS; nil: none. A calibration sets it.
  public var shownUnit: LevelUnit? { didSet { if shownUnit != oldValue { onChange() } } }

  /// The nearest note to the frequency.
  public var note: Note { Note(nearestTo: frequency, a4: a4) }

  /// Changes the frequency by semitones.
  public func step(semitones: Double) { frequency *= exp2(semitones / 12) }

  /// Changes the frequency by hertz.
  public func step(hertz: Double) {
    // Rounded, so that ten steps of 0.1 Hz are exactly 1 Hz.
    frequency = ((frequency + hertz) * 1e9).rounded() / 1e9
  }

  /// Changes the level by decibels.
  public func step(decibels: Double) { level = ((level + decibels) * 1e6).rounded() / 1e6 }
}

extension ClosedRange where Bound == Double {
  /// The number clamped to the range; NaN becomes the lower bound.
  func nearest(to number: Double) -> Double {
    number >= upperBound ? upperBound : number > lowerBound ? number : lowerBound
  }
}
