// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// The strips of a mixer with a mono or stereo output: a volume and a pan for each input, a volume
/// for the output, and meters for all.
///
/// `StereoPan` computes the gains of a pan; a stereo input goes to a mono output as the mean of its
/// channels. A host can replace these gains with its own (`MatrixLevels`). Immediate changes take 5
/// ms, to avoid clicks. Inputs with constant gains are added four at a time. Plain memory; its
/// owner deallocates it.
struct StereoStrips {
  /// How a volume becomes a gain.
  enum Law: BitwiseCopyable {
    case linear
    /// The third power: `kAudioUnitParameterUnit_MixerFaderCurve1`.
    case cubic
  }

  /// The strip of an input.
  private struct Strip: BitwiseCopyable {
    var volume = Fader()
    /// The pan itself jumps or ramps. After a jump its gains fade, in the first four lanes: the law of
    /// the pan has a corner in the middle.
    var pan = Fader()
    var panning = FadeLanes()
    var levels = MatrixLevels()
    /// The pan for which the gains were computed.
    var panned: Float = .nan
    var gains = SIMD4<Float>.zero
    /// Whether the input was silent in the previous slice: a sound that begins has its gains from
    /// the first frame on.
    var wasSilent = true

    @_noLocks
    init() {}

    var isMoving: Bool {
      @_noLocks get { volume.isMoving || isTurning || levels.isMoving }
    }

    /// Whether the gains of the pan are changing.
    var isTurning: Bool { @_noLocks get { pan.isMoving || panning.framesRemaining > 0 } }
  }

  /// The gains of an input while its values do not change.
  private struct ConstantGains: BitwiseCopyable {
    var gains = SIMD4<Float>.zero
    var volume: Float = 0
    /// The generation of the values from which the gains were computed.
    var generation: UInt32 = 0
    var isValid = false

    @_noLocks
    init() {}
  }

  private let memory = OwnedMemory()
  /// The edition of the values for which all gains are constant; 0 if there is none.
  private var constantEdition: UInt64 = 0
  private let count: Int
  /// The products of gains, volume and output volume of inputs with constant gains, channel by
  /// channel.
  private let weights: UnsafeMutablePointer<SIMD4<Float>>
  private var left: MixList
  private var right: MixList
  /// The addresses of the inputs when the lists were filled.
  private var addresses: InputAddresses
  private let law: Law
  /// The length of the fade after an immediate change, in frames.
  private let fade: Int
  private let strips: UnsafeMutablePointer<Strip>
  private let constant: UnsafeMutablePointer<ConstantGains>
  private var output = Fader()
  /// The numbers of the inputs whose gains are changing.
  private let moving: UnsafeMutablePointer<Int>
  private var movingCount = 0
  /// Gains that do not change linearly, frame by frame: a row for each lane, and one for the volume.
  private let curves: UnsafeMutablePointer<Float>
  private static var curveFrames: Int { @_noLocks get { 64 } }
  private var master: Float = 1
  private var isFolded = true
  private var isMetered = false
  private var isAnyInputMetered = false
  let inputMeters: MeterBridge
  let outputMeters: MeterBridge

  /// [control thread]
  init(_ setup: KernelSetup, _ law: Law = .linear) {
    count = setup.inputFormats.count
    self.law = law
    fade = Fader.frames(at: setup.format.sampleRate)
    strips = memory.array(max(count, 1), of: Strip())
    constant = memory.array(max(count, 1), of: ConstantGains())
    // The data that every slice reads is contiguous: for one input, in one cache line.
    let weightsSize = max(count, 1) * MemoryLayout<SIMD4<Float>>.stride
    let listSize = MixList.size(2 * count)
    let storage = UnsafeMutableRawPointer(
      memory.array(weightsSize + 2 * listSize + InputAddresses.size(count), of: UInt8(0)))
    weights = storage.bindMemory(to: SIMD4<Float>.self, capacity: max(count, 1))
    weights.initialize(repeating: .zero, count: max(count, 1))
    left = MixList(capacity: 2 * count, at: storage + weightsSize)
    right = MixList(capacity: 2 * count, at: storage + weightsSize + listSize)
    addresses = InputAddresses(count: count, at: storage + weightsSize + 2 * listSize)
    moving = memory.array(max(count, 1), of: 0)
    curves = memory.array(5 * Self.curveFrames, of: 0)
    inputMeters = MeterBridge(elements: count, sampleRate: setup.format.sampleRate)
    outputMeters = MeterBridge(elements: 1, sampleRate: setup.format.sampleRate)
  }

