// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// A kernel that plays instruments: it declares its parameters, and maps them to `Controls`.
protocol InstrumentKernel: TimedKernel, ~Copyable {
  var output: InstrumentOutput { get }
  init(output: consuming InstrumentOutput)
}

extension InstrumentKernel where Self: ~Copyable {
  static var channels: [AUChannelInfo]? { [.init(inChannels: 0, outChannels: 2)] }

  static func memory(_ setup: KernelSetup) -> Int { InstrumentOutput.memory(setup) }

  init(_ setup: KernelSetup) { self.init(output: InstrumentOutput(setup)) }

  var latencyFrames: Int { output.latencyFrames }
}

/// The output of an instrument unit at any sample rate. FluidSynth renders at 8 to 96 kHz; for
/// other rates its output is converted by an integer factor.
struct InstrumentOutput: ~Copyable {
  private var renderer: InstrumentRenderer
  private var converter: SampleRateConverter
  private let delay: Int
  private let ratio: Double
  private let memory = OwnedMemory()
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
    converter = SampleRateConverter(inputRate: rate, outputRate: sampleRate, channelCount: 2)
    delay = isDirect ? 0 : Int((converter.latency * sampleRate).rounded())
    // It may need a frame more or less, depending on the output's position between input frames.
    capacity = isDirect ? 0 : converter.inputFramesNeeded(for: setup.maximumFrames) + 64
    let all = memory.array(2 * max(capacity, 1), of: 0 as Float)
    samples = memory.array(2, of: all)
    samples[1] = all + capacity
    outputs = memory.array(2, of: all)
    renderer = InstrumentRenderer(
      setup.shared as? InstrumentPlayer, sampleRate: rate,
      maximumFrames: isDirect ? setup.maximumFrames : capacity, frameRatio: ratio)
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
    return 40_000_000 + 160 * Int(frames)
  }

  /// [render thread] Ends all notes and clears the signal history.
  @_noLocks
  mutating func reset() {
    renderer.reset()
    converter.reset()
  }

  /// [render thread] Fills one slice; true if it is silent.
  @_noLocks
  mutating func render(_ output: Slice, _ controls: InstrumentRenderer.Controls) -> Bool {
    guard ratio != 1 else {
      return renderer.render(output, isFirst: output.offset == 0, controls)
    }
    convert(output, controls)
    return false
  }

  @_noLocks
  private mutating func convert(_ output: Slice, _ controls: InstrumentRenderer.Controls) {
    let needed = min(converter.inputFramesNeeded(for: output.frameCount), capacity)
    let inner = Slice(channels: samples, channelCount: 2, frameCount: needed)
    _ = renderer.render(inner, isFirst: output.offset == 0, controls)
    outputs[0] = output[0]
    outputs[1] = output[1]
    _ = converter.process(
      input: inner.readable, inputFrames: needed, output: outputs, outputFrames: output.frameCount)
  }
}
