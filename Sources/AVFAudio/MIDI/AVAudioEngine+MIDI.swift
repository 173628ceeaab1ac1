// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import AudioValues

/// MIDI connections: from a MIDI processor to instruments, music effects and other MIDI processors.
///
/// A processor has no audio connection of its own: it renders with the first of its destinations that
/// renders, for the same frames, and each message reaches the destinations at its frame. One source
/// may have many destinations, but a destination has one source. The destinations of a source have
/// one sample rate. Calls that break a rule end the program.
extension AVAudioEngine {
  /// Connects a source to one destination, in place of what it fed and of what fed the destination.
  ///
  /// - Parameters:
  ///   - sourceNode: A node of a component of type `kAudioUnitType_MIDIProcessor`.
  ///   - destinationNode: A node of a music device, a music effect or a MIDI processor.
  ///   - format: The format of the source's output, whose rate is that of its messages' times; nil is
  ///     the rate of the destination.
  ///   - tapBlock: Is called with what the source sends. [render thread]
  public func connectMIDI(
    _ sourceNode: AVAudioNode, to destinationNode: AVAudioNode, format: AVAudioFormat?,
    eventListBlock tapBlock: AUMIDIEventListBlock? = nil
  ) { connectMIDI(sourceNode, to: [destinationNode], format: format, eventListBlock: tapBlock) }

  /// Connects a source to exactly these destinations.
  public func connectMIDI(
    _ sourceNode: AVAudioNode, to destinationNodes: [AVAudioNode], format: AVAudioFormat?,
    eventListBlock tapBlock: AUMIDIEventListBlock? = nil
  ) {
    orEnd {
      try core.connectMIDI(
        MIDIConnection.Request(
          source: sourceNode, destinations: destinationNodes, format: format,
          tap: tapBlock.map { MIDITap(lists: $0) }),
        "AVAudioEngine.connectMIDI(_:to:format:eventListBlock:)")
    }
  }

  /// As `connectMIDI(_:to:format:eventListBlock:)`, with a block that gets the messages as bytes.
  public func connectMIDI(
    _ sourceNode: AVAudioNode, to destinationNode: AVAudioNode, format: AVAudioFormat?,
    block tapBlock: AUMIDIOutputEventBlock?
  ) { connectMIDI(sourceNode, to: [destinationNode], format: format, block: tapBlock) }

  /// As `connectMIDI(_:to:format:eventListBlock:)`, with a block that gets the messages as bytes.
  public func connectMIDI(
    _ sourceNode: AVAudioNode, to destinationNodes: [AVAudioNode], format: AVAudioFormat?,
    block tapBlock: AUMIDIOutputEventBlock?
  ) {
    orEnd {
      try core.connectMIDI(
        MIDIConnection.Request(
          source: sourceNode, destinations: destinationNodes, format: format,
          tap: tapBlock.map { MIDITap(bytes: $0) }),
        "AVAudioEngine.connectMIDI(_:to:format:block:)")
    }
  }

  /// Removes the connection from a source to a destination, if there is one.
  public func disconnectMIDI(_ sourceNode: AVAudioNode, from destinationNode: AVAudioNode) {
    disconnectMIDI(sourceNode, from: [destinationNode])
  }

  /// Removes the connections from a source to some of its destinations.
  public func disconnectMIDI(_ sourceNode: AVAudioNode, from destinationNodes: [AVAudioNode]) {
    orEnd {
      try core.disconnectMIDI(
        [sourceNode] + destinationNodes, "AVAudioEngine.disconnectMIDI(_:from:)"
      ) { source, destination in
        source === sourceNode.unit && destinationNodes.contains { $0.unit === destination }
      }
    }
  }

  /// Removes the MIDI connection to a node.
  public func disconnectMIDIInput(_ node: AVAudioNode) {
    orEnd {
      try core.disconnectMIDI([node], "AVAudioEngine.disconnectMIDIInput(_:)") { $1 === node.unit }
    }
  }

  /// Removes the MIDI connections from a node.
  public func disconnectMIDIOutput(_ node: AVAudioNode) {
    orEnd {
      try core.disconnectMIDI([node], "AVAudioEngine.disconnectMIDIOutput(_:)") { source, _ in
        source === node.unit
      }
    }
  }
}

extension EngineCore {
  /// Connects a MIDI processor to exactly these destinations.
  fileprivate func connectMIDI(_ request: MIDIConnection.Request, _ call: String) throws {
    try editMIDI([request.source] + request.destinations, call) { try $0.connect(request, call) }
  }

  /// Removes the MIDI connections that match; the nodes have to be attached.
  fileprivate func disconnectMIDI(
    _ nodes: [any GraphNode], _ call: String, where matches: (NodeUnit, NodeUnit) -> Bool
  ) throws {
    try editMIDI(nodes, call) { $0.remove(where: matches) }
  }
}