  /// [control thread] Frees the memory; nothing may use it afterwards.
  func deallocate() {
    inputMeters.deallocate()
    outputMeters.deallocate()
    memory.deallocate()
  }

  /// [render thread] Clears the state; the next values apply immediately, without a fade.
  @_noLocks
  mutating func reset() {
    for strip in 0..<count {
      strips[strip] = Strip()
      constant[strip] = ConstantGains()
    }
    constantEdition = 0
    output.reset()
    inputMeters.reset()
    outputMeters.reset()
  }

  // MARK: A slice

  /// [render thread] Mixes a slice with the gains of the previous one, if the edition of the values
  /// is the same and no gain was changing; otherwise returns false, and the slice must be mixed in
  /// full. A single stereo input at full volume is passed on without a copy.
  @_noLocks
  mutating func mixConstant(_ inputs: BusSlices, to outputs: BusSlices, edition: UInt64) -> Bool {
    guard constantEdition == edition else { return false }
    if count == 1, inputs[0].channelCount == 2, weights[0] == SIMD4(1, 0, 0, 1),
      !inputs[0].isSilent, inputs.passOn(0, to: outputs, 0)
    {
      return true
    }
    let target = outputs[0]
    if addresses.update(inputs) {
      left.removeAll()
      right.removeAll()
      for bus in 0..<count {
        strips[bus].wasSilent = inputs[bus].isSilent
        guard !inputs[bus].isSilent else { continue }
        gather(inputs[bus], bus, isStereo: target.channelCount == 2)
      }
    }
    left.mix(into: target[0], count: target.frameCount)
    if target.channelCount == 2 { right.mix(into: target[1], count: target.frameCount) }
    return true
  }

  /// [render thread] Begins a slice with the output's volume.
  @_noLocks
  mutating func begin(_ target: Slice, volume: Float, step: Float, isMetered: Bool) {
    output.follow(volume, step: step, frames: target.frameCount, fade: fade)
    self.isMetered = isMetered
    // A constant output volume costs no time: it is multiplied into the gains.
    isFolded = !output.isMoving && !isMetered
    master = isFolded ? gain(output.value) : 1
    left.removeAll()
    right.removeAll()
    addresses.invalidate()
    movingCount = 0
    isAnyInputMetered = false
  }

  /// [render thread] Adds an input with the gains of the previous slice, if the generation of its
  /// values is the same; otherwise returns false, and the input must be added in full.
  @_noLocks
  mutating func addConstant(_ slice: Slice, _ bus: Int, _ generation: UInt32, to target: Slice)
    -> Bool
  {
    guard constant[bus].isValid, constant[bus].generation == generation else { return false }
    updateWeights(bus)
    strips[bus].wasSilent = slice.isSilent
    if !slice.isSilent { gather(slice, bus, isStereo: target.channelCount == 2) }
    return true
  }

  /// [render thread] Adds an input. Volumes and their steps are on the scale of the law, pans from
  /// -1 to 1. If `hasLevels`, the gains `levels` replace those of the pan. `generation` is the
  /// generation of the values.
  @_noLocks
  mutating func add(
    _ slice: Slice, _ bus: Int, to target: Slice, volume: Float, volumeStep: Float, pan: Float,
    panStep: Float, levels: SIMD4<Float> = .zero, hasLevels: Bool = false, isMetered: Bool,
    generation: UInt32
  ) {
    let frames = slice.frameCount
    let isFirst = !strips[bus].pan.isSet
    strips[bus].volume.follow(volume, step: volumeStep, frames: frames, fade: fade)
    followPan(slice, bus, target, pan, panStep)
    if hasLevels || strips[bus].levels.isOn {
      strips[bus].levels.follow(
        levels, isRequested: hasLevels, panned: panGains(slice, bus, target),
        fade: isFirst ? 0 : fade)
    }
    if isMetered {
      isAnyInputMetered = true
      var end = strips[bus].volume
      end.advance(frames)
      inputMeters.measure(
        slice, element: bus, from: gain(strips[bus].volume.value), to: gain(end.value))
    }
    // An input that is switched on fades in from a volume of zero.
    let begins =
      strips[bus].wasSilent && strips[bus].volume.value != 0 && volumeStep == 0 && panStep == 0
    strips[bus].wasSilent = slice.isSilent
    if slice.isSilent || begins {
      strips[bus].volume.finish()
      finishPan(slice, bus, target)
      strips[bus].levels.finish()
    }
    constant[bus].isValid = !strips[bus].isMoving && !isMetered
    if strips[bus].isMoving {
      moving[movingCount] = bus
      movingCount += 1
      return
    }
    constant[bus].generation = generation
    constant[bus].volume = gain(strips[bus].volume.value)
    constant[bus].gains = gains(slice, bus, target)
    updateWeights(bus)
    if !slice.isSilent { gather(slice, bus, isStereo: target.channelCount == 2) }
  }

