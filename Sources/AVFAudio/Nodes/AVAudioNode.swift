// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
public import AudioValues

/// A node of an engine: a source, an effect, a mixer, an input or an output. Only its subclasses have
/// instances.
///
/// A node has an audio unit from its creation to its end, so its parameters may be set before it is
/// attached, and they survive every connection. Members may be used on any thread.
///
/// A subclass in this module passes its unit to `init(_:inputs:outputs:)` and overrides what is in
/// "For subclasses". The engine calls these members; those under its lock must not call the engine.
open class AVAudioNode: NSObject, GraphNode, @unchecked Sendable {  // what changes is guarded
  /// Its unit; nil for the input and the output node, whose units belong to the engine.
  let unit: NodeUnit?
  /// What feeds the unit instead of a connection; nil unless it is a source or a player.
  let feed: NodeFeed?
  /// Its values as a source of mixers.
  let mixing = MixingSource()
  /// Its taps, one for each output bus.
  let taps = NodeTaps()
  private let inputCount: Int
  private let outputCount: Int
  private let weakOwner = Guarded(WeakOwner())

  private struct WeakOwner { weak var engine: AnyObject? }

  /// A node with a unit. `feed` supplies the unit's input 0; it is then no input of the node.
  init(_ unit: NodeUnit?, inputs: Int, outputs: Int, feed: NodeFeed? = nil) {
    self.unit = unit
    self.feed = feed
    inputCount = inputs
    outputCount = outputs
  }

  // MARK: The node

  /// The engine to which it is attached.
  open var engine: AVAudioEngine? { owner as? AVAudioEngine }

  /// The engine to which it is attached.
  final var owner: AnyObject? { weakOwner.withLock { $0.engine } }

  /// [under the engine's lock] Attaches it to an engine, unless it is attached to another one; returns
  /// whether it is attached to this one.
  final func attach(to engine: AnyObject?) -> Bool {
    weakOwner.withLock { owner in
      guard owner.engine == nil || owner.engine === engine else { return false }
      owner.engine = engine
      return true
    }
  }

  /// [under the engine's lock] Detaches it from its engine.
  final func removeOwner() { weakOwner.withLock { $0.engine = nil } }

  /// The number of inputs; that of a mixer grows with its connections.
  open var numberOfInputs: Int { inputCount }

  /// The number of outputs.
  open var numberOfOutputs: Int { outputCount }

  /// Clears the signal history: the echoes of a delay, the buffers of a player.
  open func reset() { if let unit { AudioUnitReset(unit.handle, kAudioUnitScope_Global, 0) } }

  /// The node's unit as an object: its parameters, its presets and the scheduling of events. Formats,
  /// connections and render resources are the engine's. The program ends if the node has no unit now,
  /// as the input node of an engine without a device.
  open var auAudioUnit: AUAudioUnit {
    guard let unit else {
      return orEnd {
        throw EngineError.refusal(
          "\(Self.self).auAudioUnit", "the node has no unit", mend: "start its engine first")
      }
    }
    return unit.object
  }

  // MARK: Buses

