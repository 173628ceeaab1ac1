// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation

/// A named set of tones.
public struct TonePreset: Equatable, Codable, Sendable {
  public var name: String
  public var tones: [Tone]

  /// A preset.
  public init(_ name: String, _ tones: [Tone]) {
    self.name = name
    self.tones = tones
  }

  /// The built-in presets. The twin tones measure intermodulation: SMPTE RP 120 (60 Hz and 7 kHz,
  /// 4:1), DIN 45403 (250 Hz and 8 kHz, 4:1) and ITU-R (19 and 20 kHz, 1:1).
  public static let builtIn: [TonePreset] = [
    TonePreset("Concert pitch, 440 Hz", [Tone()]),
    TonePreset("Reference, 1 kHz", [Tone(frequency: 1_000)]),
    TonePreset("Twin tone SMPTE, 60 Hz and 7 kHz", pair(60, 7_000, ratio: 4)),
    TonePreset("Twin tone DIN, 250 Hz and 8 kHz", pair(250, 8_000, ratio: 4)),
    TonePreset("Twin tone ITU-R, 19 and 20 kHz", pair(19_000, 20_000, ratio: 1)),
    TonePreset("Beat, 440 and 442 Hz", pair(440, 442, ratio: 1)),
    TonePreset("Left 440 Hz, right 660 Hz", sides(440, 660)),
    TonePreset("Eight harmonics of 110 Hz", harmonics(of: 110)),
    TonePreset("Sweep, 20 Hz to 20 kHz", [swept]),
    TonePreset("Pink noise", [Tone(level: -12, waveform: .pinkNoise)]),
  ]

  /// Two tones whose sum peaks at -14 dBFS, the first `ratio` times as high as the second.
  private static func pair(_ first: Double, _ second: Double, ratio: Double) -> [Tone] {
    let sum = Decibels.ratio(-14)
    return [(first, sum * ratio / (1 + ratio)), (second, sum / (1 + ratio))].map {
      Tone(frequency: $0, level: (Decibels.level($1) * 1_000).rounded() / 1_000)
    }
  }

  private static func sides(_ left: Double, _ right: Double) -> [Tone] {
    var tones = [Tone(frequency: left), Tone(frequency: right)]
    tones[0].side = .left
    tones[1].side = .right
    return tones
  }

  private static func harmonics(of frequency: Double) -> [Tone] {
    (1...ToneMix.capacity).map { number in
      let level = -20 + Decibels.level(1 / Double(number))
      return Tone(frequency: frequency * Double(number), level: (level * 10).rounded() / 10)
    }
  }

  private static var swept: Tone {
    // Ending the sweep without playback returns to an audible frequency.
    var tone = Tone(frequency: 1_000)
    tone.sweep = ToneSweep()
    return tone
  }
}

/// The user's presets, in a file.
public struct PresetStore {
  /// The path of the file.
  public let path: String

  /// The store in a file; by default `ToneGenerator/presets.json` below `$XDG_CONFIG_HOME`, or
  /// below `~/.config` if that is not set.
  public init(path: String? = nil) {
    let environment = ProcessInfo.processInfo.environment
    let configuration = environment["XDG_CONFIG_HOME"] ?? ""
    let folder =
      configuration.isEmpty
      ? (environment["HOME"] ?? NSHomeDirectory()) + "/.config" : configuration
    self.path = path ?? folder + "/ToneGenerator/presets.json"
  }

  /// All stored presets, in the order of their creation.
  ///
  /// - Throws: If the file exists but contains no presets.
  public func load() throws(ToneError) -> [TonePreset] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      return try JSONDecoder().decode([TonePreset].self, from: data)
    } catch { throw ToneError("Can't read the presets in \(path)") }
  }

  /// Stores a preset, and replaces one of the same name.
  public func save(_ preset: TonePreset) throws(ToneError) {
    var presets = try load()
    if let index = presets.firstIndex(where: { $0.name == preset.name }) {
      presets[index] = preset
    } else {
      presets.append(preset)
    }
    try write(presets)
  }

  /// Deletes the preset with a name.
  public func remove(_ name: String) throws(ToneError) {
    try write(try load().filter { $0.name != name })
  }

  private func write(_ presets: [TonePreset]) throws(ToneError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let text: Data
    do {
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: path).deletingLastPathComponent(),
        withIntermediateDirectories: true)
      text = try encoder.encode(presets)
    } catch { throw ToneError("Can't write the presets to \(path)") }
    // An interruption leaves the old file, and a symbolic link stays a link.
    do { try AtomicFile.write(text, to: path) } catch { throw ToneError(error.explanation) }
  }
}
