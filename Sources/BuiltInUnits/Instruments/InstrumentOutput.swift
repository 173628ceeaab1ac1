// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// A kernel that plays instruments: it declares its parameters, and maps them to `Controls`.
protocol InstrumentKernel: BusGeneratorKernel, ~Copyable {
  var output: InstrumentOutput { get }
  init(output: consuming InstrumentOutput)
}

extension InstrumentKernel where Self: ~Copyable {
  static var elements: ElementCounts {
    .init(inputs: 0, outputs: 1, outputRange: 1...SynthRack.channelCount)
  }
  static var channels: [AUChannelInfo]? { [.init(inChannels: 0, outChannels: 2)] }

  static func memory(_ setup: KernelSetup) -> Int { InstrumentOutput.memory(setup) }

  init(_ setup: KernelSetup) { self.init(output: InstrumentOutput(setup)) }

  var latencyFrames: Int { output.latencyFrames }
}

/// The output buses of an instrument unit at any sample rate. FluidSynth renders at 8 to 96 kHz; for
/// other rates its output is converted by an integer factor.
struct InstrumentOutput: ~Copyable {
  private var renderer: InstrumentRenderer
  private var converter: SampleRateConverter
  private let delay: Int
  private let ratio: Double
  private let memory = OwnedMemory()
  private let busCount: Int
  /// What the renderer fills, for each bus.
  private let slices: UnsafeMutablePointer<Slice>
  /// The channels of all buses, before and after the conversion.
  private let samples: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let capacity: Int
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let sampleRate: Double

  /// The sample rate of the synthesizers for an output rate.
  static func rate(for sampleRate: Double) -> Double {
    if sampleRate > 96_000 { return sampleRate / (sampleRate / 96_000).rounded(.up) }
    if sampleRate < 8_000 { return sampleRate * (8_000 / sampleRate).rounded(.up) }
    return sampleRate
  }

  init(_ setup: KernelSetup) {
    sampleRate = setup.format.sampleRate
    let rate = Self.rate(for: sampleRate)
    ratio = rate / sampleRate
    let isDirect = rate == sampleRate
    busCount = max(1, setup.outputFormats.count)
    converter = SampleRateConverter(
      inputRate: rate, outputRate: sampleRate, channelCount: 2 * busCount)
    delay = isDirect ? 0 : Int((converter.latency * sampleRate).rounded())
    // It may need a frame more or less, depending on the output's position between input frames.
    capacity = isDirect ? 0 : converter.inputFramesNeeded(for: setup.maximumFrames) + 64
    let channelCount = 2 * busCount
    let all = memory.array(channelCount * max(capacity, 1), of: 0 as Float)
    samples = memory.array(channelCount, of: all)
    for channel in 0..<channelCount { samples[channel] = all + channel * capacity }
    outputs = memory.array(channelCount, of: all)
    slices = memory.array(
      busCount, of: Slice(channels: samples, channelCount: 2, frameCount: 0))
    renderer = InstrumentRenderer(
      setup.shared as? InstrumentPlayer, sampleRate: rate,
      maximumFrames: isDirect ? setup.maximumFrames : capacity, frameRatio: ratio,
      busCount: busCount)
  }

  deinit {
    renderer.deallocate()
    memory.deallocate()
  }

  /// The delay of notes in output frames; 0 unless the rate is converted.
  var latencyFrames: Int { delay }

  /// The memory that the output needs, in bytes.
  static func memory(_ setup: KernelSetup) -> Int {
    let rate = setup.format.sampleRate
    let frames = Double(setup.maximumFrames) * max(1, Self.rate(for: rate) / rate)
    return 40_000_000 + (160 + 16 * setup.outputFormats.count) * Int(frames)
  }

  /// [render thread] Ends all notes and clears the signal history.
  @_noLocks
  mutating func reset() {
    renderer.reset()
    converter.reset()
  }

  /// [render thread] Fills one slice of each bus.
  @_noLocks
  mutating func render(_ outputs: BusSlices, _ controls: InstrumentRenderer.Controls) {
    guard ratio != 1 else {
      for bus in 0..<busCount { slices[bus] = outputs[bus] }
      let silent = renderer.render(slices, isFirst: outputs[0].offset == 0, controls)
      for bus in 0..<busCount {
        outputs.setSilent(bus, silent >> UInt16(clamping: bus) & 1 != 0)
      }
      return
    }
    convert(outputs, controls)
  }

  @_noLocks
  private mutating func convert(_ buses: BusSlices, _ controls: InstrumentRenderer.Controls) {
    let frames = buses[0].frameCount
    let needed = min(converter.inputFramesNeeded(for: frames), capacity)
    for bus in 0..<busCount {
      slices[bus] = Slice(channels: samples + 2 * bus, channelCount: 2, frameCount: needed)
      for channel in 0..<2 { outputs[2 * bus + channel] = buses[bus][channel] }
      buses.setSilent(bus, false)
    }
    _ = renderer.render(slices, isFirst: buses[0].offset == 0, controls)
    let inner = Slice(channels: samples, channelCount: 2 * busCount, frameCount: needed)
    _ = converter.process(
      input: inner.readable, inputFrames: needed, output: outputs, outputFrames: frames)
  }
}