  /// The format of an input bus. A bus that does not exist ends the program.
  @discardableResult
  open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    orEnd { try checkBus(bus, numberOfInputs, "\(Self.self).inputFormat(forBus:)", "input") }
    return engine?.core.queries.inputFormat(of: self, bus) ?? unconnectedFormat(output: false, bus)
  }

  /// The format of an output bus. A bus that does not exist ends the program.
  @discardableResult
  open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    orEnd { try checkBus(bus, numberOfOutputs, "\(Self.self).outputFormat(forBus:)", "output") }
    return engine?.core.queries.outputFormat(of: self, bus) ?? unconnectedFormat(output: true, bus)
  }

  /// The name of an input bus, if it has one.
  @discardableResult
  open func name(forInputBus bus: AVAudioNodeBus) -> String? { busName(kAudioUnitScope_Input, bus) }

  /// The name of an output bus, if it has one.
  @discardableResult
  open func name(forOutputBus bus: AVAudioNodeBus) -> String? {
    busName(kAudioUnitScope_Output, bus)
  }

  private func busName(_ scope: AudioUnitScope, _ bus: AVAudioNodeBus) -> String? {
    guard let unit, let bus = UInt32(exactly: bus) else { return nil }
    var name: Unmanaged<CFString>?
    guard unit.get(kAudioUnitProperty_ElementName, scope, bus, &name) == noErr else { return nil }
    return name.map { "\($0.takeRetainedValue())" }
  }

  /// Throws, for a call with this name, if there is no such bus.
  final func checkBus(
    _ bus: AVAudioNodeBus, _ count: Int, _ call: String, _ direction: String
  ) throws {
    guard bus < 0 || bus >= count else { return }
    throw EngineError.refusal(
      call,
      count == 0
        ? "\(Self.self) has no \(direction)s" : "\(Self.self) has no \(direction) bus \(bus)",
      mend: count == 0
        ? "use another node" : count == 1 ? "use 0" : "use one from 0 to \(count - 1)",
      kAudioUnitErr_InvalidElement)
  }

  // MARK: Time

  /// The time of the frames that it rendered last, on the time line of its output; nil while the
  /// engine does not run, or while nothing pulls the node.
  open var lastRenderTime: AVAudioTime? {
    guard let core = engine?.core, core.isRunning else { return nil }
    return core.queries.lastRenderTime(of: self)
  }

  /// By how many seconds its output lags its input.
  open var latency: TimeInterval {
    unit?.value(kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0.0 as Float64) ?? 0
  }

  /// The seconds from its output to the device, on the longest path; 0 in manual rendering.
  open var outputPresentationLatency: TimeInterval {
    engine?.core.queries.presentationLatency(of: self) ?? 0
  }

  // MARK: Taps

  /// Copies the output of a bus, and passes it to a block as buffers of about `bufferSize` frames, in
  /// order and on a thread of its own. A call that breaks a rule ends the program: a second tap on a
  /// bus, a bus that does not exist, a format with another rate than the bus.
  ///
  /// - Parameters:
  ///   - bus: An output bus.
  ///   - bufferSize: The number of frames of a buffer; a request.
  ///   - format: The format of the buffers; nil is that of the bus.
  ///   - tapBlock: Gets each buffer, and the time of its first frame. [a thread of the tap]
  @preconcurrency
  open func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void
  ) {
    orEnd {
      try install(
        Tap.Request(bus, bufferSize, format, tapBlock), "installTap(onBus:bufferSize:format:block:)"
      )
    }
  }

  /// As `installTap(onBus:bufferSize:format:block:)`, but with buffers that other threads may read, and
  /// throws if the call breaks a rule.
  @preconcurrency
  open func installAudioTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    tapProvider: @escaping @Sendable (AVReadOnlyAudioPCMBuffer, AVAudioTime) -> Void
  ) throws {
    let block: @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void = { buffer, time in
      // The tap makes each buffer anew.
      nonisolated(unsafe) let owned = buffer
      tapProvider(AVReadOnlyAudioPCMBuffer(unsafeRetaining: owned), time)
    }
    try install(
      Tap.Request(bus, bufferSize, format, block),
      "installAudioTap(onBus:bufferSize:format:tapProvider:)")
  }

  /// Removes the tap of a bus, after it has passed on what it has. Without a tap it does nothing.
  open func removeTap(onBus bus: AVAudioNodeBus) { taps.remove(bus) }

  private func install(_ request: Tap.Request, _ call: String) throws {
    let call = "\(Self.self).\(call)"
    try checkBus(request.bus, numberOfOutputs, call, "output")
    try taps.install(request, on: self, call)
  }

  // MARK: For subclasses

  /// Its place in an engine.
  var role: NodeRole { .inner }

  /// How the formats of its inputs and outputs depend on each other.
  var formatRule: FormatRule { .passes }

  /// Whether it asks for another number of frames than it makes.
  var changesFrameCount: Bool { false }

  /// Whether mixers take its values: not those of effects.
  final var hasMixing: Bool { self is any AVAudioMixing }

  /// The format of an output for connections that name none; nil if it takes what the destination
  /// wants. Output node: of its input.
  func ownFormat(_ bus: AVAudioNodeBus) -> AVAudioFormat? { nil }

  /// Why it has no format; nil for nodes that have one, or take any.
  var unknownFormat: UnknownFormat? { nil }

  /// The number of channels of its output, if it can have no other.
  var onlyChannelCount: UInt32? { nil }

  /// The format of a bus that is not connected.
  func unconnectedFormat(output: Bool, _ bus: AVAudioNodeBus) -> AVAudioFormat {
    ownFormat(bus)
      ?? unit?.format(
        output ? kAudioUnitScope_Output : kAudioUnitScope_Input, UInt32(clamping: bus))
      ?? .unknown
  }

  /// [under the engine's lock] Checks the format of a connection before it is made, for a call with
  /// this name.
  func checkFormat(
    _ format: AVAudioFormat, _ scope: AudioUnitScope, _ bus: AVAudioNodeBus, _ call: String
  ) throws {}

  /// The format in which the unit asks `feed` for frames, if the node's output has a format. The
  /// unit is a converter.
  func unitInputFormat(for output: AVAudioFormat) -> AVAudioFormat { output }

  /// [under the engine's lock] Adapts the inputs of a node that converts; nil for others.
  var mixerInputs: MixerInputs? { nil }

  /// What a tap of an output bus copies; nil while there is nothing.
  func tapSource(_ bus: AVAudioNodeBus) -> TapSource? {
    guard let unit, let format = unit.format(kAudioUnitScope_Output, UInt32(clamping: bus)) else {
      return nil
    }
    return TapSource(unit, bus, format) { [weak engine] in engine?.core.rendersByItself ?? false }
  }

  /// [any thread] Gives an input of a mixer the mixing values of its source.
  func setMixing(_ values: MixingValues, onInput bus: AVAudioNodeBus) {}

  /// [control thread, without the engine's lock] Something happened to the engine of the node.
  func engineChanged(_ event: EngineEvent) {}
}

extension AVAudioFormat {
  /// No rate and no channels.
  static var unknown: AVAudioFormat {
    var fields = AudioStreamBasicDescription()
    fields.mFormatID = kAudioFormatLinearPCM
    fields.mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved
    fields.mBitsPerChannel = 32
    (fields.mBytesPerFrame, fields.mBytesPerPacket, fields.mFramesPerPacket) = (4, 4, 1)
    return orEnd {
      guard let format = AVAudioFormat(streamDescription: &fields) else {
        throw EngineError.failure("AVAudioFormat", kAudio_ParamError)
      }
      return format
    }
  }

  /// Deinterleaved Float32 with a rate and a number of channels.
  static func standard(_ sampleRate: Double, _ channels: AVAudioChannelCount) -> AVAudioFormat {
    if let format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels) {
      return format
    }
    let tag = kAudioChannelLayoutTag_DiscreteInOrder | channels
    guard let layout = AVAudioChannelLayout(layoutTag: tag) else { return .unknown }
    return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: layout)
  }
}
