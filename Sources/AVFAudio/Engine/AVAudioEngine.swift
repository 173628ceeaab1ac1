// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
public import AudioValues

/// Nodes and their connections, played to a device or rendered by the program.
///
/// Members may be used on any thread. Calls that break a rule end the program with a sentence that
/// names call, rule and mend, before anything has changed; each has a form that throws it instead.
open class AVAudioEngine: NSObject, @unchecked Sendable {  // the core is guarded
  let core = EngineCore()
  /// Guards the nodes that are made on first use, and inputs until they are connected. As that of the
  /// core, it is not one of the library's.
  private let lock = NSRecursiveLock()
  private var input: AVAudioInputNode?
  private var output: AVAudioOutputNode?
  private var mainMixer: AVAudioMixerNode?

  /// An engine without nodes. It reaches no device before one is needed.
  public override init() {
    super.init()
    core.begin(self)
  }

  deinit { core.end() }

  // MARK: Nodes

  /// The nodes that are attached.
  open var attachedNodes: Set<AVAudioNode> {
    Set(core.attachedNodes.compactMap { $0 as? AVAudioNode })
  }

  /// Attaches a node, which keeps it. A node of another engine ends the program.
  open func attach(_ node: AVAudioNode) { orEnd { try core.attach(node) } }

  /// Disconnects a node and detaches it. A node that is not attached ends the program.
  open func detach(_ node: AVAudioNode) {
    orEnd { try core.detach(node) }
    lock.withLock { if mainMixer === node { mainMixer = nil } }
  }

  /// The node that captures, made on first use. With it, `start()` needs a device with an input.
  open var inputNode: AVAudioInputNode {
    lock.withLock {
      if let input { return input }
      let made = AVAudioInputNode()
      orEnd { try core.attach(made) }
      input = made
      return made
    }
  }

  /// The node that plays, made on first use.
  open var outputNode: AVAudioOutputNode {
    lock.withLock {
      if let output { return output }
      let made = AVAudioOutputNode()
      orEnd { try core.attach(made) }
      output = made
      return made
    }
  }

  /// A mixer that feeds the output node, made and connected on first use, and again after it was
  /// detached. The connection has the format of the output, unless the program connects it anew. An
  /// engine that runs plays from then on; one that only captured opens its device again for that.
  open var mainMixerNode: AVAudioMixerNode {
    let output = outputNode
    return lock.withLock {
      if let mainMixer, mainMixer.engine === self { return mainMixer }
      let mixer = AVAudioMixerNode()
      orEnd { try core.attach(mixer) }
      mainMixer = mixer
      guard core.queries.table.feeding(output, 0) == nil else { return mixer }
      orEnd {
        try core.connectMainMixer(
          NodeConnection(source: mixer, output: 0, destination: output, input: 0, format: nil),
          "AVAudioEngine.mainMixerNode")
      }
      return mixer
    }
  }

  // MARK: Connections

  /// Connects an output bus to an input bus, in place of what was on both. A format sets that of both
  /// buses; nil keeps the format of the source if it has one, else it takes that of the destination.
  open func connect(
    _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus,
    toBus bus2: AVAudioNodeBus, format: AVAudioFormat?
  ) {
    orEnd {
      try core.connect(
        NodeConnection(
          source: node1, output: bus1, destination: node2, input: bus2, format: format),
        "AVAudioEngine.connect(_:to:fromBus:toBus:format:)")
    }
  }

