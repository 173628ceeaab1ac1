// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation

/// The state of the window when it was closed, to be restored at the next start.
public struct WindowState: Equatable, Codable, Sendable {
  /// In Hz.
  public var frequency: Double
  /// In dBFS.
  public var level: Double
  public var waveform: ToneWaveform
  /// The path of the sound file; nil for other waveforms.
  public var file: String?
  /// The noise for devices with integers; nil: the usual one.
  public var dither: ToneDither?
  /// The UID of the chosen device; nil: the default device.
  public var device: String?
  /// The requested rate and cycle; nil: none.
  public var devicePreferences: ToneDevicePreferences?
  /// In pixels, without the panel.
  public var width: Int?
  public var height: Int?
  /// Whether the spectrum was visible.
  public var hasSpectrum: Bool?
  /// The chosen scale of the oscilloscope; nil: automatic.
  public var scopeScale: Double?
  /// The calibration of the levels; nil: none.
  public var calibration: Calibration?
  /// The unit in which levels are shown besides dBFS; nil: that of the calibration.
  public var levelUnit: LevelUnit?

  private enum CodingKeys: String, CodingKey {
    case frequency, level, waveform, file, dither, device
    case devicePreferences = "deviceWishes"
    case width, height, hasSpectrum, scopeScale, calibration, levelUnit
  }

  /// The state of a model.
  public init(_ model: ToneModel) {
    frequency = model.tone.frequency
    level = model.level
    waveform = model.waveform
    file = model.tone.sound?.path
    dither = model.dither
    device = model.deviceChoice
    devicePreferences =
      model.devicePreferences == ToneDevicePreferences() ? nil : model.devicePreferences
    calibration = model.calibration
    levelUnit = model.shownUnit
  }

  /// The initial tone. It is not loud, even if loud levels had been confirmed. A sine takes the place
  /// of a file that cannot be read any more.
  public var tone: Tone {
    var tone = Tone(
      frequency: ToneModel.frequencies.nearest(to: frequency),
      level: min(ToneModel.levels.nearest(to: level), ToneModel.loudLevel), waveform: waveform)
    guard waveform == .file else { return tone }
    tone.sound = file.flatMap { try? ToneSound(path: $0) }
    if tone.sound == nil { tone.waveform = .sine }
    return tone
  }

  /// The path of the file: `ToneGenerator/window.json` below `$XDG_STATE_HOME`, or below
  /// `~/.local/state` if that is not set.
  public static var path: String {
    let environment = ProcessInfo.processInfo.environment
    let folder = environment["XDG_STATE_HOME"] ?? ""
    let home = environment["HOME"] ?? NSHomeDirectory()
    return (folder.isEmpty ? home + "/.local/state" : folder) + "/ToneGenerator/window.json"
  }

  /// The stored state; nil if there is none or it cannot be read.
  public static func load(from path: String = path) -> WindowState? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    return try? JSONDecoder().decode(WindowState.self, from: data)
  }

  /// Stores the state.
  ///
  /// - Throws: If it cannot be written, with the reason.
  public func save(to path: String = path) throws(ToneError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let data: Data
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      data = try encoder.encode(self)
    } catch { throw ToneError("Can't write \(path)") }
    do { try AtomicFile.write(data, to: path) } catch { throw ToneError(error.explanation) }
  }
}
