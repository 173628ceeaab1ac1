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
  /// The uid of the device that was chosen; nil: the default one.
  public var device: String?
  /// What the device was asked for; nil: nothing.
  public var deviceWishes: ToneDeviceWishes?
  /// In pixels, without the panel.
  public var width: Int?
  public var height: Int?
  /// Whether the spectrum was shown.
  public var hasSpectrum: Bool?
  /// What the oscilloscope showed at most; nil: whatever fitted.
  public var scopeScale: Double?
  /// What full scale is outside.
  public var calibration: Calibration?

  /// The state of a model.
  public init(_ model: ToneModel) {
    frequency = model.tone.frequency
    level = model.level
    waveform = model.waveform
    device = model.deviceChoice
    deviceWishes = model.deviceWishes == ToneDeviceWishes() ? nil : model.deviceWishes
    calibration = model.calibration
  }

  /// The tone to begin with. It is not loud, whatever was agreed to before.
  public var tone: Tone {
    Tone(
      frequency: ToneModel.frequencies.nearest(to: frequency),
      level: min(ToneModel.levels.nearest(to: level), ToneModel.loudLevel), waveform: waveform)
  }

  /// Where it is kept: `ToneGenerator/window.json` below `$XDG_STATE_HOME`, which is `~/.local/state`
  /// where nothing is said.
  public static var path: String {
    let environment = ProcessInfo.processInfo.environment
    let folder = environment["XDG_STATE_HOME"] ?? ""
    let home = environment["HOME"] ?? NSHomeDirectory()
    return (folder.isEmpty ? home + "/.local/state" : folder) + "/ToneGenerator/window.json"
  }

  /// What was kept; nil when nothing was, or nothing that can be read.
  public static func load(from path: String = path) -> WindowState? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    return try? JSONDecoder().decode(WindowState.self, from: data)
  }

  /// Keeps it.
  ///
  /// - Throws: When it cannot be written, and why.
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
