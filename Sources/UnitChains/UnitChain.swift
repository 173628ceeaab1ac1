// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
import AudioUnitCore
package import CAudioToolbox
import CRealTime
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// Units that feed each other, rendered over memory of the program: an `AUChain`.
///
/// A program uses it on one thread at a time.
package final class UnitChain: Disposable, @unchecked Sendable {
  package static let handles = HandleTable<UnitChain, AUChain>(kind: 0x30, holdsUnits: true)

  /// The frames that the units render at once.
  static let sliceFrames = 1_024

  /// What the units are prepared for.
  struct Format: Equatable {
    var rate: Double
    var inputChannels: Int
    var outputChannels: Int
  }

  let nodes: [ChainNode]
  /// The unit that plays the others.
  let head: Int
  /// Whether a graph connects the units.
  private let isConnected: Bool
  /// The places of the units that sound, sources first.
  private let order: [Int]
  private let memory = OwnedMemory()
  /// What feeds each unit.
  let feeds: UnsafeMutablePointer<ChainFeed>
  private(set) var format: Format?
  /// How many frames each unit's input lags that of the chain.
  private(set) var delays: [Int]
  package private(set) var latency = 0
  package private(set) var tail = 0
  /// The sample time of the next slice.
  var time = 0.0
  /// Admits one call at a time.
  let gate = RenderGate()

  /// [control thread] Makes a chain whose output is that of `head`.
  package init(_ nodes: [ChainNode], head: Int, isConnected: Bool) throws(AudioError) {
    self.nodes = nodes
    self.head = head
    self.isConnected = isConnected
    order = try nodes.order(endingWith: head)
    delays = nodes.map { _ in 0 }
    feeds = memory.array(nodes.count, of: ChainFeed())
  }

  deinit { memory.deallocate() }

  /// [control thread] A chain of units that feed each other in their order.
  package convenience init(_ units: [AudioUnit]) throws(AudioError) {
    guard !units.isEmpty else { throw .invalidArgument.because("a chain needs a unit") }
    guard Set(units.map(\.number)).count == units.count else {
      throw .invalidArgument.because("a unit is in the chain twice")
    }
    let nodes = units.enumerated().map { place, unit in
      ChainNode(
        unit, sources: place == 0 ? [] : [.init(bus: 0, unit: place - 1, output: 0)],
        isFed: place == 0)
    }
    try self.init(nodes, head: units.count - 1, isConnected: false)
    for (place, unit) in units.enumerated() {
      try Self.use(unit) { unit throws(AudioError) in
        guard place == 0 || Self.hasInput(unit) else {
          throw .invalidArgument.because(
            "\(unit.title) has no input for sound; it can only be the first of a chain")
        }
      }
    }
  }

  /// [control thread] Runs `body` on a unit, which cannot be disposed of meanwhile.
  static func use(
    _ handle: AudioUnit, _ body: (UnitInstance) throws(AudioError) -> Void
  ) throws(AudioError) {
    guard let unit = Handles.units.enter(handle) else { throw .stale("audio unit") }
    defer { Handles.units.leave(handle) }
    let instance = unit.takeUnretainedValue()
    do throws(AudioError) { try body(instance) } catch { throw error.of(instance.title) }
  }

  private static func hasInput(_ unit: UnitInstance) -> Bool {
    (try? unit.elementCount(kAudioUnitScope_Input)) ?? 0 > 0
  }

  // MARK: Preparing

  /// [control thread] Sets formats, connects and initialises the units, unless they are prepared for
  /// this format already; false if they are.
  func prepare(rate: Double, inputChannels: UInt32, outputChannels: UInt32)
    throws(AudioError) -> Bool
  {
    let new = Format(
      rate: rate, inputChannels: Int(inputChannels), outputChannels: Int(outputChannels))
    guard new != format else { return false }
    guard FormatLimits.contains(sampleRate: rate) else {
      throw .formatNotSupported.because(
        "\(rate) Hz: the sample rate must be above 0 and below 3,000,000 Hz")
    }
    guard (1...FormatLimits.channelCount).contains(new.outputChannels) else {
      throw .formatNotSupported.because("expected 1 to 1,024 channels of output")
    }
    guard [0, 1, new.outputChannels].contains(new.inputChannels) else {
      throw .formatNotSupported.because(
        "\(inputChannels) channels of input and \(outputChannels) of output: the input has one "
          + "channel or as many as the output")
    }
    release()
    // Set before the units get anything of the chain: its end, and a failure, take it from them again.
    format = new
    do throws(AudioError) {
      for place in order { try prepare(place, new) }
      return true
    } catch {
      release(afterFailure: true)
      throw error
    }
  }

  private func prepare(_ place: Int, _ new: Format) throws(AudioError) {
    let node = nodes[place]
    try Self.use(node.unit) { unit throws(AudioError) in
      try unit.uninitialize()
      (unit as? NativeUnit)?.setInChain(true)
      try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(clamping: Self.sliceFrames))
      // Not every unit has it; those that have threads wait for them.
      try? unit.set(kAudioUnitProperty_OfflineRender, UInt32(1))
      var channels: Int?
      if node.isFed, Self.hasInput(unit) {
        let input = StreamFormat(sampleRate: new.rate, channelCount: new.outputChannels)
        try unit.setStreamFormat(input, kAudioUnitScope_Input, 0)
        try unit.set(
          kAudioUnitProperty_SetRenderCallback, ChainFeed.callback(feeds + place),
          kAudioUnitScope_Input)
        channels = new.outputChannels
      }
      for source in node.sources {
        let input = try streamFormat(ofOutput: source.output, of: source.unit)
        // A connected input has the format that its source had.
        try connect(unit, to: nil, source)
        try unit.setStreamFormat(input, kAudioUnitScope_Input, source.bus)
        if source.bus == 0 { channels = input.channelCount }
        try connect(unit, to: nodes[source.unit].unit, source)
      }
      try setOutputs(of: unit, place, new, channels)
      try unit.initialize()
    }
  }

  /// Connects an input of a unit to its source, or to nothing.
  private func connect(
    _ unit: UnitInstance, to other: AudioUnit?, _ source: ChainNode.Source
  ) throws(AudioError) {
    let connection = AudioUnitConnection(
      sourceAudioUnit: other, sourceOutputNumber: other == nil ? 0 : source.output,
      destInputNumber: source.bus)
    try unit.set(kAudioUnitProperty_MakeConnection, connection, kAudioUnitScope_Input, source.bus)
  }

  /// Sets the formats of a unit's outputs, whose input has `channels` channels.
  private func setOutputs(of unit: UnitInstance, _ place: Int, _ new: Format, _ channels: Int?)
    throws(AudioError)
  {
    for bus in 0..<(try unit.elementCount(kAudioUnitScope_Output)) {
      let old = try unit.streamFormat(kAudioUnitScope_Output, bus)
      let isOwn = bus == 0 && (place == head || !isConnected)
      let count = isOwn ? new.outputChannels : old.channelCount
      var output = StreamFormat(sampleRate: new.rate, channelCount: count)
      // An effect has as many channels at its output as at its input.
      if !isOwn, bus == 0, let channels, unit.component.description.isEffect {
        output = StreamFormat(sampleRate: new.rate, channelCount: channels)
      }
      try unit.setStreamFormat(output, kAudioUnitScope_Output, bus)
    }
  }

  private func streamFormat(ofOutput bus: UInt32, of place: Int) throws(AudioError) -> StreamFormat
  {
    var format = StreamFormat.standard
    try Self.use(nodes[place].unit) { unit throws(AudioError) in
      format = try unit.streamFormat(kAudioUnitScope_Output, bus)
    }
    return format
  }

  /// Sums the latencies along the longest way to each unit. They may depend on parameters, so they are read
  /// for each beginning.
  func measureLatency() throws(AudioError) {
    guard let rate = format?.rate else { return }
    var ends = delays
    for place in order {
      delays[place] = nodes[place].sources.reduce(0) { max($0, ends[$1.unit]) }
      ends[place] = delays[place]
      try Self.use(nodes[place].unit) { unit throws(AudioError) in
        ends[place] += Int(saturating: (unit.latencySeconds * rate).rounded())
      }
    }
    latency = ends[head]
  }

  /// Sums the tails along the longest way to each unit.
  func measureTail() throws(AudioError) {
    guard let rate = format?.rate else { return }
    var tails = nodes.map { _ in 0 }
    for place in order {
      var seconds = 0.0
      try Self.use(nodes[place].unit) { unit throws(AudioError) in
        seconds = unit.value(kAudioUnitProperty_TailTime, over: 0.0) ?? 0
      }
      let own = (seconds.isNaN ? 0 : min(max(seconds, 0), 3_600) * rate).rounded(.up)
      tails[place] =
        nodes[place].sources.reduce(0) { max($0, tails[$1.unit]) } + Int(saturating: own)
    }
    tail = tails[head]
  }

  // MARK: The end

  /// [any thread] A chain calls no function of the program.
  package func stopCallbacks() {}

  /// [control thread] Disconnects the units, at the end.
  package func finishDisposal() { release() }

  /// Uninitialises the units and disconnects them. A unit may no longer exist.
  private func release(afterFailure: Bool = false) {
    guard format != nil else { return }
    format = nil
    time = 0
    for place in order.reversed() {
      let node = nodes[place]
      try? Self.use(node.unit) { unit throws(AudioError) in
        try? unit.uninitialize()
        (unit as? NativeUnit)?.setInChain(false)
        if node.isFed {
          try? unit.set(
            kAudioUnitProperty_SetRenderCallback, AURenderCallbackStruct(), kAudioUnitScope_Input)
        }
        for source in node.sources {
          if !isConnected {
            try? connect(unit, to: nil, source)
          } else if afterFailure {
            // The connections of a graph stay; the failure may have ended one.
            try? connect(unit, to: nodes[source.unit].unit, source)
          }
        }
      }
    }
  }

  /// Has the units forget what they have rendered.
  func reset() throws(AudioError) {
    time = 0
    for place in order {
      try Self.use(nodes[place].unit) { unit throws(AudioError) in
        try unit.reset(kAudioUnitScope_Global, 0)
      }
    }
  }
}

extension AudioComponentDescription {
  fileprivate var isEffect: Bool {
    componentType == kAudioUnitType_Effect || componentType == kAudioUnitType_MusicEffect
  }
}
