// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio
import Foundation

/// The presets of the user for the units of a component, each in a file.
///
/// The files are in `Audio/Presets/MANUFACTURER/UNIT` below `$XDG_DATA_HOME`, or below
/// `~/.local/share` if that is not set.
struct UserPresets {
  private struct Entry {
    let preset: AUAudioUnitPreset
    let file: URL
    let state: [String: Any]
  }

  private static let suffix = "aupreset"

  private let unit: AUAudioUnit

  init(_ unit: AUAudioUnit) { self.unit = unit }

  private var folder: URL {
    let environment = ProcessInfo.processInfo.environment
    let data = environment["XDG_DATA_HOME"] ?? ""
    let home = environment["HOME"] ?? NSHomeDirectory()
    return URL(fileURLWithPath: data.isEmpty ? home + "/.local/share" : data)
      .appendingPathComponent("Audio/Presets")
      .appendingPathComponent(Self.fileName(unit.manufacturerName ?? ""))
      .appendingPathComponent(Self.fileName(unit.audioUnitName ?? ""))
  }

  /// The most bytes of a name as part of a path, so that there is room for what is added to it.
  private static let longestName = 180

  /// A name as part of a path: different for different names, and within what file systems allow.
  private static func fileName(_ name: String) -> String {
    var escaped = ""
    for scalar in name.unicodeScalars {
      let isHidden = scalar == "." && escaped.isEmpty
      if isHidden || "/%\0".unicodeScalars.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += scalar.value < 16 ? "%0" + digits : "%" + digits
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    guard escaped.utf8.count > longestName else { return escaped.isEmpty ? "%" : escaped }
    // The hash of Fowler, Noll and Vo, which is the same in each run.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in escaped.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    while escaped.utf8.count > longestName { escaped.removeLast() }
    return escaped + "%" + String(hash, radix: 16)
  }

  // MARK: Reading

  /// All presets, in the order of their numbers from -1 downwards.
  var all: [AUAudioUnitPreset] { entries.map(\.preset) }

  private var entries: [Entry] {
    guard unit.supportsUserPresets,
      let files = try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
    else { return [] }
    return files.filter { $0.pathExtension == Self.suffix }.compactMap(entry)
      .sorted { ($0.preset.number, $1.preset.name) > ($1.preset.number, $0.preset.name) }
  }

  /// The preset in a file; nil if it has none of this kind of unit.
  private func entry(_ file: URL) -> Entry? {
    guard let data = try? Data(contentsOf: file),
      let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
      let state = list as? [String: Any],
      UnitState.refusal(of: state, for: unit.componentDescription) == nil
    else { return nil }
    let name = state[kAUPresetNameKey] as? String ?? file.deletingPathExtension().lastPathComponent
    let number = state[Self.numberKey] as? Int ?? -1
    return Entry(preset: AUAudioUnitPreset(min(number, -1), name), file: file, state: state)
  }

  /// The key of the number; that of C units says which factory preset a state has.
  private static let numberKey = "user-preset-number"

  private func entry(of preset: AUAudioUnitPreset) throws -> Entry {
    let entries = entries
    guard
      let found = entries.first(where: { $0.preset.name == preset.name })
        ?? entries.first(where: { $0.preset.number == preset.number && preset.name.isEmpty })
    else {
      throw NSError(
        AudioError.fileNotFound.because(
          "there is no preset \"\(preset.name)\" with the number \(preset.number)"))
    }
    return found
  }

  /// The state that a preset has.
  func state(of preset: AUAudioUnitPreset) throws -> [String: Any] {
    try entry(of: preset).state
  }

  // MARK: Writing

  /// Saves the state of the unit as a preset.
  func save(_ preset: AUAudioUnitPreset) throws {
    guard unit.supportsUserPresets else {
      throw NSError(AudioError.unimplemented.because("this unit has no presets of the user"))
    }
    guard !preset.name.isEmpty else {
      throw NSError(AudioError.invalidArgument.because("a preset of the user needs a name"))
    }
    guard var state = unit.fullState else {
      throw NSError(AudioError.unimplemented.because("this unit has no state"))
    }
    let number = preset.number == 0 ? -1 : preset.number > 0 ? -preset.number : preset.number
    state[kAUPresetNameKey] = preset.name
    state[Self.numberKey] = number
    let data = try PropertyListSerialization.data(fromPropertyList: state, format: .xml, options: 0)
    let replaced = entries.filter { $0.preset.name == preset.name }
    let file = folder.appendingPathComponent(Self.fileName(preset.name) + "." + Self.suffix)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try data.write(to: file, options: .atomic)
      for entry in replaced where entry.file.lastPathComponent != file.lastPathComponent {
        try FileManager.default.removeItem(at: entry.file)
      }
    } catch {
      throw NSError(
        AudioError.filePermission.because("\(file.path): \(error.localizedDescription)"))
    }
    preset.number = number
  }

  /// Deletes a preset.
  func delete(_ preset: AUAudioUnitPreset) throws {
    let entry = try entry(of: preset)
    do { try FileManager.default.removeItem(at: entry.file) } catch {
      throw NSError(
        AudioError.filePermission.because("\(entry.file.path): \(error.localizedDescription)"))
    }
  }
}
