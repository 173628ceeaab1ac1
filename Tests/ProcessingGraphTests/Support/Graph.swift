// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

/// A failed call of the C API.
struct CallFailure: Error, CustomStringConvertible {
  let status: OSStatus
  let call: String

  var description: String { "\(call): \(status) \(explanation)" }
}

/// Throws if a call has failed.
func check(_ status: OSStatus, _ call: String = #function) throws {
  guard status == noErr else { throw CallFailure(status: status, call: call) }
}

/// Why the last call of this thread failed.
var explanation: String {
  AUDiagnosticsCopyLastExplanation().map { "\($0.takeRetainedValue())" } ?? ""
}

/// A processing graph as a program uses it; the deinitialiser disposes of it.
final class Graph: @unchecked Sendable {
  let handle: AUGraph
  private var isDisposed = false
  private let isSubgraph: Bool
  /// The callbacks; the units hold no references to them.
  private var retained: [AnyObject] = []

  init() throws {
    var graph: AUGraph?
    try check(NewAUGraph(&graph), "NewAUGraph")
    handle = try #require(graph)
    isSubgraph = false
  }

  /// The sub-graph of a node.
  init(_ handle: AUGraph) {
    self.handle = handle
    isSubgraph = true
  }

  deinit { if !isDisposed, !isSubgraph { DisposeAUGraph(handle) } }

  func dispose() -> OSStatus {
    isDisposed = true
    return DisposeAUGraph(handle)
  }

  func retain(_ object: AnyObject) { retained.append(object) }

  // MARK: Nodes

  func add(_ description: AudioComponentDescription) throws -> AUNode {
    var (description, node) = (description, AUNode(-1))
    try check(AUGraphAddNode(handle, &description, &node), "AUGraphAddNode")
    return node
  }

  func add(_ unit: TestUnit) throws -> AUNode { try add(unit.description) }

  func addOutput(_ subType: OSType = kAudioUnitSubType_GenericOutput) throws -> AUNode {
    try add(.output(subType))
  }

  func remove(_ node: AUNode) -> OSStatus { AUGraphRemoveNode(handle, node) }

  func unit(_ node: AUNode) throws -> AudioUnit {
    var unit: AudioUnit?
    try check(AUGraphNodeInfo(handle, node, nil, &unit), "AUGraphNodeInfo")
    return try #require(unit)
  }

