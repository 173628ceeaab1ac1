// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The tone generator without a screen: what shall sound, and whether it does.
///
/// Views read it and call it, all on one thread. Every change is free of clicks while it plays.
public final class ToneModel {
  /// Frequencies that can be chosen, in Hz.
  public static let frequencies = 20.0...20_000.0
  /// Levels that can be chosen, in dBFS.
  public static let levels = -90.0...0.0

  /// What sounds, or will when it plays.
  public private(set) var tone: Tone {
    didSet { output?.source.tone = tone }
  }

  /// The units that play; there are none while nothing sounds.
  private var output: ToneOutput?

  /// Begins in silence.
  public init(_ tone: Tone = Tone()) {
    self.tone = tone
    frequency = tone.frequency
    level = tone.level
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
    let output = try ToneOutput(tone)
    if let seconds {
      output.source.end(atFrame: Int((seconds * output.sampleRate).rounded()))
    }
    try output.start()
    self.output = output
  }

  /// [control thread] Sleeps until a tone with an end is over, and tears the units down. The tone
  /// fades out early when `isInterrupted` says so.
  public func waitUntilOver(unless isInterrupted: () -> Bool = { false }) {
    output?.source.waitUntilOver(patience: 2, unless: isInterrupted)
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

  /// [control thread] Whether a device left while it was played to; then nothing plays any more.
  public func noticeLostDevice() -> Bool {
    guard let output, !output.isRunning else { return false }
    stop()
    return true
  }

  /// The device that plays; nil while nothing does.
  public var device: (name: String, sampleRate: Double, channelCount: Int)? {
    output.map { ($0.deviceName, $0.sampleRate, $0.channelCount) }
  }

  /// The peak since the last call, in dBFS; minus infinity in silence.
  public func takePeak() -> Double { Decibels.level(output?.source.takePeak() ?? 0) }

  // MARK: The tone

  /// In Hz; what lies outside the range becomes its end.
  public var frequency: Double {
    get { tone.frequency }
    set { tone.frequency = Self.frequencies.nearest(to: newValue) }
  }

  /// In dBFS; what lies outside the range becomes its end.
  public var level: Double {
    get { tone.level }
    set { tone.level = Self.levels.nearest(to: newValue) }
  }

  /// The shape of the wave.
  public var waveform: ToneWaveform {
    get { tone.waveform }
    set { tone.waveform = newValue }
  }

  /// The note that is nearest to the frequency.
  public var note: Note { Note(nearestTo: frequency) }

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
  fileprivate func nearest(to number: Double) -> Double {
    number >= upperBound ? upperBound : number > lowerBound ? number : lowerBound
  }
}
