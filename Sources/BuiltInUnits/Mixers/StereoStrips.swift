// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// The strips of a mixer to one output of one or two channels: a volume and a pan for each input, a
/// volume for the output, and meters for all.
///
/// Inputs pan by `StereoPan`; to a mono output a stereo input goes as the mean of its channels.
/// Gains of a host's own may stand in the place of these. Changes at once take 5 ms, so that
/// nothing clicks. Steady inputs are added four at a time. Plain memory; its owner deallocates it.
struct StereoStrips {
  /// How a volume becomes a gain.
  enum Law: BitwiseCopyable {
    case linear
    /// The third power: `kAudioUnitParameterUnit_MixerFaderCurve1`.
    case cubic
  }

  /// An input on its way into the sum.
  private struct Strip: BitwiseCopyable {
    var volume = Fader()
    var pan = Fader()
    var levels = OwnLevels()
    /// The place for which the gains were computed.
    var panned: Float = .nan
    var gains = SIMD4<Float>.zero

    @_noLocks
    init() {}

    var isMoving: Bool {
      @_noLocks get { volume.isMoving || pan.isMoving || levels.isMoving }
    }
  }

  /// What an input gives as long as nothing is said of it.
  private struct Steady: BitwiseCopyable {
    var gains = SIMD4<Float>.zero
    var volume: Float = 0
    /// Of the values that this follows from.
    var generation: UInt32 = 0
    var holds = false

    @_noLocks
    init() {}
  }

