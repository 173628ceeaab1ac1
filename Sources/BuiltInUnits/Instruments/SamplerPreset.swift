// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The instrument in a saved state of the sampler: the entries `Instrument` and `file-references` of
/// an `.aupreset` file.
///
/// `SamplerConnections` reads how controllers, envelopes and slow oscillators are connected.
struct SamplerPreset {
  private static let maximumFileSize = 4 << 20
  private static let instrumentKey = "Instrument"
  private static let referencesKey = "file-references"

  let name: String
  private(set) var zones: [SampleZone] = []
  /// The entries for a saved state, with the paths where the samples are now.
  private(set) var saved: [String: PropertyList] = [:]

  private var references: [String: PropertyList] = [:]
  private let finder: SampleFinder

  /// [control thread] Reads the property list of a file.
  static func read(_ path: String) throws(AudioError) -> PropertyList {
    let bytes = try SampleFinder.bytes(of: path, limit: maximumFileSize)
    guard let list = Bridge.current.propertyList(file: bytes), case .dictionary = list else {
      throw .invalidFile.because("\(path): is no property list with a dictionary")
    }
    return list
  }

  /// [control thread] Nil if the state has no instrument of samples.
  init?(_ state: PropertyList, folder: String?) throws(AudioError) {
    guard let instrument = state[Self.instrumentKey],
      case .dictionary(let references)? = state[Self.referencesKey], !references.isEmpty
    else { return nil }
    name = instrument["name"]?.string ?? "Instrument"
    finder = SampleFinder(folder: folder, name: name)
    for layer in instrument["Layers"]?.entries ?? [] { try add(layer, references) }
    guard !zones.isEmpty else {
      throw .invalidPropertyValue.because("its instrument has no zones with samples")
    }
    saved = [Self.instrumentKey: instrument, Self.referencesKey: .dictionary(self.references)]
  }

  private mutating func add(
    _ layer: PropertyList, _ references: [String: PropertyList]
  ) throws(AudioError) {
    let model = Self.model(layer)
    for entry in layer["Zones"]?.entries ?? [] where entry["enabled"]?.bool ?? true {
      guard let waveform = entry["waveform"]?.integer else { continue }
      let key = "Sample:\(waveform)"
      guard let named = references[key]?.string else {
        throw .invalidPropertyValue.because(
          "a zone uses the file \(waveform), which it does not name")
      }
      let known = self.references[key]?.string
      let path = if let known { known } else { try finder.find(named) }
      self.references[key] = .string(path)
      if let zone = Self.zone(entry, model, path) { zones.append(zone) }
    }
  }

  /// Nil if no note plays the zone.
  private static func zone(_ entry: PropertyList, _ model: SampleZone, _ path: String)
    -> SampleZone?
  {
    func range(_ low: String, _ high: String) -> ClosedRange<Int>? {
      let low = max(entry[low]?.integer ?? 0, 0)
      let high = min(entry[high]?.integer ?? 127, 127)
      return low <= high ? low...high : nil
    }
    guard let keys = range("min key", "max key"), let velocities = range("min vel", "max vel")
    else { return nil }
    var zone = model
    zone.path = path
    zone.key = min(max(entry["root key"]?.integer ?? 60, 0), 127)
    (zone.keys, zone.velocities) = (keys, velocities)
    if !(entry["pitch tracking"]?.bool ?? true) { zone.centsPerKey = 0 }
    zone.cents =
      100 * (entry["coarse tune"]?.real ?? 0) + (entry["fine tune"]?.real ?? 0)
      + (entry["tuning"]?.real ?? 0)
    zone.gain = entry["gain"]?.real ?? 0
    zone.pan = entry["pan"]?.real ?? 0
    if entry["loop enabled"]?.bool ?? false {
      zone.loop = .frames(
        start: max(entry["loop start"]?.integer ?? 0, 0), end: entry["loop end"]?.integer)
    }
    return zone
  }

  /// What all zones of a layer have in common.
  private static func model(_ layer: PropertyList) -> SampleZone {
    var model = SampleZone(path: "")
    model.isOneShot = layer["trigger mode"]?.integer == 11
    let filter = layer["Filters"]?.entries.first { $0["enabled"]?.bool ?? false }
    if let filter, filter["type"]?.integer ?? 40 == 40 {
      model.filter = .init(
        cutoff: filter["cutoff"]?.real ?? 20_000, resonance: filter["resonance"]?.real ?? 0)
    }
    SamplerConnections(layer).apply(to: &model)
    return model
  }
}
