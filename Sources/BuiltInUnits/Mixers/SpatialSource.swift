// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// Renders one input of a 3D mixer to the speakers or to the ears.
///
/// Every gain is a lane of one vector, which moves to its target (`FadeLanes`): eight outputs, the head
/// models, stereo that passes through, the attenuation by obstacles, and the send to the room. So
/// every routing can fade into every other. Plain memory; its owner deallocates it.
struct SpatialSource: BitwiseCopyable {
  private typealias Lanes = SIMD16<Float>
  private enum Lane {
    static var stereo: Int { @_noLocks get { 8 } }
    static var sphere: Int { @_noLocks get { 9 } }
    static var measured: Int { @_noLocks get { 10 } }
    /// The gains above 5 kHz of the direct sound and of the send to the room.
    static var directHigh: Int { @_noLocks get { 11 } }
    static var room: Int { @_noLocks get { 12 } }
    static var roomHigh: Int { @_noLocks get { 13 } }
    /// The gain of the input, for its meter.
    static var gain: Int { @_noLocks get { 14 } }
  }

  /// The length of a piece that is rendered through scratch memory, in frames.
  static var pieceFrames: Int { @_noLocks get { BinauralRenderer.pieceFrames } }
  /// Interaural delays move over this many fade lengths. Programs turn sources at most about a
  /// hundred times a second; delays that stopped in between would make the pitch waver.
  private static var turnFades: Int { @_noLocks get { 4 } }
  /// Frames over which the movement of a direction is approximated as linear.
  private static var moveFrames: Int { @_noLocks get { 16 } }

  /// Few pieces, because each costs a call of the head model.
  private var gains = FadeLanes(pieces: 30)
  private var settings = SpatialSettings()
  private var routing = SpatialSettings.Routing.equalPower
  private(set) var isSet = false
  private var silentFrames = 0
  private var lowPass: Float = 0
  /// For a ramping position: its value at the next frame, its change per frame, and the frames
  /// until the target is updated. These count from the ramp's beginning, not from a slice's.
  private var ramp = (position: SIMD4<Float>.zero, steps: SIMD4<Float>.zero, frames: 0)
  private var isRamping = false
  private var binaural: BinauralRenderer

  /// [control thread]
  init(_ head: SphericalHead, sampleRate: Double, delay: EarDelay) {
    binaural = BinauralRenderer(head, sampleRate: sampleRate, delay: delay)
  }

  /// [control thread] Frees the memory; nothing may use it afterwards.
  func deallocate() { binaural.deallocate() }

  /// [render thread] Clears the signal history; the next settings apply without a fade.
  @_noLocks
  mutating func reset() {
    isSet = false
    gains.set(.zero)
    isRamping = false
    lowPass = 0
    binaural.reset()
  }

  /// The values that the inputs of a mixer share.
  struct Context: BitwiseCopyable {
    var speakers: SpeakerRing
    /// The length of the fade after an immediate change, in frames.
    var fade: Int
    /// The coefficient of the low-pass filter for obstacles.
    var lowPassFactor: Float
    /// Memory for `pieceFrames` samples, twice.
    var scratch: UnsafeMutablePointer<Float>
    /// The sum of the sends to the room in this slice.
    var room: UnsafeMutablePointer<Float>
  }

  /// [render thread] Adds a slice to `output`. `steps` is the change of the position per frame.
  @_noLocks
  mutating func render(
    _ input: Slice, to output: Slice, _ new: SpatialSettings, steps: SIMD4<Float>,
    _ context: Context
  ) {
    apply(new, steps, input, output, context)
    var frame = 0
    while frame < input.frameCount {
      if isRamping { updateRampTarget(input, output, context) }
      var piece = run(of: input.frameCount - frame)
      if needsScratch(input.channelCount) { piece = min(piece, Self.pieceFrames) }
      if isActive(Lane.sphere) { piece = binaural.run(.sphere, of: piece) }
      if isActive(Lane.measured) { piece = binaural.run(.measured, of: piece) }
      add(input, frame, piece, to: output, context)
      advance(piece)
      frame += piece
    }
  }

