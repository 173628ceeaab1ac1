// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Any number of mono and stereo inputs, each with volume, pan, switch and meters, to one output of
/// one or two channels.
///
/// Inputs pan by `StereoPan`; to a mono output a stereo input goes as the mean of its channels.
/// Changes at once take 5 ms, so that nothing clicks. Steady inputs are added four at a time.
struct MultiChannelMixer: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, "AUMultiChannelMixer")
  static let elements = ElementCounts(inputs: 8, outputs: 1, inputRange: 1...1024)
  static let channels: [AUChannelInfo]? = [
    .init(inChannels: -1, outChannels: 2), .init(inChannels: -1, outChannels: 1),
  ]
  static let inputChannels = 1...2
  static let outputChannels = 1...2
  static let maximumFramesPerSlice = 1024
  static let inputSwitch: Parameter? = .enable
  static let fadeTime = Fader.fadeTime
  static let properties: [KernelProperty] = [
    .choice(
      kAudioUnitProperty_MeteringMode, Parameter.metering, of: [0, 1],
      in: [kAudioUnitScope_Input, kAudioUnitScope_Output])
  ]

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case volume = 0
    case enable = 1
    case pan = 2
    case metering = 3007
    // Meters, which the kernel writes, come last.
    case preAverage = 1000
    case preAverageRight = 1001
    case prePeak = 2000
    case prePeakRight = 2001
    case postAverage = 3000
    case postAverageRight = 3001
    case postPeak = 4000
    case postPeakRight = 4001

    var spec: ParameterSpec {
      switch self {
      case .volume:
        .init("volume", .linearGain, 0...1, default: 1, ramps: true)
          .on(kAudioUnitScope_Input, kAudioUnitScope_Output)
      case .enable:
        .init("enable", .boolean, 0...1, default: 1)
          .on(kAudioUnitScope_Input, kAudioUnitScope_Output)
      case .pan:
        .init("pan", .pan, -1...1, default: 0, scope: kAudioUnitScope_Input, ramps: true)
      case .metering: .property(default: 0)
      case .preAverage: .meter("pre-average power, left")
      case .preAverageRight: .meter("pre-average power, right")
      case .prePeak: .meter("pre-peak hold level, left")
      case .prePeakRight: .meter("pre-peak hold level, right")
      case .postAverage: .meter("post-average power, left")
      case .postAverageRight: .meter("post-average power, right")
      case .postPeak: .meter("post-peak hold level, left")
      case .postPeakRight: .meter("post-peak hold level, right")
      }
    }
  }

  /// An input on its way into the sum.
  private struct Channel: BitwiseCopyable {
    var volume = Fader()
    var pan = Fader()
    /// The place for which the gains below were computed.
    var panned: Float = .nan
    var mono: (left: Float, right: Float) = (0, 0)
    var stereo:
      (
        leftToLeft: Float, leftToRight: Float, rightToLeft: Float, rightToRight: Float
      ) = (0, 0, 0, 0)

    var isMoving: Bool { @_noLocks get { volume.isMoving || pan.isMoving } }
  }

  private let inputCount: Int
  private let fade: Int
  private let strips: UnsafeMutablePointer<Channel>
  private var output = Fader()
  private var left: MixList
  private var right: MixList
  /// Numbers of the inputs whose gains move.
  private let moving: UnsafeMutablePointer<Int>
  private let inputMeters: MeterBridge
  private let outputMeters: MeterBridge

  init(_ setup: KernelSetup) {
    inputCount = setup.inputFormats.count
    fade = Fader.frames(at: setup.format.sampleRate)
    strips = .allocate(capacity: max(inputCount, 1))
    strips.initialize(repeating: Channel(), count: max(inputCount, 1))
    left = MixList(capacity: 2 * inputCount)
    right = MixList(capacity: 2 * inputCount)
    moving = .allocate(capacity: max(inputCount, 1))
    inputMeters = MeterBridge(elements: inputCount, sampleRate: setup.format.sampleRate)
    outputMeters = MeterBridge(elements: 1, sampleRate: setup.format.sampleRate)
  }

  deinit {
    strips.deallocate()
    left.deallocate()
    right.deallocate()
    moving.deallocate()
    inputMeters.deallocate()
    outputMeters.deallocate()
  }

  mutating func reset() {
    for input in 0..<inputCount { strips[input] = Channel() }
    output.reset()
    inputMeters.reset()
    outputMeters.reset()
  }

  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: ParameterValues<Parameter>
  ) {
    let target = outputs[0]
    let frames = target.frameCount
    let isStereo = target.channelCount == 2
    let isMetered = values[.metering, output: 0] != 0
    let isOn = values[.enable, output: 0] != 0
    output.follow(
      isOn ? Self.limited(values[.volume, output: 0]) : 0,
      step: isOn ? values.step(.volume, output: 0) : 0, frames: frames, fade: fade)
    // A steady output volume costs nothing: it goes into the gains.
    let isFolded = !output.isMoving && !isMetered
    let master = isFolded ? output.value : 1

    left.removeAll()
    right.removeAll()
    var movingCount = 0
    for bus in 0..<inputs.count {
      follow(bus, frames, values)
      let slice = inputs[bus]
      if values[.metering, input: bus] != 0 { meter(slice, bus, values) }
      if slice.isSilent {
        strips[bus].volume.arrive()
        strips[bus].pan.arrive()
      } else if strips[bus].isMoving {
        moving[movingCount] = bus
        movingCount += 1
      } else {
        gather(slice, bus, isStereo, master)
      }
    }
    left.mix(into: target[0], count: frames)
    if isStereo { right.mix(into: target[1], count: frames) }
    for index in 0..<movingCount {
      let bus = moving[index]
      addMoving(inputs[bus], bus, to: target, master)
    }
    if isMetered { meterOutput(target, values) }
    if !isFolded { scale(target) }
  }

  /// Volumes beyond a gain of a million are limited, so that no sum becomes infinite.
  @_noLocks
  private static func limited(_ volume: Float) -> Float { min(max(volume, -1e6), 1e6) }

  @_noLocks
  private mutating func follow(_ bus: Int, _ frames: Int, _ values: ParameterValues<Parameter>) {
    let isOn = values[.enable, input: bus] != 0
    strips[bus].volume.follow(
      isOn ? Self.limited(values[.volume, input: bus]) : 0,
      step: isOn ? values.step(.volume, input: bus) : 0, frames: frames, fade: fade)
    strips[bus].pan.follow(
      min(max(values[.pan, input: bus], -1), 1), step: values.step(.pan, input: bus),
      frames: frames, fade: fade)
  }

  /// Computes the gains for the place where an input stands.
  @_noLocks
  private mutating func place(_ bus: Int) {
    let pan = strips[bus].pan.value
    guard strips[bus].panned != pan else { return }
    strips[bus].panned = pan
    strips[bus].mono = StereoPan.mono(pan)
    strips[bus].stereo = StereoPan.stereo(pan)
  }

  /// Puts a steady input on the lists.
  @_noLocks
  private mutating func gather(_ slice: Slice, _ bus: Int, _ isStereo: Bool, _ master: Float) {
    let volume = strips[bus].volume.value * master
    guard volume != 0 else { return }
    guard isStereo else {
      let gain = slice.channelCount == 2 ? volume * 0.5 : volume
      left.append(slice[0], gain)
      if slice.channelCount == 2 { left.append(slice[1], gain) }
      return
    }
    place(bus)
    if slice.channelCount == 1 {
      left.append(slice[0], volume * strips[bus].mono.left)
      right.append(slice[0], volume * strips[bus].mono.right)
    } else {
      let gains = strips[bus].stereo
      left.append(slice[0], volume * gains.leftToLeft)
      left.append(slice[1], volume * gains.rightToLeft)
      right.append(slice[0], volume * gains.leftToRight)
      right.append(slice[1], volume * gains.rightToRight)
    }
  }

  /// Adds an input whose gains move, piece by piece: within a piece, at most 16 frames of a moving pan,
  /// they change in a straight line.
  @_noLocks
  private mutating func addMoving(_ slice: Slice, _ bus: Int, to target: Slice, _ master: Float) {
    var frame = 0
    while frame < slice.frameCount {
      var piece = slice.frameCount - frame
      let strip = strips[bus]
      if strip.volume.isMoving { piece = min(piece, strip.volume.framesRemaining) }
      if strip.pan.isMoving { piece = min(piece, min(strip.pan.framesRemaining, 16)) }
      let start = gains(slice, bus, target) * (strips[bus].volume.value * master)
      strips[bus].volume.advance(piece)
      strips[bus].pan.advance(piece)
      let end = gains(slice, bus, target) * (strips[bus].volume.value * master)
      let step = (end - start) / Float(piece)
      for input in 0..<slice.channelCount {
        for output in 0..<target.channelCount {
          let lane = 2 * input + output
          guard start[lane] != 0 || end[lane] != 0 else { continue }
          MixKernel.add(
            slice[input] + frame, to: target[output] + frame, count: piece, gain: start[lane],
            step: step[lane])
        }
      }
      frame += piece
    }
  }

  /// The gains of an input at a volume of 1: channel by channel to the left (or the middle) and to the
  /// right.
  @_noLocks
  private mutating func gains(_ slice: Slice, _ bus: Int, _ target: Slice) -> SIMD4<Float> {
    guard target.channelCount == 2 else {
      return slice.channelCount == 2 ? SIMD4(0.5, 0, 0.5, 0) : SIMD4(1, 0, 0, 0)
    }
    place(bus)
    if slice.channelCount == 1 {
      return SIMD4(strips[bus].mono.left, strips[bus].mono.right, 0, 0)
    }
    let stereo = strips[bus].stereo
    return SIMD4(stereo.leftToLeft, stereo.leftToRight, stereo.rightToLeft, stereo.rightToRight)
  }

  /// Applies the output volume where it could not go into the gains.
  @_noLocks
  private mutating func scale(_ target: Slice) {
    var frame = 0
    while frame < target.frameCount {
      var piece = target.frameCount - frame
      if output.isMoving { piece = min(piece, output.framesRemaining) }
      for channel in 0..<target.channelCount {
        MixKernel.scale(
          target[channel] + frame, count: piece, gain: output.value, step: output.step)
      }
      output.advance(piece)
      frame += piece
    }
  }

  @_noLocks
  private func meter(_ slice: Slice, _ bus: Int, _ values: ParameterValues<Parameter>) {
    inputMeters.hear(slice, element: bus, strips[bus].volume)
    let (left, right) = (inputMeters.readings(bus, 0), inputMeters.readings(bus, 1))
    values.publish(.preAverage, left.preAverage, input: bus)
    values.publish(.prePeak, left.prePeak, input: bus)
    values.publish(.postAverage, left.postAverage, input: bus)
    values.publish(.postPeak, left.postPeak, input: bus)
    values.publish(.preAverageRight, right.preAverage, input: bus)
    values.publish(.prePeakRight, right.prePeak, input: bus)
    values.publish(.postAverageRight, right.postAverage, input: bus)
    values.publish(.postPeakRight, right.postPeak, input: bus)
  }

  @_noLocks
  private func meterOutput(_ target: Slice, _ values: ParameterValues<Parameter>) {
    outputMeters.hear(target, element: 0, output)
    let (left, right) = (outputMeters.readings(0, 0), outputMeters.readings(0, 1))
    values.publish(.preAverage, left.preAverage, output: 0)
    values.publish(.prePeak, left.prePeak, output: 0)
    values.publish(.postAverage, left.postAverage, output: 0)
    values.publish(.postPeak, left.postPeak, output: 0)
    values.publish(.preAverageRight, right.preAverage, output: 0)
    values.publish(.prePeakRight, right.prePeak, output: 0)
    values.publish(.postAverageRight, right.postAverage, output: 0)
    values.publish(.postPeakRight, right.postPeak, output: 0)
  }
}
