// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Every channel of every input to every channel of every output, each with a volume of its own: the
/// gain of a route is that of the input channel, the crosspoint, the output channel and the master.
///
/// Channels are counted through all buses of a side. Changes at once take 5 ms.
struct MatrixMixer: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer, "AUMatrixMixer")
  static let elements = ElementCounts(
    inputs: 8, outputs: 1, inputRange: 1...256, outputRange: 1...256)
  static let channels: [AUChannelInfo]? = [.init(inChannels: -1, outChannels: -2)]
  static let maximumFramesPerSlice = 1024

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case volume = 0
    case enable = 1

    var spec: ParameterSpec {
      switch self {
      case .volume:
        .init("volume", .linearGain, 0...1, default: 0, ramps: true)
          .on(kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output)
      case .enable:
        .init("enable", .boolean, 0...1, default: 1)
          .on(kAudioUnitScope_Input, kAudioUnitScope_Output)
      }
    }
  }

  // First of all: with the thread sanitizer the compiler takes the first member for an address, and
  // fails where that is a number.
  private let routes: UnsafeMutablePointer<Fader>
  private let inputCount: Int
  private let outputCount: Int
  private let fade: Int
  private var list: MixList
  /// Inputs of the routes whose gains move.
  private let moving: UnsafeMutablePointer<Int>
  /// Where every input channel lies in this slice; nil while it is silent.
  private let sources: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  init(_ setup: KernelSetup) {
    inputCount = setup.inputFormats.reduce(0) { $0 + $1.channelCount }
    outputCount = setup.outputFormats.reduce(0) { $0 + $1.channelCount }
    fade = Fader.frames(at: setup.format.sampleRate)
    routes = .allocate(capacity: inputCount * outputCount)
    routes.initialize(repeating: Fader(), count: inputCount * outputCount)
    list = MixList(capacity: inputCount)
    moving = .allocate(capacity: inputCount)
    sources = .allocate(capacity: inputCount)
    sources.initialize(repeating: nil, count: inputCount)
  }

  deinit {
    routes.deallocate()
    list.deallocate()
    moving.deallocate()
    sources.deallocate()
  }

  mutating func reset() {
    for route in 0..<inputCount * outputCount { routes[route].reset() }
  }

  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: ParameterValues<Parameter>
  ) {
    var channel = 0
    for bus in 0..<inputs.count {
      for source in 0..<inputs[bus].channelCount {
        sources[channel] = inputs[bus].isSilent ? nil : inputs[bus][source]
        channel += 1
      }
    }
    channel = 0
    for bus in 0..<outputs.count {
      for target in 0..<outputs[bus].channelCount {
        fill(outputs[bus][target], channel, outputs[bus].frameCount, values)
        channel += 1
      }
    }
  }

  /// Writes one output channel.
  @_noLocks
  private mutating func fill(
    _ target: UnsafeMutablePointer<Float>, _ output: Int, _ frames: Int,
    _ values: ParameterValues<Parameter>
  ) {
    list.removeAll()
    var movingCount = 0
    for input in 0..<inputCount {
      let route = input * outputCount + output
      let start = gain(input, output, 0, values)
      let end = gain(input, output, frames, values)
      // A ramp is followed piece by piece below; here only its end counts.
      routes[route].follow(end, step: 0, frames: frames, fade: start == end ? fade : frames)
      guard let source = sources[input] else {
        routes[route].arrive()
        continue
      }
      if start != end || routes[route].isMoving {
        moving[movingCount] = input
        movingCount += 1
      } else {
        list.append(source, routes[route].value)
      }
    }
    list.mix(into: target, count: frames)
    for index in 0..<movingCount {
      let input = moving[index]
      guard let source = sources[input] else { continue }
      if gain(input, output, 0, values) == gain(input, output, frames, values) {
        addFading(source, to: target, frames, route: input * outputCount + output)
      } else {
        addRamped(source, to: target, frames, input, output, values)
      }
    }
  }

  /// Adds a route on its way to a gain that was set at once.
  @_noLocks
  private func addFading(
    _ source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, _ frames: Int,
    route: Int
  ) {
    var frame = 0
    while frame < frames {
      let fader = routes[route]
      let piece = fader.isMoving ? min(frames - frame, fader.framesRemaining) : frames - frame
      MixKernel.add(
        source + frame, to: target + frame, count: piece, gain: fader.value, step: fader.step)
      routes[route].advance(piece)
      frame += piece
    }
  }

  /// Adds a route whose parameters ramp: in pieces of 16 frames, as a product of ramps is no straight
  /// line.
  @_noLocks
  private func addRamped(
    _ source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, _ frames: Int,
    _ input: Int, _ output: Int, _ values: ParameterValues<Parameter>
  ) {
    routes[input * outputCount + output].arrive()
    var frame = 0
    while frame < frames {
      let piece = min(frames - frame, 16)
      let start = gain(input, output, frame, values)
      let end = gain(input, output, frame + piece, values)
      MixKernel.add(
        source + frame, to: target + frame, count: piece, gain: start,
        step: (end - start) / Float(piece))
      frame += piece
    }
  }

  /// The gain of a route at a frame of the slice; `ParameterMatrix` says where its factors lie.
  @_noLocks
  private func gain(
    _ input: Int, _ output: Int, _ frame: Int, _ values: ParameterValues<Parameter>
  ) -> Float {
    let outputs = 1 + 2 * inputCount
    let crosspoint = outputs + 2 * outputCount + input * outputCount + output
    guard values[slot: 1 + inputCount + input] != 0,
      values[slot: outputs + outputCount + output] != 0
    else { return 0 }
    let time = Float(frame)
    let route =
      factor(crosspoint, time, values) * factor(1 + input, time, values)
      * (factor(outputs + output, time, values) * factor(0, time, values))
    return min(max(route, -1e6), 1e6)
  }

  @_noLocks
  private func factor(_ slot: Int, _ time: Float, _ values: ParameterValues<Parameter>) -> Float {
    min(max(values[slot: slot] + values.step(slot: slot) * time, -1e6), 1e6)
  }
}