  /// [render thread] Ends a slice: writes the sum of all inputs to `target`.
  @_noLocks
  mutating func finish(_ inputs: BusSlices, to target: Slice, edition: UInt64) {
    let frames = target.frameCount
    constantEdition = movingCount == 0 && isFolded && !isAnyInputMetered ? edition : 0
    left.mix(into: target[0], count: frames)
    if target.channelCount == 2 { right.mix(into: target[1], count: frames) }
    for index in 0..<movingCount { addMoving(inputs[moving[index]], moving[index], to: target) }
    if isMetered {
      var end = output
      end.advance(frames)
      outputMeters.measure(target, element: 0, from: gain(output.value), to: gain(end.value))
    }
    if !isFolded { scale(target) }
  }

  @_noLocks
  private func gain(_ volume: Float) -> Float {
    if case .linear = law { return volume }
    return volume * volume * volume
  }

  // MARK: Gains

  /// Computes the weights of an input with constant gains.
  @_noLocks
  private func updateWeights(_ bus: Int) {
    let volume = constant[bus].volume * master
    // A volume of zero is silence, even if a gain is infinite.
    weights[bus] = volume == 0 ? .zero : volume * constant[bus].gains
  }

  /// Adds an input with constant gains to the lists.
  @_noLocks
  private mutating func gather(_ slice: Slice, _ bus: Int, isStereo: Bool) {
    let weights = weights[bus]
    left.append(slice[0], weights[0])
    if isStereo { right.append(slice[0], weights[1]) }
    guard slice.channelCount == 2 else { return }
    left.append(slice[1], weights[2])
    if isStereo { right.append(slice[1], weights[3]) }
  }

  /// Adds an input whose gains are changing: as a linear ramp if the law is linear, otherwise frame
  /// by frame, so that the sound does not depend on the slices.
  @_noLocks
  private func addMoving(_ slice: Slice, _ bus: Int, to target: Slice) {
    var frame = 0
    while frame < slice.frameCount {
      var piece = slice.frameCount - frame
      let strip = strips[bus]
      var isStraight = !strip.volume.isFading && !strip.isTurning && !strip.levels.isMoving
      if case .cubic = law, strip.volume.isMoving { isStraight = false }
      if isStraight {
        if strip.volume.isMoving { piece = min(piece, strip.volume.framesRemaining) }
        addStraight(slice, bus, to: target, from: frame, piece)
      } else {
        piece = min(piece, Self.curveFrames)
        addCurved(slice, bus, to: target, from: frame, piece)
      }
      frame += piece
    }
  }

  @_noLocks
  private func addStraight(
    _ slice: Slice, _ bus: Int, to target: Slice, from frame: Int, _ count: Int
  ) {
    let start = gains(slice, bus, target) * (gain(strips[bus].volume.value) * master)
    strips[bus].volume.advance(count)
    let end = gains(slice, bus, target) * (gain(strips[bus].volume.value) * master)
    let step = (end - start) / Float(count)
    for input in 0..<slice.channelCount {
      for output in 0..<target.channelCount {
        let lane = 2 * input + output
        guard start[lane] != 0 || end[lane] != 0 else { continue }
        MixKernel.add(
          slice[input] + frame, to: target[output] + frame, count: count, gain: start[lane],
          step: step[lane])
      }
    }
  }

