// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// The MIDI connections of an engine.
final class EngineMIDI {  // under the engine's lock
  /// Those without destinations stay until their source is detached.
  private var connections: [MIDIConnection] = []

  // MARK: Edits

  /// Connects a source to exactly these destinations.
  func connect(_ request: MIDIConnection.Request, _ call: String) throws {
    guard let source = request.source.unit, request.source.numberOfOutputs > 0,
      source.componentType == kAudioUnitType_MIDIProcessor
    else {
      throw EngineError.refusal(
        call, "\(type(of: request.source)) is no MIDI processor with an output",
        mend: "connect one, or send MIDI to the destination itself",
        kAUGraphErr_InvalidConnection)
    }
    let types = [
      kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor,
    ]
    let destinations = try request.destinations.map { node in
      guard let unit = node.unit, types.contains(unit.componentType) else {
        throw EngineError.refusal(
          call, "\(type(of: node)) takes no MIDI",
          mend: "connect to an instrument, a music effect or a MIDI processor",
          kAUGraphErr_InvalidConnection)
      }
      guard unit !== source, !reaches(unit, source) else {
        throw EngineError.refusal(
          call,
          "\(unit.componentName) feeds \(source.componentName) already, so this makes a cycle",
          mend: "disconnect one of the two", kAUGraphErr_InvalidConnection)
      }
      return unit
    }
    let isGood =
      request.format.map { $0.isStandard && FormatLimits.contains(sampleRate: $0.sampleRate) }
      ?? true
    guard isGood else {
      throw EngineError.refusal(
        call, "connections carry deinterleaved Float32 at a rate above 0 and below 3,000,000 Hz",
        mend: "use AVAudioFormat(standardFormatWithSampleRate:channels:), or pass nil",
        kAudioUnitErr_FormatNotSupported)
    }
    let distinct = destinations.enumerated().filter { place, unit in
      !destinations[..<place].contains { $0 === unit }
    }.map(\.element)
    remove { other, destination in
      other !== source && distinct.contains { $0 === destination }
    }
    connection(of: source).set(distinct, format: request.format, tap: request.tap)
  }

  private func connection(of source: NodeUnit) -> MIDIConnection {
    if let old = connections.first(where: { $0.source === source }) { return old }
    let new = MIDIConnection(source)
    connections.append(new)
    return new
  }

  /// Whether what the first node sends reaches the second.
  private func reaches(_ node: NodeUnit, _ other: NodeUnit) -> Bool {
    let fed = connections.first { $0.source === node }?.destinations ?? []
    return fed.contains { $0 === other || reaches($0, other) }
  }

  /// Removes the connections that match.
  func remove(where matches: (NodeUnit, NodeUnit) -> Bool) {
    for connection in connections {
      connection.remove { matches(connection.source, $0) }
    }
  }

  /// Removes the connections from and to a unit, which is detached. Its blocks keep what they use: code
  /// of another program may still be about to call one.
  func forget(_ unit: NodeUnit?) {
    remove { $0 === unit || $1 === unit }
    connections.removeAll { $0.source === unit }
  }

  // MARK: Life

  /// Prepares the processors, those that are destinations first: a source follows their rate.
  func prepare(_ call: String) throws {
    var waiting = connections
    while !waiting.isEmpty {
      let sources = waiting.map(\.source)
      let next = waiting.firstIndex { connection in
        !connection.destinations.contains { unit in sources.contains { $0 === unit } }
      }
      // There is no cycle.
      guard let next else { return }
      try waiting.remove(at: next).prepare(call)
    }
  }

  /// Frees what rendering needs.
  func uninitialize() { for connection in connections { connection.uninitialize() } }

  /// Time may begin again.
  func restart() { for connection in connections { connection.restart() } }
}
