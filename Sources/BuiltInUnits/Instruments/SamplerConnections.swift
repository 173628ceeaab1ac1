// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The connections of a layer of an `.aupreset`: which controllers, envelopes and slow oscillators move the
/// pitch, the gain and the pan, and how far.
///
/// Controllers, the key and the velocity become modulators of a SoundFont. Those of the usual connections are
/// the ones that a SoundFont has by itself.
struct SamplerConnections {
  /// What a connection moves. The numbers of each layer are 256 higher than those of the one before.
  private enum Destination: Int {
    case pitch = 0x30b0_0000
    case gain = 0x5010_0000
    case pan = 0x5020_0000
  }

  /// What moves it.
  private enum Source: Equatable {
    case controller(Int)
    case key, velocity
    case oscillator(Int), envelope(Int)

    init?(_ number: Int) {
      switch number {
      case 0..<128: self = .controller(number)
      case 300: self = .key
      case 301: self = .velocity
      case 0x1000_0000..<0x2000_0000: self = .oscillator(number & 0xff)
      case 0x2000_0000..<0x3000_0000: self = .envelope(number & 0xff)
      // The pitch bend and its range are always connected; others are not known.
      default: return nil
      }
    }
  }

  private struct Connection {
    let source: Source
    let destination: Destination
    /// The controller that scales it; nil if none does.
    let control: Int?
    /// In cents, decibels, or parts of the way to a side.
    let amount: Double
    let isBipolar: Bool
    let isInverse: Bool
    let isConcave: Bool

    /// Nil if it is off or not known.
    init?(_ list: PropertyList) {
      guard list["enabled"]?.bool ?? true, let number = list["source"]?.integer,
        let source = Source(number),
        let destination = list["destination"]?.integer.flatMap({
          Destination(rawValue: $0 & ~0xffff)
        })
      else { return nil }
      (self.source, self.destination) = (source, destination)
      let control = list["control"]?.integer ?? 0
      self.control = (1..<128).contains(control) ? control : nil
      let usual: Double =
        switch destination {
        case .pitch: source == .key ? 12_800 : 0
        case .gain: -96
        case .pan: 0.508
        }
      amount = list["max value"]?.real ?? list["scale"]?.real ?? usual
      isBipolar = list["bipolar"]?.bool ?? ((list["min value"]?.real ?? 0) * amount < 0)
      isInverse = list["inverse"]?.bool ?? false
      isConcave = list["transform"]?.integer == 2
    }
  }

  private let connections: [Connection]?
  private let envelopes: [PropertyList]
  private let oscillators: [PropertyList]

  /// [control thread] Reads those of a layer.
  init(_ layer: PropertyList) {
    connections = layer["Connections"]?.entries.compactMap { Connection($0) }
    envelopes = layer["Envelopes"]?.entries ?? []
    oscillators = layer["LFOs"]?.entries ?? []
  }

  /// [control thread] Writes them to the zones of the layer. A layer that states none has the usual ones.
  func apply(to zone: inout SampleZone) {
    guard let connections else {
      if let envelope = envelopes.first { zone.envelope = Self.envelope(envelope) }
      return
    }
    zone.followsVelocity = false
    zone.centsPerKey = 0
    // Of several that move the same, the first acts, as a sample has only one of each.
    for connection in connections.reversed() { apply(connection, to: &zone) }
  }

  private func apply(_ connection: Connection, to zone: inout SampleZone) {
    let amount = connection.amount
    switch (connection.source, connection.destination) {
    case (.key, .pitch): zone.centsPerKey = amount / 128
    case (.controller(let number), _): connect(0x80 | UInt16(number), connection, to: &zone)
    case (.key, _): connect(3, connection, to: &zone)
    case (.velocity, _):
      zone.followsVelocity = zone.followsVelocity || connection.destination == .gain
      connect(2, connection, to: &zone)
    case (.oscillator(let number), .pitch):
      zone.vibrato = oscillator(number).map { oscillator in
        var oscillator = oscillator
        oscillator.amount = scaled(connection, 6, amount, in: &zone)
        return oscillator
      }
    case (.oscillator(let number), .gain):
      zone.tremolo = oscillator(number).map { oscillator in
        var oscillator = oscillator
        oscillator.amount = scaled(connection, 13, 10 * amount, in: &zone) / 10
        return oscillator
      }
    case (.envelope(let number), .gain):
      if let envelope = envelope(number) { zone.envelope = envelope }
    case (.envelope(let number), .pitch):
      zone.pitchEnvelope = envelope(number)
      zone.pitchEnvelopeCents = scaled(connection, 7, amount, in: &zone)
    case (.oscillator, .pan), (.envelope, .pan): break
    }
  }

  /// The amount that always acts: all, or none if a controller scales it, which then becomes a modulator.
  private func scaled(
    _ connection: Connection, _ generator: UInt16, _ amount: Double, in zone: inout SampleZone
  ) -> Double {
    guard let control = connection.control else { return amount }
    zone.add(.init(source: 0x80 | UInt16(control), generator: generator, amount: amount))
    return 0
  }

  /// Adds a modulator. The number of a source has bits for its shape: inverse, bipolar, concave.
  private func connect(_ index: UInt16, _ connection: Connection, to zone: inout SampleZone) {
    var source = index
    if connection.isInverse { source |= 0x100 }
    if connection.isBipolar { source |= 0x200 }
    if connection.isConcave { source |= 0x400 }
    let (generator, amount): (UInt16, Double) =
      switch connection.destination {
      case .pitch: (52, connection.amount)
      // Centibels of attenuation.
      case .gain: (48, -10 * connection.amount)
      // A connection of 0.508 is the whole way.
      case .pan: (17, min(max(1_000 * connection.amount, -500), 500))
      }
    zone.add(
      .init(
        source: source, generator: generator, amount: amount,
        amountSource: connection.control.map { 0x80 | UInt16($0) } ?? 0))
    // It takes the place of the one that a SoundFont has by itself, which may have another shape.
    let usual: [UInt16: UInt16] = [0x02: 0x502, 0x87: 0x587, 0x8b: 0x58b, 0x8a: 0x28a]
    guard let other = usual[index], generator == (index == 0x8a ? 17 : 48),
      other != source || connection.control != nil
    else { return }
    zone.add(.init(source: other, generator: generator, amount: 0))
  }

  /// The slow oscillator with a number, or the first.
  private func oscillator(_ number: Int) -> SampleZone.Oscillator? {
    let list = oscillators.first { $0["ID"]?.integer.map { $0 & 0xff } == number }
    guard let list = list ?? oscillators.first, list["enabled"]?.bool ?? true,
      let rate = list["rate"]?.real
    else { return nil }
    return .init(rate: rate, delay: max(list["delay"]?.real ?? 0, 0))
  }

  /// The envelope with a number, or the first; nil if it is off.
  private func envelope(_ number: Int) -> SampleZone.Envelope? {
    let list = envelopes.first { $0["ID"]?.integer.map { $0 & 0xff } == number }
    guard let list = list ?? envelopes.first, list["enabled"]?.bool ?? true else { return nil }
    return Self.envelope(list)
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
      case 4: envelope.level = min(max(stage["level"]?.real ?? 1, 0), 1)
      case 5: envelope.release = time
      default: break
      }
    }
    return envelope
  }
}
