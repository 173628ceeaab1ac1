// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import MusicSequences
import ProcessingGraph

// Where the events of a track go. [control thread]
extension EventTrack {
  /// Sends it to a node of its sequence's graph.
  package func setNode(_ node: AUNode) throws(AudioError) {
    try checkDestination()
    if let graph = (sequence?.sound as? SequenceSound)?.graph {
      do throws(AudioError) {
        _ = try graph.control { () throws(AudioError) in try graph.node(node) }
      } catch {
        throw .illegalTrackDestination.because("the graph has no node \(node)")
      }
    }
    try set { $0.destination = .node(node) }
  }

  /// Sends it to a MIDI destination.
  package func setEndpoint(_ endpoint: MIDIEndpointRef) throws(AudioError) {
    try checkDestination()
    try set { $0.destination = .endpoint(endpoint) }
  }

  private func checkDestination() throws(AudioError) {
    guard !isTempo else {
      throw .illegalTrackDestination.because("the tempo track has no destination")
    }
    guard sequence?.isPlaying != true else {
      throw .invalidPlayerState.because("the track is being played; stop it first")
    }
  }

  /// The node to which it goes: by default the first instrument of the graph.
  package var node: AUNode {
    get throws(AudioError) {
      switch settings.destination {
      case .node(let node): return node
      case .automatic where sequence?.endpoint == nil && !isTempo:
        guard let node = (sequence?.sound as? SequenceSound)?.graph?.firstInstrument else {
          throw .noTrackDestination.because("the sequence has no graph with an instrument")
        }
        return node
      default:
        throw .illegalTrackDestination.because(
          isTempo ? "the tempo track has no destination" : "the track does not go to a node")
      }
    }
  }

  /// The endpoint to which it goes.
  package var endpoint: MIDIEndpointRef {
    get throws(AudioError) {
      switch settings.destination {
      case .endpoint(let endpoint): return endpoint
      case .automatic where !isTempo:
        if let endpoint = sequence?.endpoint { return endpoint }
      default: break
      }
      throw .illegalTrackDestination.because(
        isTempo ? "the tempo track has no destination" : "the track does not go to an endpoint")
    }
  }
}