  /// Applies the settings of a slice. A ramp from the previous slice continues.
  @_noLocks
  private mutating func apply(
    _ new: SpatialSettings, _ steps: SIMD4<Float>, _ input: Slice, _ output: Slice,
    _ context: Context
  ) {
    let newRouting = new.routing(from: input.channelCount, to: output.channelCount)
    let ramps = steps.x != 0 || steps.y != 0 || steps.z != 0 || steps.w != 0
    let isOther = newRouting.index != routing.index
    let (wasSet, wasRamping, old) = (isSet, isRamping, settings)
    // A source that is switched on again fades in.
    let wasOff = !wasSet && old.isOn == 0
    (settings, routing, isSet, isRamping) = (new, newRouting, true, ramps)
    guard ramps else {
      if !wasSet {
        jump(input, output, context)
        if wasOff { fadeIn(within: context.fade) }
      } else if isOther || new.differs(from: old) {
        move(input, output, context, within: context.fade, turning: Self.turnFades * context.fade)
      }
      return
    }
    var same = old
    same.position = new.position
    ramp.steps = steps
    let continuesRamp =
      wasSet && wasRamping && !isOther && !new.differs(from: same)
      && Self.isNear(new.position, ramp.position)
    ramp.position = new.position
    if continuesRamp {
      settings.position = old.position
    } else {
      jump(input, output, context)
      ramp.frames = 0
    }
  }

