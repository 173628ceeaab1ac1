// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Mixes every channel of every input to every channel of every output. The gain of a route is the
/// product of the volumes of input channel, crosspoint, output channel and master.
///
/// Channels are numbered across all input buses, and across all output buses. Each has meters
/// before and after its volume. Immediate changes take 5 ms.
struct MatrixMixer: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer, "AUMatrixMixer")
  static let elements = ElementCounts(
    inputs: 8, outputs: 1, inputRange: 1...1024, outputRange: 1...1024)
  static let channels: [AUChannelInfo]? = [.init(inChannels: -1, outChannels: -2)]
  static let maximumFramesPerSlice = 1024
  static let meters = MeterSet.channels

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case volume = 0
    case enable = 1

    var spec: ParameterSpec {
      switch self {
      case .volume:
        .init("volume", .linearGain, 0...1, default: 0, ramps: true)
          .on(kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output)
          .accepting(ParameterSpec.anyGain)
      case .enable:
        .init("enable", .boolean, 0...1, default: 1)
          .on(kAudioUnitScope_Input, kAudioUnitScope_Output)
      }
    }
  }

  enum Setting: SettingKey {
    case metering

    var spec: SettingSpec { .metering(in: [kAudioUnitScope_Global] + MeterSet.busScopes) }
  }

  // The first member must be a pointer: otherwise the compiler fails with the thread sanitizer.
  /// The gains of input times crosspoint, output by output.
  private let routes: UnsafeMutablePointer<Fader>
  /// The gains of output times master.
  private let outputFaders: UnsafeMutablePointer<Fader>
  private let memory = OwnedMemory()
  private let inputCount: Int
  private let outputCount: Int
  private let fade: Int
  private var list: MixList
  /// The inputs of the routes whose gains are changing.
  private let moving: UnsafeMutablePointer<Int>
  /// The samples of every input channel in this slice; nil while it is silent.
  private let sources: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let meters: MeterBridge
  /// Gains that change, frame by frame.
  private let curve: UnsafeMutablePointer<Float>
  private static var curveFrames: Int { @_noLocks get { 64 } }
  /// Whether no gain was changing at the end of the last slice, and the generation of its values.
  private var isConstant = false
  private var generation: UInt32 = 0

  init(_ setup: KernelSetup) {
    inputCount = setup.inputFormats.reduce(0) { $0 + $1.channelCount }
    outputCount = setup.outputFormats.reduce(0) { $0 + $1.channelCount }
    fade = Fader.frames(at: setup.format.sampleRate)
    routes = memory.array(inputCount * outputCount, of: Fader())
    outputFaders = memory.array(outputCount, of: Fader())
    list = MixList(capacity: inputCount)
    moving = memory.array(inputCount, of: 0)
    sources = memory.array(inputCount, of: nil)
    curve = memory.array(Self.curveFrames, of: 0)
    meters = MeterBridge(
      elements: inputCount + outputCount, channels: 1, sampleRate: setup.format.sampleRate)
  }

  deinit {
    list.deallocate()
    meters.deallocate()
    memory.deallocate()
  }

  mutating func reset() {
    for route in 0..<inputCount * outputCount { routes[route].reset() }
    for output in 0..<outputCount { outputFaders[output].reset() }
    meters.reset()
    isConstant = false
  }

  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values
  ) {
    var channel = 0
    for bus in 0..<inputs.count {
      let isMetered = values[.metering, input: bus] != 0
      for source in 0..<inputs[bus].channelCount {
        sources[channel] = inputs[bus].isSilent ? nil : inputs[bus][source]
        if isMetered { meterInput(channel, inputs[bus].frameCount, values) }
        channel += 1
      }
    }
    let isUnchanged = isConstant && values.generation == generation
    (isConstant, generation) = (true, values.generation)
    channel = 0
    for bus in 0..<outputs.count {
      let isMetered = values[.metering, output: bus] != 0
      for target in 0..<outputs[bus].channelCount {
        if isUnchanged, !isMetered {
          fillSteadily(outputs[bus][target], channel, outputs[bus].frameCount)
        } else {
          fill(
            outputs[bus][target], channel, outputs[bus].frameCount, isMetered: isMetered, values)
        }
        channel += 1
      }
    }
  }

  // MARK: An output channel

  /// Writes an output channel with the gains of the previous slice.
  @_noLocks
  private mutating func fillSteadily(
    _ target: UnsafeMutablePointer<Float>, _ output: Int, _ frames: Int
  ) {
    list.removeAll()
    let outputFactor = outputFaders[output].value
    for input in 0..<inputCount {
      guard let source = sources[input] else { continue }
      list.append(source, routes[output * inputCount + input].value * outputFactor)
    }
    list.mix(into: target, count: frames)
  }

  @_noLocks
  private mutating func fill(
    _ target: UnsafeMutablePointer<Float>, _ output: Int, _ frames: Int, isMetered: Bool,
    _ values: Values
  ) {
    let (start, end) = (outputGain(output, 0, values), outputGain(output, frames, values))
    // Ramps are followed piece by piece below; the fader only needs their end.
    outputFaders[output].follow(end, step: 0, frames: frames, fade: start == end ? fade : frames)
    // A constant output gain costs no time: it is multiplied into the gains of the routes.
    let isFolded = start == end && !outputFaders[output].isMoving && !isMetered
    let outputFactor = isFolded ? outputFaders[output].value : 1
    let movingCount = gather(output, frames, outputFactor, values)
    list.mix(into: target, count: frames)
    for index in 0..<movingCount {
      let input = moving[index]
      guard let source = sources[input] else { continue }
      if routeGain(input, output, 0, values) == routeGain(input, output, frames, values) {
        addFading(source, to: target, frames, route: output * inputCount + input, outputFactor)
      } else {
        addRamped(source, to: target, frames, input, output, outputFactor, values)
      }
    }
    if movingCount > 0 || start != end || outputFaders[output].isMoving { isConstant = false }
    if isMetered { meterOutput(target, output, frames, from: start, to: end, values) }
    if start != end {
      scaleRamped(target, output, frames, values)
    } else if !isFolded {
      scaleFading(target, output, frames)
    }
    if isMetered { ClippingMeter.measure(target, frames, values.raw) }
  }

  /// Lists the routes of an output with constant gains; returns the number of changing ones.
  @_noLocks
  private mutating func gather(
    _ output: Int, _ frames: Int, _ outputFactor: Float, _ values: Values
  ) -> Int {
    list.removeAll()
    var movingCount = 0
    for input in 0..<inputCount {
      let route = output * inputCount + input
      let start = routeGain(input, output, 0, values)
      let end = routeGain(input, output, frames, values)
      routes[route].follow(end, step: 0, frames: frames, fade: start == end ? fade : frames)
      guard let source = sources[input] else {
        routes[route].finish()
        if start != end { isConstant = false }
        continue
      }
      if start != end || routes[route].isMoving {
        moving[movingCount] = input
        movingCount += 1
      } else {
        list.append(source, routes[route].value * outputFactor)
      }
    }
    return movingCount
  }

  /// Adds a route whose gain fades after an immediate change.
  @_noLocks
  private func addFading(
    _ source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, _ frames: Int,
    route: Int, _ outputFactor: Float
  ) {
    var frame = 0
    while frame < frames {
      let piece = min(frames - frame, Self.curveFrames)
      routes[route].write(into: curve, piece)
      for index in 0..<piece { curve[index] *= outputFactor }
      MixKernel.add(source + frame, to: target + frame, count: piece, gains: curve)
      frame += piece
    }
  }

  /// Adds a route whose parameters ramp, frame by frame because a product of ramps is not linear.
  @_noLocks
  private func addRamped(
    _ source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, _ frames: Int,
    _ input: Int, _ output: Int, _ outputFactor: Float, _ values: Values
  ) {
    routes[output * inputCount + input].finish()
    var frame = 0
    while frame < frames {
      let piece = min(frames - frame, Self.curveFrames)
      for index in 0..<piece {
        curve[index] = routeGain(input, output, frame + index, values) * outputFactor
      }
      MixKernel.add(source + frame, to: target + frame, count: piece, gains: curve)
      frame += piece
    }
  }

  /// Applies the gain of an output that fades after an immediate change, or is metered.
  @_noLocks
  private func scaleFading(_ target: UnsafeMutablePointer<Float>, _ output: Int, _ frames: Int) {
    var frame = 0
    while frame < frames {
      let piece = min(frames - frame, Self.curveFrames)
      outputFaders[output].write(into: curve, piece)
      LinkedLevel.scale(target + frame, by: curve, count: piece)
      frame += piece
    }
  }

  /// Applies the gain of an output whose parameters ramp.
  @_noLocks
  private func scaleRamped(
    _ target: UnsafeMutablePointer<Float>, _ output: Int, _ frames: Int,
    _ values: Values
  ) {
    outputFaders[output].finish()
    var frame = 0
    while frame < frames {
      let piece = min(frames - frame, Self.curveFrames)
      for index in 0..<piece { curve[index] = outputGain(output, frame + index, values) }
      LinkedLevel.scale(target + frame, by: curve, count: piece)
      frame += piece
    }
  }

  // MARK: Meters

  @_noLocks
  private func meterInput(_ input: Int, _ frames: Int, _ values: Values) {
    meters.measure(
      UnsafePointer(sources[input]), frames, channel: input, from: inputGain(input, 0, values),
      to: inputGain(input, frames, values))
    publish(input, values)
  }

  /// Measures an output channel before its gain is applied, which goes from `start` to `end`.
  @_noLocks
  private func meterOutput(
    _ target: UnsafeMutablePointer<Float>, _ output: Int, _ frames: Int, from start: Float,
    to end: Float, _ values: Values
  ) {
    meters.measure(target, frames, channel: inputCount + output, from: start, to: end)
    publish(inputCount + output, values)
  }

  /// Publishes the meter values of a channel; those of outputs come after those of inputs.
  @_noLocks
  private func publish(_ channel: Int, _ values: Values) {
    meters.publish(channel: channel, to: values.raw)
  }

  // MARK: Gains at a frame of the slice; `ParameterMatrix` defines the slots of their factors

  @_noLocks
  private func inputGain(_ input: Int, _ frame: Int, _ values: Values) -> Float {
    guard values[slot: 1 + inputCount + input] != 0 else { return 0 }
    return factor(1 + input, frame, values)
  }

  @_noLocks
  private func routeGain(
    _ input: Int, _ output: Int, _ frame: Int, _ values: Values
  ) -> Float {
    let crosspoint = 1 + 2 * (inputCount + outputCount) + input * outputCount + output
    return limited(inputGain(input, frame, values) * factor(crosspoint, frame, values))
  }

  @_noLocks
  private func outputGain(_ output: Int, _ frame: Int, _ values: Values) -> Float {
    let outputs = 1 + 2 * inputCount
    guard values[slot: outputs + outputCount + output] != 0 else { return 0 }
    return limited(factor(outputs + output, frame, values) * factor(0, frame, values))
  }

  @_noLocks
  private func factor(_ slot: Int, _ frame: Int, _ values: Values) -> Float {
    values[slot: slot] + values.step(slot: slot) * Float(frame)
  }

  /// Limits gains to a million, so that no sum becomes infinite.
  @_noLocks
  private func limited(_ gain: Float) -> Float { min(max(gain, -1e6), 1e6) }
}
