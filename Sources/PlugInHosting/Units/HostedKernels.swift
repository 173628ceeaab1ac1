// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// The kernel of an effect with one input and one output of as many channels: the core bypasses it.
struct HostedEffect: EffectKernel, ~Copyable {
  typealias Parameter = HostedKey

  // The description of the plug-in replaces it.
  static let identity = Identity(kAudioUnitType_Effect, 0, "")
  /// The processor replaces what is not.
  static var isAlwaysFinite: Bool { true }

  private var processor: HostedProcessor
  private let memory = OwnedMemory()
  /// A copy of the input, because plug-ins do not process in place.
  private let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(_ setup: KernelSetup) {
    processor = HostedProcessor(runtime: setup)
    let count = setup.format.channelCount
    let memory = memory
    let channels = (0..<count).map { _ in memory.array(setup.maximumFrames, of: 0 as Float) }
    inputs = memory.array(channels)
    outputs = memory.array(channels)
  }

  deinit { memory.deallocate() }

  var latencyFrames: Int { processor.latencyFrames }
  /// Nobody knows it, so the plug-in always runs.
  var tailTime: Double? { .infinity }

  @_noLocks
  mutating func reset() { processor.reset() }

  /// [render thread] Processes one slice.
  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    for channel in 0..<slice.channelCount {
      copySamples(slice[channel], to: inputs[channel], slice.frameCount)
      outputs[channel] = slice[channel]
    }
    let block = PlugInBlock(
      inputs: inputs, outputs: outputs, frameCount: slice.frameCount, offset: slice.offset)
    processor.run(block, slice.channelCount, values)
  }
}

/// The kernel of a plug-in with several buses, without input, or with fewer or more outputs than inputs.
struct HostedMixer: MixerKernel, ~Copyable {
  typealias Parameter = HostedKey

  static let identity = Identity(kAudioUnitType_Effect, 0, "")
  static let elements = ElementCounts(inputs: 1, outputs: 1)

  private var processor: HostedProcessor
  private let memory = OwnedMemory()
  private let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let passesInputOn: Bool
  private let isSilent: Bool
  /// A bypass delays by at most so many frames, which it stores.
  private static let longestDelay = 1 << 18
  private var bypass: HostedBypass

  init(_ setup: KernelSetup) {
    processor = HostedProcessor(runtime: setup)
    let shape = (setup.shared as? HostedRuntime)?.shape
    passesInputOn = shape?.passesInputOn ?? false
    isSilent = shape?.isSilent ?? true
    let place: UnsafeMutablePointer<Float> = memory.array(1, of: 0)
    func channels(_ formats: [StreamFormat]) -> [UnsafeMutablePointer<Float>] {
      formats.flatMap { Array(repeating: place, count: $0.channelCount) }
    }
    inputs = memory.array(channels(setup.inputFormats) + [place])
    outputs = memory.array(channels(setup.outputFormats) + [place])
    bypass = HostedBypass(
      inputs: shape?.bypassedInputs ?? 0, outputs: setup.format.channelCount,
      latency: min(processor.latencyFrames, Self.longestDelay), maximumFrames: setup.maximumFrames,
      sampleRate: setup.format.sampleRate, in: memory)
  }

  deinit { memory.deallocate() }

  var latencyFrames: Int { processor.latencyFrames }
  var tailTime: Double? { .infinity }

  @_noLocks
  mutating func reset() {
    processor.reset()
    bypass.reset()
  }

  /// [render thread] Processes one slice.
  @_noLocks
  mutating func render(_ inputSlices: BusSlices, _ outputSlices: BusSlices, _ values: Values) {
    _ = collect(inputSlices, into: inputs)
    var outputCount = collect(outputSlices, into: outputs)
    let first = outputSlices[0]
    if isSilent || passesInputOn { outputCount = 0 }
    let block = PlugInBlock(
      inputs: inputs, outputs: outputs, frameCount: first.frameCount, offset: first.offset)
    processor.run(block, outputCount, values)
    if isSilent { first.clear() }
    guard passesInputOn else {
      return bypass.apply(
        inputs, outputs, first.frameCount, isBypassed: processor.isBypassed)
    }
    for channel in 0..<first.channelCount {
      copySamples(inputs[channel], to: first[channel], first.frameCount)
    }
  }

  /// Stores the channels of all buses one after the other; returns their number.
  @_noLocks
  private func collect(
    _ slices: BusSlices, into channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> Int {
    var count = 0
    for bus in 0..<slices.count {
      let slice = slices[bus]
      for channel in 0..<slice.channelCount {
        channels[count] = slice[channel]
        count += 1
      }
    }
    return count
  }
}

/// [render thread] Copies samples between memory that does not overlap.
@_noLocks
private func copySamples(
  _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, _ count: Int
) {
  UnsafeMutableRawPointer(destination).copyMemory(
    from: source, byteCount: count * MemoryLayout<Float>.stride)
}

extension HostedProcessor {
  /// [control thread] Uses the instances of the runtime that a unit shares with its kernel.
  fileprivate init(runtime setup: KernelSetup) {
    guard let runtime = setup.shared as? HostedRuntime else {
      preconditionFailure("only a HostedUnit makes this kernel")
    }
    self.init(runtime, sampleRate: setup.format.sampleRate)
  }
}