  @_noLocks
  private func addCurved(
    _ slice: Slice, _ bus: Int, to target: Slice, from frame: Int, _ count: Int
  ) {
    let volumes = curves + 4 * Self.curveFrames
    strips[bus].volume.write(into: volumes, count)
    for index in 0..<count {
      let now = gains(slice, bus, target) * (gain(volumes[index]) * master)
      for lane in 0..<4 { curves[lane &* Self.curveFrames &+ index] = now[lane] }
      if strips[bus].pan.isMoving {
        strips[bus].pan.advance(1)
        if !strips[bus].pan.isMoving { finishPan(slice, bus, target) }
      } else {
        strips[bus].panning.advance(by: 1)
      }
      strips[bus].levels.advance(1)
    }
    for input in 0..<slice.channelCount {
      for output in 0..<target.channelCount {
        MixKernel.add(
          slice[input] + frame, to: target[output] + frame, count: count,
          gains: curves + (2 * input + output) * Self.curveFrames)
      }
    }
  }

  /// The gains of an input at a volume of 1: of each channel to the left (or mono) and to the right
  /// output.
  @_noLocks
  private func gains(_ slice: Slice, _ bus: Int, _ target: Slice) -> SIMD4<Float> {
    strips[bus].levels.isOn ? strips[bus].levels.value : panGains(slice, bus, target)
  }

  /// Follows the pan of an input: jumps to it, and fades its gains, or begins a piece of a ramp.
  @_noLocks
  private func followPan(
    _ slice: Slice, _ bus: Int, _ target: Slice, _ pan: Float, _ step: Float
  ) {
    let isFirst = !strips[bus].pan.isSet
    strips[bus].pan.follow(pan, step: step, frames: slice.frameCount, fade: 0)
    guard step == 0 else { return }
    if isFirst { return finishPan(slice, bus, target) }
    let gains = Self.lanes(lawGains(slice, bus, target))
    if gains != strips[bus].panning.target { strips[bus].panning.move(to: gains, within: fade) }
  }

  /// Jumps to the pan.
  @_noLocks
  private func finishPan(_ slice: Slice, _ bus: Int, _ target: Slice) {
    strips[bus].pan.finish()
    strips[bus].panning.set(Self.lanes(lawGains(slice, bus, target)))
  }

  @_noLocks
  private static func lanes(_ gains: SIMD4<Float>) -> SIMD16<Float> {
    SIMD16(lowHalf: SIMD8(lowHalf: gains, highHalf: .zero), highHalf: .zero)
  }

  /// The gains of the pan at the next frame.
  @_noLocks
  private func panGains(_ slice: Slice, _ bus: Int, _ target: Slice) -> SIMD4<Float> {
    strips[bus].pan.isMoving
      ? lawGains(slice, bus, target) : strips[bus].panning.values.lowHalf.lowHalf
  }

  /// The gains for the value of the pan.
  @_noLocks
  private func lawGains(_ slice: Slice, _ bus: Int, _ target: Slice) -> SIMD4<Float> {
    let pan = strips[bus].pan.value
    if strips[bus].panned != pan {
      strips[bus].panned = pan
      strips[bus].gains = StereoPan.gains(
        pan, inputs: slice.channelCount, outputs: target.channelCount)
    }
    return strips[bus].gains
  }

  /// Applies the output volume if it is not part of the gains.
  @_noLocks
  private mutating func scale(_ target: Slice) {
    var frame = 0
    while frame < target.frameCount {
      var piece = target.frameCount - frame
      var isCurved = output.isFading
      if case .cubic = law, output.isMoving { isCurved = true }
      if isCurved {
        piece = min(piece, Self.curveFrames)
        output.write(into: curves, piece)
        for index in 0..<piece { curves[index] = gain(curves[index]) }
        for channel in 0..<target.channelCount {
          LinkedLevel.scale(target[channel] + frame, by: curves, count: piece)
        }
      } else {
        if output.isMoving { piece = min(piece, output.framesRemaining) }
        let start = gain(output.value)
        output.advance(piece)
        let step = (gain(output.value) - start) / Float(piece)
        for channel in 0..<target.channelCount {
          MixKernel.scale(target[channel] + frame, count: piece, gain: start, step: step)
        }
      }
      frame += piece
    }
  }
}