  /// Whether two positions are equal except for rounding.
  @_noLocks
  private static func isNear(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Bool {
    for lane in 0..<4 {
      guard (one[lane] - other[lane]).magnitude <= 0.01 + 1e-4 * one[lane].magnitude else {
        return false
      }
    }
    return true
  }

  /// Moves linearly to the position that a ramp will soon reach.
  @_noLocks
  private mutating func updateRampTarget(_ input: Slice, _ output: Slice, _ context: Context) {
    guard ramp.frames == 0 else { return }
    // Computing a head's filters takes longer than computing gains.
    let frames = isActive(Lane.measured) ? Self.pieceFrames : Self.moveFrames
    settings.position = ramp.position + ramp.steps * Float(frames)
    turn(within: frames)
    gains.ramp(to: lanes(input.channelCount, output.channelCount, context), within: frames)
    ramp.frames = frames
  }

  /// How many of the next `count` frames can be rendered with linear gains.
  @_noLocks
  private func run(of count: Int) -> Int {
    gains.run(of: isRamping ? min(count, ramp.frames) : count)
  }

  /// [render thread] Counts `frames` of a silent input; returns whether its tail has ended. An
  /// input that is off counts its frames in `advance` instead, after it has faded out.
  @_noLocks
  mutating func hasDecayed(_ frames: Int, after tail: Int) -> Bool {
    guard silentFrames >= tail else {
      silentFrames += frames
      return false
    }
    if isSet { reset() }
    return true
  }

  /// [render thread] Called when the input sounds.
  @_noLocks
  mutating func wake(after tail: Int) {
    if isSet, silentFrames >= tail { reset() }
    silentFrames = 0
  }

  /// [any thread] The gain at the next frame, and whether any of the sound is sent to the room.
  var gain: Float { @_noLocks get { value[Lane.gain] } }
  var fillsRoom: Bool { @_noLocks get { isActive(Lane.room) } }

  // MARK: Movement

  private var value: Lanes { @_noLocks get { gains.values } }
  private var target: Lanes { @_noLocks get { gains.target } }
  private var step: Lanes { @_noLocks get { gains.steps } }
  private var framesRemaining: Int { @_noLocks get { gains.framesRemaining } }

  /// Whether the gain of a lane is not constantly zero.
  @_noLocks
  private func isActive(_ lane: Int) -> Bool {
    target[lane] != 0 || framesRemaining > 0 && (step[lane] != 0 || value[lane] != 0)
  }

  /// Whether a head model runs.
  @_noLocks
  private func isActive(_ model: BinauralRenderer.Model) -> Bool {
    switch model {
    case .none: false
    case .sphere: isActive(Lane.sphere)
    case .measured: isActive(Lane.measured)
    }
  }

  /// Jumps to the targets of the settings.
  @_noLocks
  private mutating func jump(_ input: Slice, _ output: Slice, _ context: Context) {
    let ears = settings.binauralSetup(routing)
    if !isActive(ears.model) { binaural.begin(ears) }
    gains.set(lanes(input.channelCount, output.channelCount, context))
  }

  /// Fades in from silence at the current position.
  @_noLocks
  private mutating func fadeIn(within frames: Int) {
    let target = target
    var silence = Lanes.zero
    silence[Lane.directHigh] = target[Lane.directHigh]
    silence[Lane.roomHigh] = target[Lane.roomHigh]
    gains.set(silence)
    gains.move(to: target, within: frames)
  }

  /// Moves the gains to the settings within `frames`, and the direction within `turning` frames.
  @_noLocks
  private mutating func move(
    _ input: Slice, _ output: Slice, _ context: Context, within frames: Int, turning: Int
  ) {
    turn(within: turning)
    gains.move(to: lanes(input.channelCount, output.channelCount, context), within: frames)
  }

  /// Moves the direction to that of the settings.
  @_noLocks
  private mutating func turn(within frames: Int) {
    let ears = settings.binauralSetup(routing)
    if isActive(ears.model) { binaural.move(ears, within: frames) } else { binaural.begin(ears) }
  }

  @_noLocks
  private mutating func advance(_ frames: Int) {
    if isRamping {
      ramp.position += ramp.steps * Float(frames)
      ramp.frames -= frames
    }
    if settings.isOn == 0, framesRemaining == 0 { silentFrames += frames }
    guard framesRemaining > 0 else { return }
    gains.advance(by: frames)
    guard framesRemaining == 0 else { return }
    // Stereo that passes through is not in the history.
    if target[Lane.stereo] != 0 { binaural.reset() }
  }

  /// The gains for the settings.
  @_noLocks
  private func lanes(_ channels: Int, _ outputs: Int, _ context: Context) -> Lanes {
    var lanes = Lanes.zero
    let whole = settings.gain(isPlaced: !routing.isPassThrough)
    let blend = settings.blend()
    let gain = routing.isPassThrough ? whole : whole * blend.direct
    let (azimuth, elevation) = (settings.position.x, min(max(settings.position.y, -90), 90))
    switch routing {
    case .passThrough where channels == 2:
      lanes[Lane.stereo] = gain
    case .passThrough:
      // A mono source that is not placed is in the middle.
      lanes[0] = outputs == 1 ? gain : gain * 0.70710678
      lanes[1] = lanes[0]
    case .equalPower:
      lanes.lowHalf = context.speakers.equalPower(azimuth: azimuth, elevation: elevation) * gain
    case .vectorBased:
      lanes.lowHalf = context.speakers.vectorBased(azimuth: azimuth, elevation: elevation) * gain
    case .sphere:
      lanes[Lane.sphere] = gain
    case .head, .fineHead:
      lanes[Lane.measured] = gain
    }
    let high = settings.highFrequencyGains()
    (lanes[Lane.directHigh], lanes[Lane.roomHigh]) = (high.direct, high.room)
    // A source that is not placed is not sent to the room.
    if !routing.isPassThrough { lanes[Lane.room] = whole * blend.room }
    lanes[Lane.gain] = whole
    return lanes
  }

  // MARK: Sound

  /// Whether an obstacle attenuates the sound, or its attenuation is still fading.
  private var isObstructed: Bool {
    @_noLocks get {
      let value = value
      return target[Lane.directHigh] != 1 || value[Lane.directHigh] != 1
        || target[Lane.roomHigh] != 1 || value[Lane.roomHigh] != 1
    }
  }

  /// Whether samples pass through scratch memory.
  @_noLocks
  private func needsScratch(_ channels: Int) -> Bool {
    if isActive(Lane.sphere) || isActive(Lane.measured) { return true }
    return channels == 2 && (!routing.isPassThrough || framesRemaining > 0) || isObstructed
  }

  @_noLocks
  private mutating func add(
    _ input: Slice, _ frame: Int, _ count: Int, to output: Slice, _ context: Context
  ) {
    let (value, step) = (value, step)
    if isActive(Lane.stereo) {
      passThrough(input, frame, count, to: output, value[Lane.stereo], step[Lane.stereo])
      // More is to be done only while another routing fades out.
      if step[Lane.stereo] == 0 { return }
    }
    var samples = UnsafePointer(input[0] + frame)
    if input.channelCount == 2 {
      let mean = context.scratch
      for index in 0..<count {
        mean[index] = (input[0][frame + index] + input[1][frame + index]) * 0.5
      }
      samples = UnsafePointer(mean)
    }
    if isObstructed {
      let filtered = context.scratch + Self.pieceFrames
      applyObstruction(
        samples, to: filtered, room: context.room + frame, count, value, step,
        context.lowPassFactor)
      samples = UnsafePointer(filtered)
    } else if fillsRoom {
      MixKernel.add(
        samples, to: context.room + frame, count: count, gain: value[Lane.room],
        step: step[Lane.room])
    }
    for channel in 0..<output.channelCount where value[channel] != 0 || step[channel] != 0 {
      MixKernel.add(
        samples, to: output[channel] + frame, count: count, gain: value[channel],
        step: step[channel])
    }
    guard output.channelCount == 2 else { return }
    addBinaural(samples, frame, count, to: output, value, step)
  }

  /// Adds the output of the running head models; if there is none, only stores the samples.
  @_noLocks
  private mutating func addBinaural(
    _ samples: UnsafePointer<Float>, _ frame: Int, _ count: Int, to output: Slice, _ value: Lanes,
    _ step: Lanes
  ) {
    guard isActive(Lane.sphere) || isActive(Lane.measured) else {
      return binaural.store(samples, count)
    }
    let (left, right) = (output[0] + frame, output[1] + frame)
    binaural.append(samples, count)
    if isActive(Lane.sphere) {
      binaural.render(
        .sphere, to: left, right, count, gain: value[Lane.sphere], gainStep: step[Lane.sphere])
    }
    if isActive(Lane.measured) {
      binaural.render(
        .measured, to: left, right, count, gain: value[Lane.measured],
        gainStep: step[Lane.measured])
    }
    binaural.advance(count)
  }

  /// Adds a stereo source: its channels to the first two outputs, or their mean to a mono output.
  @_noLocks
  private func passThrough(
    _ input: Slice, _ frame: Int, _ count: Int, to output: Slice, _ gain: Float, _ step: Float
  ) {
    for channel in 0..<2 {
      let isMono = output.channelCount == 1
      let side: Float = isMono ? 0.5 : 1
      MixKernel.add(
        input[channel] + frame, to: output[isMono ? 0 : channel] + frame, count: count,
        gain: gain * side, step: step * side)
    }
  }

  /// A first-order shelf: attenuates the sound above 5 kHz, with different gains for the direct
  /// sound and for the send to the room.
  @_noLocks
  private mutating func applyObstruction(
    _ samples: UnsafePointer<Float>, to filtered: UnsafeMutablePointer<Float>,
    room: UnsafeMutablePointer<Float>, _ count: Int, _ value: Lanes, _ step: Lanes, _ factor: Float
  ) {
    var state = lowPass
    let fillsRoom = fillsRoom
    for index in 0..<count {
      let change = (samples[index] - state) * factor
      let low = state + change
      state = low + change
      let (high, frame) = (samples[index] - low, Float(index))
      filtered[index] = low + high * (value[Lane.directHigh] + step[Lane.directHigh] * frame)
      guard fillsRoom else { continue }
      let through = low + high * (value[Lane.roomHigh] + step[Lane.roomHigh] * frame)
      room[index] += through * (value[Lane.room] + step[Lane.room] * frame)
    }
    // NaN would stay in the filter for ever.
    lowPass = state.magnitude <= Samples.loudest ? state : 0
  }
}