  /// Connects bus 0 to bus 0, or to the first free input of a mixer.
  open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
    lock.withLock {
      connect(node1, to: node2, fromBus: 0, toBus: freeBus(node1, node2), format: format)
    }
  }

  /// Connects an output to several inputs, exactly these.
  open func connect(
    _ sourceNode: AVAudioNode, to destNodes: [AVAudioConnectionPoint],
    fromBus sourceBus: AVAudioNodeBus, format: AVAudioFormat?
  ) {
    orEnd {
      try connect(
        sourceNode, sourceBus, destNodes, format, "AVAudioEngine.connect(_:to:fromBus:format:)")
    }
  }

  /// As `connect(_:to:fromBus:toBus:format:)`, but throws if the call breaks a rule.
  open func connectNode(
    _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus,
    toBus bus2: AVAudioNodeBus, format: AVAudioFormat?
  ) throws {
    try core.connect(
      NodeConnection(source: node1, output: bus1, destination: node2, input: bus2, format: format),
      "AVAudioEngine.connectNode(_:to:fromBus:toBus:format:)")
  }

  /// As `connect(_:to:format:)`, but throws if the call breaks a rule.
  open func connectNode(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) throws
  {
    try lock.withLock {
      try connectNode(node1, to: node2, fromBus: 0, toBus: freeBus(node1, node2), format: format)
    }
  }

  /// As `connect(_:to:fromBus:format:)`, but throws if the call breaks a rule.
  open func connectNode(
    _ sourceNode: AVAudioNode, to destNodes: [AVAudioConnectionPoint],
    fromBus sourceBus: AVAudioNodeBus, format: AVAudioFormat?
  ) throws {
    try connect(
      sourceNode, sourceBus, destNodes, format, "AVAudioEngine.connectNode(_:to:fromBus:format:)")
  }

  private func connect(
    _ source: AVAudioNode, _ bus: Int, _ points: [AVAudioConnectionPoint],
    _ format: AVAudioFormat?, _ call: String
  ) throws {
    let connections = try points.map { point in
      guard let node = point.node else {
        throw EngineError.refusal(
          call, "the node of a connection point no longer exists", mend: "keep it")
      }
      return NodeConnection(
        source: source, output: bus, destination: node, input: point.bus, format: format)
    }
    try core.connect(source, bus, to: connections, call)
  }

  /// The input for a connection that names none: a mixer's first free one, or the one that this source
  /// feeds already.
  private func freeBus(_ source: AVAudioNode, _ node: AVAudioNode) -> AVAudioNodeBus {
    guard node.formatRule == .converts else { return 0 }
    let own = core.queries.table.fed(by: source, 0).first { $0.destination === node }
    return own?.input ?? core.queries.freeInput(of: node)
  }

  /// Removes what feeds an input.
  open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    orEnd { try core.disconnectInput(node, bus, "AVAudioEngine.disconnectNodeInput(_:bus:)") }
  }

  /// Removes what feeds the inputs of a node.
  open func disconnectNodeInput(_ node: AVAudioNode) {
    orEnd { try core.disconnectInput(node, nil, "AVAudioEngine.disconnectNodeInput(_:)") }
  }

  /// Removes what an output feeds.
  open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    orEnd { try core.disconnectOutput(node, bus, "AVAudioEngine.disconnectNodeOutput(_:bus:)") }
  }

  /// Removes what the outputs of a node feed.
  open func disconnectNodeOutput(_ node: AVAudioNode) {
    orEnd { try core.disconnectOutput(node, nil, "AVAudioEngine.disconnectNodeOutput(_:)") }
  }

  /// What feeds an input; nil if nothing does.
  @discardableResult
  open func inputConnectionPoint(
    for node: AVAudioNode, inputBus bus: AVAudioNodeBus
  ) -> AVAudioConnectionPoint? {
    core.queries.table.feeding(node, bus).map {
      AVAudioConnectionPoint($0.source as? AVAudioNode, $0.output)
    }
  }

  /// What an output feeds.
  @discardableResult
  open func outputConnectionPoints(
    for node: AVAudioNode, outputBus bus: AVAudioNodeBus
  ) -> [AVAudioConnectionPoint] {
    core.queries.table.fed(by: node, bus).map {
      AVAudioConnectionPoint($0.destination as? AVAudioNode, $0.input)
    }
  }

  // MARK: Start and stop

  /// Allocates what rendering needs, so that `start()` is quick. Without an input or output node it
  /// ends the program; other failures are those of `start()`, which throws them.
  open func prepare() {
    do {
      try core.prepare("AVAudioEngine.prepare()")
      core.watchDevice()
    } catch {
      guard (error as NSError).code == Int(kAudioUnitErr_NoConnection) else { return }
      orEnd { throw error }
    }
  }

  /// Starts, or continues after a pause. Throws if a format does not fit, or if there is no device.
  /// Without an input or output node it ends the program.
  open func start() throws { try core.start("AVAudioEngine.start()") }

  /// Stops for a while: what rendering needs stays, and so do the positions of players.
  open func pause() { core.pause() }

  /// Stops, and frees what rendering needs.
  open func stop() { core.stop() }

  /// Clears the history of all nodes; manual rendering begins at 0.
  open func reset() { core.reset() }

  /// Whether it runs.
  open var isRunning: Bool { core.isRunning }

  /// Whether the device stops while nothing is connected to play; initially false.
  open var isAutoShutdownEnabled: Bool {
    get { core.isAutoShutdownEnabled }
    set { core.isAutoShutdownEnabled = newValue }
  }

  /// Its chains of connections, with formats, and other nodes.
  open override var description: String {
    let address = String(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), radix: 16)
    return core.queries.text(
      of: core.attachedNodes, title: "<AVAudioEngine 0x\(address)>: running = \(isRunning)")
  }

  // MARK: Manual rendering

  /// Renders for the program instead of a device, in linear PCM of any format. The engine must be
  /// stopped; connections stay.
  open func enableManualRenderingMode(
    _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat,
    maximumFrameCount: AVAudioFrameCount
  ) throws {
    try core.enableManualRendering(
      .init(mode: mode, format: pcmFormat, maximumFrames: maximumFrameCount))
  }

  /// Stops, resets, and plays to a device again; connections stay.
  open func disableManualRenderingMode() { core.disableManualRendering() }

  /// Renders frames in offline mode, at most the maximum, into a buffer of the manual format, and sets
  /// its `frameLength`.
  @discardableResult
  open func renderOffline(
    _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
  ) throws -> AVAudioEngineManualRenderingStatus {
    try core.renderOffline(numberOfFrames, to: buffer)
  }

  /// Renders frames in real-time mode, at most the maximum, into buffers of the manual format; where
  /// they have no memory, they get that of the engine, until the next call. It sets their byte
  /// counts, never waits, and keeps its use when the engine stops and starts. [render thread]
  open var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
    { [core] frames, list, error in
      core.renderRealtime(frames, to: list, error)
    }
  }

  /// Whether the program renders.
  open var isInManualRenderingMode: Bool { core.manual.isOn }

  /// The mode of manual rendering.
  open var manualRenderingMode: AVAudioEngineManualRenderingMode { core.manual.mode }

  /// The format of manual rendering; without rate and channels while it is off.
  open var manualRenderingFormat: AVAudioFormat { core.manual.format }

  /// The most frames of one call; 0 while manual rendering is off.
  open var manualRenderingMaximumFrameCount: AVAudioFrameCount { core.manual.maximumFrames }

  /// The frames that were rendered since the start or the last reset.
  open var manualRenderingSampleTime: AVAudioFramePosition { core.manual.sampleTime }

  // MARK: Music and MIDI

  /// A sequence of MusicPlayer.h whose tracks play instruments of the engine; nil at first. A player
  /// plays it while the engine runs. Its tracks go to the first instrument that was attached.
  open var musicSequence: MusicSequence? {
    get { core.music.sequence }
    set { core.setMusic(newValue) }
  }

  // MIDI connections: from a MIDI processor to instruments, music effects and other MIDI processors.
  //
  // A processor has no audio connection of its own: it renders with the first of its destinations
  // that renders, for the same frames, and each message reaches the destinations at its frame. One
  // source may have many destinations, but a destination has one source. The destinations of a source
  // have one sample rate. Calls that break a rule end the program.

  /// Connects a source to one destination, in place of what it fed and of what fed the destination.
  ///
  /// - Parameters:
  ///   - sourceNode: A node of a component of type `kAudioUnitType_MIDIProcessor`.
  ///   - destinationNode: A node of a music device, a music effect or a MIDI processor.
  ///   - format: The format of the source's output, whose rate is that of its messages' times; nil is
  ///     the rate of the destination.
  ///   - tapBlock: Is called with what the source sends. [render thread]
  open func connectMIDI(
    _ sourceNode: AVAudioNode, to destinationNode: AVAudioNode, format: AVAudioFormat?,
    eventListBlock tapBlock: AUMIDIEventListBlock? = nil
  ) { connectMIDI(sourceNode, to: [destinationNode], format: format, eventListBlock: tapBlock) }

  /// Connects a source to exactly these destinations.
  open func connectMIDI(
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
  open func connectMIDI(
    _ sourceNode: AVAudioNode, to destinationNode: AVAudioNode, format: AVAudioFormat?,
    block tapBlock: AUMIDIOutputEventBlock?
  ) { connectMIDI(sourceNode, to: [destinationNode], format: format, block: tapBlock) }

  /// As `connectMIDI(_:to:format:eventListBlock:)`, with a block that gets the messages as bytes.
  open func connectMIDI(
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
  open func disconnectMIDI(_ sourceNode: AVAudioNode, from destinationNode: AVAudioNode) {
    disconnectMIDI(sourceNode, from: [destinationNode])
  }

  /// Removes the connections from a source to some of its destinations.
  open func disconnectMIDI(_ sourceNode: AVAudioNode, from destinationNodes: [AVAudioNode]) {
    orEnd {
      try core.disconnectMIDI(
        [sourceNode] + destinationNodes, "AVAudioEngine.disconnectMIDI(_:from:)"
      ) { source, destination in
        source === sourceNode.unit && destinationNodes.contains { $0.unit === destination }
      }
    }
  }

  /// Removes the MIDI connection to a node.
  open func disconnectMIDIInput(_ node: AVAudioNode) {
    orEnd {
      try core.disconnectMIDI([node], "AVAudioEngine.disconnectMIDIInput(_:)") { $1 === node.unit }
    }
  }

  /// Removes the MIDI connections from a node.
  open func disconnectMIDIOutput(_ node: AVAudioNode) {
    orEnd {
      try core.disconnectMIDI([node], "AVAudioEngine.disconnectMIDIOutput(_:)") { source, _ in
        source === node.unit
      }
    }
  }
}