  func addSubgraph() throws -> (AUNode, Graph) {
    var node = AUNode()
    try check(AUGraphNewNodeSubGraph(handle, &node))
    var graph: AUGraph?
    try check(AUGraphGetNodeInfoSubGraph(handle, node, &graph))
    return (node, Graph(try #require(graph)))
  }

  var nodeCount: Int {
    var count: UInt32 = 99
    #expect(AUGraphGetNodeCount(handle, &count) == noErr)
    return Int(count)
  }

  // MARK: Interactions

  func connect(_ source: AUNode, _ output: UInt32 = 0, to node: AUNode, _ input: UInt32 = 0)
    -> OSStatus
  { AUGraphConnectNodeInput(handle, source, output, node, input) }

  func disconnect(_ node: AUNode, _ input: UInt32 = 0) -> OSStatus {
    AUGraphDisconnectNodeInput(handle, node, input)
  }

  func feed(_ node: AUNode, _ input: UInt32 = 0, _ callback: Callback) -> OSStatus {
    retain(callback)
    var structure = callback.input
    return AUGraphSetNodeInputCallback(handle, node, input, &structure)
  }

  var interactionCount: Int {
    var count: UInt32 = 99
    #expect(AUGraphGetNumberOfInteractions(handle, &count) == noErr)
    return Int(count)
  }

  func interaction(_ index: Int) throws -> AUNodeInteraction {
    var interaction = AUNodeInteraction()
    try check(AUGraphGetInteractionInfo(handle, UInt32(index), &interaction))
    return interaction
  }

  /// Updates the graph and waits until the edits are rendered.
  func update() -> OSStatus { AUGraphUpdate(handle, nil) }

  // MARK: States

  func open() throws { try check(AUGraphOpen(handle), "AUGraphOpen") }
  func initialize() throws { try check(AUGraphInitialize(handle), "AUGraphInitialize") }
  func start() throws { try check(AUGraphStart(handle), "AUGraphStart") }
  func stop() throws { try check(AUGraphStop(handle), "AUGraphStop") }

  /// Whether the graph is open, initialised and running.
  var states: [Bool] {
    var states = [true, true, true]
    #expect(AUGraphIsOpen(handle, &states[0]) == noErr)
    #expect(AUGraphIsInitialized(handle, &states[1]) == noErr)
    #expect(AUGraphIsRunning(handle, &states[2]) == noErr)
    return states
  }

  // MARK: Units

  func set<Value>(
    _ node: AUNode, _ id: AudioUnitPropertyID, _ value: Value,
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0
  ) throws {
    let unit = try unit(node)
    let status = withUnsafeBytes(of: value) {
      AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32($0.count))
    }
    try check(status, "property \(id)")
  }

  func get<Value: BitwiseCopyable>(
    _ node: AUNode, _ id: AudioUnitPropertyID, as zero: Value,
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0
  ) throws -> Value {
    var value = zero
    var size = UInt32(MemoryLayout<Value>.size)
    try check(AudioUnitGetProperty(unit(node), id, scope, element, &value, &size), "property \(id)")
    return value
  }

  func setFormat(
    _ node: AUNode, _ scope: AudioUnitScope, _ element: AudioUnitElement = 0,
    rate: Double = 44_100, channels: UInt32 = 2
  ) throws {
    try set(
      node, kAudioUnitProperty_StreamFormat, AudioStreamBasicDescription.planar(rate, channels),
      scope, element)
  }

  func format(_ node: AUNode, _ scope: AudioUnitScope, _ element: AudioUnitElement = 0) throws
    -> AudioStreamBasicDescription
  {
    try get(
      node, kAudioUnitProperty_StreamFormat, as: AudioStreamBasicDescription(), scope, element)
  }

  func setParameter(_ node: AUNode, _ parameter: AudioUnitParameterID, _ value: Float) throws {
    try check(AudioUnitSetParameter(unit(node), parameter, kAudioUnitScope_Global, 0, value, 0))
  }

  /// Renders frames in slices. The result is the first channel; the second must be equal unless
  /// `mayDiffer`.
  func render(
    _ node: AUNode, _ frames: Int, from start: Int = 0, slice: Int = 512, mayDiffer: Bool = false
  ) throws -> [Float] {
    let unit = try unit(node)
    var output: [Float] = []
    while output.count < frames {
      let count = min(slice, frames - output.count)
      output += try renderSlice(
        unit, count, at: start + output.count, mayDiffer: mayDiffer)
    }
    return output
  }
}

/// Renders one slice of two channels. The result is the first; throws if the second is not equal,
/// unless `mayDiffer`.
func renderSlice(_ unit: AudioUnit, _ frames: Int, at time: Int, mayDiffer: Bool = false) throws
  -> [Float]
{
  let list = AudioBufferList.allocate(maximumBuffers: 2)
  defer { free(list.unsafeMutablePointer) }
  for index in 0..<2 {
    list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
  }
  var stamp = AudioTimeStamp()
  stamp.mSampleTime = Double(time)
  stamp.mFlags = .sampleTimeValid
  try check(
    AudioUnitRender(unit, nil, &stamp, 0, UInt32(frames), list.unsafeMutablePointer),
    "AudioUnitRender")
  let channels = list.map { Array(UnsafeBufferPointer<Float>($0)) }
  guard mayDiffer || channels[0] == channels[1] else {
    throw CallFailure(status: -1, call: "channels differ")
  }
  return channels[0]
}

/// Renders one slice of two channels. The result is the first channel, followed by the second.
func renderStereo(_ unit: AudioUnit, _ frames: Int, at time: Int) throws -> [Float] {
  let list = AudioBufferList.allocate(maximumBuffers: 2)
  defer { free(list.unsafeMutablePointer) }
  for index in 0..<2 {
    list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
  }
  var stamp = AudioTimeStamp()
  stamp.mSampleTime = Double(time)
  stamp.mFlags = .sampleTimeValid
  try check(AudioUnitRender(unit, nil, &stamp, 0, UInt32(frames), list.unsafeMutablePointer))
  return list.flatMap { Array(UnsafeBufferPointer<Float>($0)) }
}

extension AudioComponentDescription {
  static func output(_ subType: OSType) -> Self {
    .apple(kAudioUnitType_Output, subType)
  }

  static func apple(_ type: OSType, _ subType: OSType) -> Self {
    .init(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
  }
}

extension AudioStreamBasicDescription {
  static func planar(_ rate: Double = 44_100, _ channels: UInt32 = 2) -> Self {
    .init(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: 0x29, mBytesPerPacket: 4,
      mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: channels, mBitsPerChannel: 32,
      mReserved: 0)
  }
}

/// A closure as a C render callback. `Graph` retains it.
final class Callback: @unchecked Sendable {
  private let body: @Sendable (AudioTimeStamp, UInt32, UnsafeMutableAudioBufferListPointer) -> Void

  init(
    _ body:
      @escaping @Sendable (AudioTimeStamp, UInt32, UnsafeMutableAudioBufferListPointer) ->
      Void
  ) { self.body = body }

  /// Always supplies the same value.
  static func constant(_ value: Float) -> Callback {
    Callback { _, _, list in
      for buffer in list { UnsafeMutableBufferPointer<Float>(buffer).update(repeating: value) }
    }
  }

  static let function: AURenderCallback = { context, _, time, bus, _, data in
    let callback = Unmanaged<Callback>.fromOpaque(context).takeUnretainedValue()
    if let data = UnsafeMutableAudioBufferListPointer(data) {
      callback.body(time.pointee, bus, data)
    }
    return noErr
  }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  var input: AURenderCallbackStruct {
    AURenderCallbackStruct(inputProc: Self.function, inputProcRefCon: context)
  }
}

/// A random number generator that gives the same numbers in every run.
struct RandomNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(seed + 1) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }

  mutating func next(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}

/// A pointer or handle with any bits; null for 0.
func fromBits<Pointer>(_ bits: UInt, _ type: Pointer.Type) -> Pointer {
  unsafeBitCast(bits, to: Pointer.self)
}