  private let memory = OwnedMemory()
  /// Edition of the values with which all of it is steady; zero: of none.
  private var steadyEdition: UInt64 = 0
  private let count: Int
  /// What steady inputs are multiplied by, channel by channel: gains, volume, and that of the
  /// output.
  private let weights: UnsafeMutablePointer<SIMD4<Float>>
  private var left: MixList
  private var right: MixList
  /// Where every input lay when the lists were filled.
  private var places: InputPlaces
  private let law: Law
  /// Frames in which a change at once is done.
  private let fade: Int
  private let strips: UnsafeMutablePointer<Strip>
  private let steady: UnsafeMutablePointer<Steady>
  private var output = Fader()
  /// Numbers of the inputs whose gains move.
  private let moving: UnsafeMutablePointer<Int>
  private var movingCount = 0
  /// Gains that do not move in straight lines, frame by frame: a row for each lane.
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
    steady = memory.array(max(count, 1), of: Steady())
    // What every slice looks at lies together: of one input, in one line of the cache.
    let weightsSize = max(count, 1) * MemoryLayout<SIMD4<Float>>.stride
    let listSize = MixList.size(2 * count)
    let lines = UnsafeMutableRawPointer(
      memory.array(weightsSize + 2 * listSize + InputPlaces.size(count), of: UInt8(0)))
    weights = lines.bindMemory(to: SIMD4<Float>.self, capacity: max(count, 1))
    weights.initialize(repeating: .zero, count: max(count, 1))
    left = MixList(capacity: 2 * count, at: lines + weightsSize)
    right = MixList(capacity: 2 * count, at: lines + weightsSize + listSize)
    places = InputPlaces(count: count, at: lines + weightsSize + 2 * listSize)
    moving = memory.array(max(count, 1), of: 0)
    curves = memory.array(4 * Self.curveFrames, of: 0)
    inputMeters = MeterBridge(elements: count, sampleRate: setup.format.sampleRate)
    outputMeters = MeterBridge(elements: 1, sampleRate: setup.format.sampleRate)
  }

  /// [control thread] Frees the memory; nothing may use it any more.
  func deallocate() {
    inputMeters.deallocate()
    outputMeters.deallocate()
    memory.deallocate()
  }

  /// [render thread] Forgets the signal; the next values hold at once.
  @_noLocks
  mutating func reset() {
    for strip in 0..<count {
      strips[strip] = Strip()
      steady[strip] = Steady()
    }
    steadyEdition = 0
    output.reset()
    inputMeters.reset()
    outputMeters.reset()
  }

  // MARK: A slice

  /// [render thread] Mixes a slice as the one before it, if nothing was said since: the edition of
  /// the values is the same, and nothing was on its way. Else false, and it is to be mixed in full.
  /// One stereo input at full volume is handed on as it is.
  @_noLocks
  mutating func mixSteady(_ inputs: BusSlices, to outputs: BusSlices, edition: UInt64) -> Bool {
    guard steadyEdition == edition else { return false }
    if count == 1, inputs[0].channelCount == 2, weights[0] == SIMD4(1, 0, 0, 1),
      !inputs[0].isSilent, inputs.lend(0, to: outputs, 0)
    {
      return true
    }
    let target = outputs[0]
    if places.follow(inputs) {
      left.removeAll()
      right.removeAll()
      for bus in 0..<count where !inputs[bus].isSilent {
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
    // A steady output volume costs nothing: it goes into the gains.
    isFolded = !output.isMoving && !isMetered
    master = isFolded ? gain(output.value) : 1
    left.removeAll()
    right.removeAll()
    places.forget()
    movingCount = 0
    isAnyInputMetered = false
  }

  /// [render thread] Adds an input as in the slice before, if nothing was said of it since: the
  /// generation of its values is the same. Else false, and it is to be added in full.
  @_noLocks
  mutating func addSteady(_ slice: Slice, _ bus: Int, _ generation: UInt32, to target: Slice)
    -> Bool
  {
    guard steady[bus].holds, steady[bus].generation == generation else { return false }
    weigh(bus)
    if !slice.isSilent { gather(slice, bus, isStereo: target.channelCount == 2) }
    return true
  }

  /// [render thread] Adds an input; volumes and their steps are on the scale of the law, pans from
  /// -1 to 1. `levels` are gains in the place of the pan's, where `hasLevels`; `generation` is that
  /// of the values.
  @_noLocks
  mutating func add(
    _ slice: Slice, _ bus: Int, to target: Slice, volume: Float, volumeStep: Float, pan: Float,
    panStep: Float, levels: SIMD4<Float> = .zero, hasLevels: Bool = false, isMetered: Bool,
    generation: UInt32
  ) {
    let frames = slice.frameCount
    let isFirst = !strips[bus].pan.isSet
    strips[bus].volume.follow(volume, step: volumeStep, frames: frames, fade: fade)
    strips[bus].pan.follow(pan, step: panStep, frames: frames, fade: fade)
    if hasLevels || strips[bus].levels.isOn {
      strips[bus].levels.follow(
        levels, isWanted: hasLevels, panned: panGains(slice, bus, target),
        fade: isFirst ? 0 : fade)
    }
    if isMetered {
      isAnyInputMetered = true
      var end = strips[bus].volume
      end.advance(frames)
      inputMeters.measure(
        slice, element: bus, from: gain(strips[bus].volume.value), to: gain(end.value))
    }
    if slice.isSilent {
      strips[bus].volume.arrive()
      strips[bus].pan.arrive()
      strips[bus].levels.arrive()
    }
    steady[bus].holds = !strips[bus].isMoving && !isMetered
    if strips[bus].isMoving {
      moving[movingCount] = bus
      movingCount += 1
      return
    }
    steady[bus].generation = generation
    steady[bus].volume = gain(strips[bus].volume.value)
    steady[bus].gains = gains(slice, bus, target)
    weigh(bus)
    if !slice.isSilent { gather(slice, bus, isStereo: target.channelCount == 2) }
  }

  /// [render thread] Ends a slice: everything that was added is in `target`.
  @_noLocks
  mutating func finish(_ inputs: BusSlices, to target: Slice, edition: UInt64) {
    let frames = target.frameCount
    steadyEdition = movingCount == 0 && isFolded && !isAnyInputMetered ? edition : 0
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

  /// Takes the volume of the output into the gains of a steady input.
  @_noLocks
  private func weigh(_ bus: Int) {
    let volume = steady[bus].volume * master
    // Of no volume nothing comes, whatever the gains.
    weights[bus] = volume == 0 ? .zero : volume * steady[bus].gains
  }

  /// Puts a steady input on the lists.
  @_noLocks
  private mutating func gather(_ slice: Slice, _ bus: Int, isStereo: Bool) {
    let weights = weights[bus]
    left.append(slice[0], weights[0])
    if isStereo { right.append(slice[0], weights[1]) }
    guard slice.channelCount == 2 else { return }
    left.append(slice[1], weights[2])
    if isStereo { right.append(slice[1], weights[3]) }
  }

  /// Adds an input whose gains move: along a straight line where that is the law, else frame by
  /// frame, so that the sound does not depend on where slices begin.
  @_noLocks
  private func addMoving(_ slice: Slice, _ bus: Int, to target: Slice) {
    var frame = 0
    while frame < slice.frameCount {
      var piece = slice.frameCount - frame
      let strip = strips[bus]
      var isStraight = !strip.pan.isMoving && !strip.levels.isMoving
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
    for index in 0..<count {
      let now = gains(slice, bus, target) * (gain(strips[bus].volume.value) * master)
      for lane in 0..<4 { curves[lane &* Self.curveFrames &+ index] = now[lane] }
      strips[bus].volume.advance(1)
      strips[bus].pan.advance(1)
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

  /// The gains of an input at a volume of 1: channel by channel to the left (or the middle) and to
  /// the right.
  @_noLocks
  private func gains(_ slice: Slice, _ bus: Int, _ target: Slice) -> SIMD4<Float> {
    strips[bus].levels.isOn ? strips[bus].levels.value : panGains(slice, bus, target)
  }

  /// Those of the place where it stands.
  @_noLocks
  private func panGains(_ slice: Slice, _ bus: Int, _ target: Slice) -> SIMD4<Float> {
    let pan = strips[bus].pan.value
    if strips[bus].panned != pan {
      strips[bus].panned = pan
      strips[bus].gains = StereoPan.gains(
        pan, inputs: slice.channelCount, outputs: target.channelCount)
    }
    return strips[bus].gains
  }

  /// Applies the output volume where it could not go into the gains.
  @_noLocks
  private mutating func scale(_ target: Slice) {
    var frame = 0
    while frame < target.frameCount {
      var piece = target.frameCount - frame
      if case .cubic = law, output.isMoving {
        piece = min(piece, Self.curveFrames)
        for index in 0..<piece {
          curves[index] = gain(output.value)
          output.advance(1)
        }
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
