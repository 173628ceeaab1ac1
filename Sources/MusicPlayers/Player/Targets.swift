// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import MusicSequences
import ProcessingGraph

/// Finds the targets of destinations.
struct Targets {
  let graph: ProcessingGraph?
  let endpoint: MIDIEndpointRef?
  let sound: EngineSound?
  /// The rate of the frames that the plan counts.
  let sampleRate: Double

  func target(_ destination: TrackDestination) -> PlayTarget {
    switch destination {
    case .endpoint(let endpoint): return .endpoint(endpoint)
    case .unit(let handle): return unit(handle)
    case .node(let node): return graph?.unitHandle(node).map { unit($0) } ?? .nothing
    case .automatic:
      if let endpoint { return .endpoint(endpoint) }
      if let sound {
        return sound.automaticUnit().map { unit(UInt(bitPattern: $0)) } ?? .nothing
      }
      guard let graph, let node = graph.firstInstrument else { return .nothing }
      return graph.unitHandle(node).map { unit($0) } ?? .nothing
    }
  }

  /// A unit, whose frames may have another rate than those of the plan.
  private func unit(_ number: UInt) -> PlayTarget {
    guard let handle = AudioUnit(bitPattern: number), let entered = Handles.units.enter(handle)
    else { return .unit(number) }
    defer { Handles.units.leave(handle) }
    let format = try? entered.takeUnretainedValue().streamFormat(kAudioUnitScope_Output, 0)
    guard let rate = format?.sampleRate, rate > 0, sampleRate > 0 else { return .unit(number) }
    return .unit(number, frameScale: rate / sampleRate)
  }
}

extension EventTrack {
  /// Whether it has events for an instrument.
  var hasSound: Bool {
    events.contains { event in
      switch event.message {
      case .note, .channel, .raw, .extendedNote, .parameter, .preset: true
      case .meta, .user, .tempo: false
      }
    }
  }
}
