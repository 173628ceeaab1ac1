// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The instrument in a saved state of the sampler: the entries `Instrument` and `file-references` of
/// an `.aupreset` file.
///
/// Connections that a SoundFont has by itself are not read: controllers 7, 10 and 11 to gain and pan,
/// the pitch bend, the modulation wheel to the vibrato.
struct SamplerPreset {
  /// The destinations and sources of connections, without the number of the layer.
  private enum Port {
    static let pitch = 0x30b0_0000
    static let gain = 0x5010_0000
    static let keyNumber = 300
    static let velocity = 301
    static let oscillators = 0x1000_0000..<0x2000_0000
    static let envelopes = 0x2000_0000..<0x3000_0000
  }

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
    let envelopes = layer["Envelopes"]?.entries ?? []
    guard let connections = layer["Connections"]?.entries else {
      if let envelope = envelopes.first { model.envelope = Self.envelope(envelope) }
      return model
    }
    let active = connections.filter { $0["enabled"]?.bool ?? true }
    func source(_ number: Int, to port: Int) -> PropertyList? {
      active.first { $0["source"]?.integer == number && isPort($0["destination"], port) }
    }
    model.vibrato = vibrato(layer, active)
    model.followsVelocity = source(Port.velocity, to: Port.gain) != nil
    model.centsPerKey =
      source(Port.keyNumber, to: Port.pitch).map { (amount($0) ?? 12_800) / 128 } ?? 0
    let used = active.first {
      Port.envelopes.contains($0["source"]?.integer ?? 0) && isPort($0["destination"], Port.gain)
    }
    if let used {
      let number = used["source"]?.integer
      let envelope =
        envelopes.first { $0["ID"]?.integer == number.map { $0 & 0xff } } ?? envelopes.first
      if let envelope, envelope["enabled"]?.bool ?? true {
        model.envelope = Self.envelope(envelope)
      }
    }
    return model
  }

  /// How the slow oscillator that is connected to the pitch moves it. A connection that a controller scales
  /// is that of the modulation wheel.
  private static func vibrato(
    _ layer: PropertyList, _ connections: [PropertyList]
  ) -> SampleZone.Vibrato? {
    let used = connections.first {
      Port.oscillators.contains($0["source"]?.integer ?? 0) && isPort($0["destination"], Port.pitch)
    }
    let all = layer["LFOs"]?.entries ?? []
    guard let used, let number = used["source"]?.integer,
      let list = all.first(where: { $0["ID"]?.integer == number & 0xff }) ?? all.first,
      list["enabled"]?.bool ?? true, let rate = list["rate"]?.real
    else { return nil }
    var vibrato = SampleZone.Vibrato(rate: rate, delay: max(list["delay"]?.real ?? 0, 0))
    if used["control"]?.integer ?? 0 == 0 { vibrato.cents = amount(used) ?? 0 }
    return vibrato
  }

  /// How far a connection moves its destination.
  private static func amount(_ connection: PropertyList) -> Double? {
    connection["max value"]?.real ?? connection["scale"]?.real
  }

  /// Whether a number is that of a port in any layer; each layer adds 256.
  private static func isPort(_ number: PropertyList?, _ port: Int) -> Bool {
    number?.integer.map { $0 & ~0xffff == port } ?? false
  }

  private static func envelope(_ list: PropertyList) -> SampleZone.Envelope {
    var envelope = SampleZone.Envelope()
    for stage in list["Stages"]?.entries ?? [] {
      let time = min(max(stage["time"]?.real ?? 0, 0), 100)
      switch stage["stage"]?.integer {
      case 0: envelope.delay = time
      case 1: envelope.attack = time
      case 2: envelope.hold = time
      case 3: envelope.decay = time
      case 4: envelope.sustain = -96 * (1 - min(max(stage["level"]?.real ?? 1, 0), 1))
      case 5: envelope.release = time
      default: break
      }
    }
    return envelope
  }
}
