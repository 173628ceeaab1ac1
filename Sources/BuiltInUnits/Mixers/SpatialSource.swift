// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// One input of a 3D mixer on its way to the speakers or to the ears.
///
/// Everything that can move is a lane of one vector, which goes to its target in a straight line:
/// the gains of eight outputs, of the heads and of stereo that passes, the gains behind an
/// obstacle, and what fills the room. So every way fades into every other. Plain memory; its owner
/// deallocates it.
struct SpatialSource: BitwiseCopyable {
  private typealias Lanes = SIMD16<Float>
  private enum Lane {
    static var stereo: Int { @_noLocks get { 8 } }
    static var sphere: Int { @_noLocks get { 9 } }
    static var measured: Int { @_noLocks get { 10 } }
    static var shade: Int { @_noLocks get { 11 } }
    static var room: Int { @_noLocks get { 12 } }
    static var roomShade: Int { @_noLocks get { 13 } }
    /// What a meter says of the input: its gain.
    static var gain: Int { @_noLocks get { 14 } }
  }

  /// Frames that are taken at once: scratch memory holds as many.
  static var pieceFrames: Int { @_noLocks get { SpatialEars.pieceFrames } }
  /// For how many times as long as a fade takes the delays between the ears move: programs turn
  /// sources a hundred times a second or less, and delays that stood still between would waver.
  private static var turnFades: Int { @_noLocks get { 4 } }
  /// Frames in which a moving direction is taken as a straight line.
  private static var moveFrames: Int { @_noLocks get { 16 } }

  private var target = Lanes.zero
  private var step = Lanes.zero
  private var framesRemaining = 0
  private var settings = SpatialSettings()
  private var way = SpatialSettings.Way.equalPower
  private(set) var isSet = false
  private var silentFrames = 0
  private var lowPass: Float = 0
  /// Of a place that ramps: where the next frame is, how it changes, and frames until it is looked
  /// at again. These count from the ramp's beginning and not from a slice's.
  private var ramp = (place: SIMD4<Float>.zero, steps: SIMD4<Float>.zero, frames: 0)
  private var isRamping = false
  private var ears: SpatialEars

  /// [control thread]
  init(_ head: SphericalHead, sampleRate: Double, delay: EarDelay) {
    ears = SpatialEars(head, sampleRate: sampleRate, delay: delay)
  }

  /// [control thread] Frees the memory; nothing may use it any more.
  func deallocate() { ears.deallocate() }

  /// [render thread] Forgets the signal; the next settings hold at once.
  @_noLocks
  mutating func reset() {
    isSet = false
    (target, step, framesRemaining) = (.zero, .zero, 0)
    isRamping = false
    lowPass = 0
    ears.forget()
  }

  /// What an input shares with the others of its mixer.
  struct Surroundings: BitwiseCopyable {
    var speakers: SpeakerRing
    /// Frames that a change at once takes.
    var fade: Int
    /// How fast the low-pass filter of obstacles follows.
    var shadeFactor: Float
    /// Memory for `pieceFrames` samples, twice.
    var scratch: UnsafeMutablePointer<Float>
    /// What fills the room, summed up for a slice.
    var room: UnsafeMutablePointer<Float>
  }

  /// [render thread] Adds a slice to `output`. `steps` is how the place changes per frame.
  @_noLocks
  mutating func render(
    _ input: Slice, to output: Slice, _ new: SpatialSettings, steps: SIMD4<Float>,
    _ around: Surroundings
  ) {
    adopt(new, steps, input, output, around)
    var frame = 0
    while frame < input.frameCount {
      if isRamping { aim(input, output, around) }
      var piece = run(of: input.frameCount - frame)
      if needsScratch(input.channelCount) { piece = min(piece, Self.pieceFrames) }
      if isHeard(Lane.sphere) { piece = ears.run(.sphere, of: piece) }
      if isHeard(Lane.measured) { piece = ears.run(.measured, of: piece) }
      add(input, frame, piece, to: output, around)
      pass(piece)
      frame += piece
    }
  }

  /// Adopts what holds from now on: a place that ramps is where the ramp is, and continues with it.
  @_noLocks
  private mutating func adopt(
    _ new: SpatialSettings, _ steps: SIMD4<Float>, _ input: Slice, _ output: Slice,
    _ around: Surroundings
  ) {
    let newWay = new.way(from: input.channelCount, to: output.channelCount)
    let ramps = steps.x != 0 || steps.y != 0 || steps.z != 0 || steps.w != 0
    let isOther = newWay.number != way.number
    let (wasSet, wasRamping, old) = (isSet, isRamping, settings)
    // One that comes on again fades in, however long ago it has faded out.
    let wasOff = !wasSet && old.isOn == 0
    (settings, way, isSet, isRamping) = (new, newWay, true, ramps)
    guard ramps else {
      if !wasSet {
        jump(input, output, around)
        if wasOff { fadeIn(within: around.fade) }
      } else if isOther || new.differs(from: old) {
        move(input, output, around, within: around.fade, turning: Self.turnFades * around.fade)
      }
      return
    }
    var same = old
    same.place = new.place
    ramp.steps = steps
    let goesOn =
      wasSet && wasRamping && !isOther && !new.differs(from: same)
      && Self.isNear(new.place, ramp.place)
    ramp.place = new.place
    if goesOn {
      settings.place = old.place
    } else {
      jump(input, output, around)
      ramp.frames = 0
    }
  }

  /// Whether two places are one but for rounding.
  @_noLocks
  private static func isNear(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Bool {
    for lane in 0..<4 {
      guard (one[lane] - other[lane]).magnitude <= 0.01 + 1e-4 * one[lane].magnitude else {
        return false
      }
    }
    return true
  }

  /// Goes on in a straight line to where a ramp will be in a moment.
  @_noLocks
  private mutating func aim(_ input: Slice, _ output: Slice, _ around: Surroundings) {
    guard ramp.frames == 0 else { return }
    // A head's filters take longer to work out than gains do.
    let frames = isHeard(Lane.measured) ? Self.pieceFrames : Self.moveFrames
    settings.place = ramp.place + ramp.steps * Float(frames)
    move(input, output, around, within: frames, turning: frames)
    ramp.frames = frames
  }

  /// Frames of the `count` next ones in which everything goes in a straight line.
  @_noLocks
  private func run(of count: Int) -> Int {
    var run = count
    if isRamping { run = min(run, ramp.frames) }
    if framesRemaining > 0 { run = min(run, framesRemaining) }
    return run
  }

  /// [render thread] Whether a silent input has nothing left to sound; what holds for it later then
  /// holds at once. One that is off counts its own frames, from the one on at which it has faded
  /// out.
  @_noLocks
  mutating func isQuiet(_ frames: Int, after tail: Int) -> Bool {
    guard silentFrames >= tail else {
      silentFrames += frames
      return false
    }
    if isSet { reset() }
    return true
  }

  /// [render thread] The input sounds.
  @_noLocks
  mutating func wake(after tail: Int) {
    if isSet, silentFrames >= tail { reset() }
    silentFrames = 0
  }

  /// [any thread] The gain at the next frame, and whether anything of it fills the room.
  var gain: Float { @_noLocks get { value[Lane.gain] } }
  var fillsRoom: Bool { @_noLocks get { isHeard(Lane.room) } }

  // MARK: Movement

  private var value: Lanes { @_noLocks get { target - step * Float(framesRemaining) } }

  @_noLocks
  private func isHeard(_ lane: Int) -> Bool { target[lane] != 0 || step[lane] != 0 }

  /// Whether it is heard with a head.
  @_noLocks
  private func isHeard(_ model: SpatialEars.Model) -> Bool {
    switch model {
    case .none: false
    case .sphere: isHeard(Lane.sphere)
    case .measured: isHeard(Lane.measured)
    }
  }

  /// Is at once where the settings say.
  @_noLocks
  private mutating func jump(_ input: Slice, _ output: Slice, _ around: Surroundings) {
    let aim = settings.aim(way)
    if !isHeard(aim.model) { ears.begin(aim) }
    target = lanes(input.channelCount, output.channelCount, around)
    (step, framesRemaining) = (.zero, 0)
  }

  /// Begins with silence where it is.
  @_noLocks
  private mutating func fadeIn(within frames: Int) {
    var silence = Lanes.zero
    (silence[Lane.shade], silence[Lane.roomShade]) = (target[Lane.shade], target[Lane.roomShade])
    step = (target - silence) / Float(frames)
    framesRemaining = frames
  }

  /// Goes there within some frames, and turns to its new direction within others.
  @_noLocks
  private mutating func move(
    _ input: Slice, _ output: Slice, _ around: Surroundings, within frames: Int, turning: Int
  ) {
    let aim = settings.aim(way)
    if isHeard(aim.model) { ears.move(aim, within: turning) } else { ears.begin(aim) }
    let new = lanes(input.channelCount, output.channelCount, around)
    step = (new - value) / Float(frames)
    target = new
    framesRemaining = frames
  }

  @_noLocks
  private mutating func pass(_ frames: Int) {
    if isRamping {
      ramp.place += ramp.steps * Float(frames)
      ramp.frames -= frames
    }
    if settings.isOn == 0, framesRemaining == 0 { silentFrames += frames }
    guard framesRemaining > 0 else { return }
    framesRemaining -= min(frames, framesRemaining)
    guard framesRemaining == 0 else { return }
    step = .zero
    // Stereo that passes is not remembered.
    if target[Lane.stereo] != 0 { ears.forget() }
  }

  /// What the settings mean for the sound.
  @_noLocks
  private func lanes(_ channels: Int, _ outputs: Int, _ around: Surroundings) -> Lanes {
    var lanes = Lanes.zero
    let whole = settings.gain(isPlaced: !way.passes)
    let blend = settings.blend()
    let gain = way.passes ? whole : whole * blend.direct
    let (azimuth, elevation) = (settings.place.x, min(max(settings.place.y, -90), 90))
    switch way {
    case .passThrough where channels == 2:
      lanes[Lane.stereo] = gain
    case .passThrough:
      // A mono source in the middle, where nothing places it.
      lanes[0] = outputs == 1 ? gain : gain * 0.70710678
      lanes[1] = lanes[0]
    case .equalPower:
      lanes.lowHalf = around.speakers.equalPower(azimuth: azimuth, elevation: elevation) * gain
    case .vectorBased:
      lanes.lowHalf = around.speakers.vectorBased(azimuth: azimuth, elevation: elevation) * gain
    case .sphere:
      lanes[Lane.sphere] = gain
    case .head, .fineHead:
      lanes[Lane.measured] = gain
    }
    let shades = settings.shades()
    lanes[Lane.shade] = shades.direct
    lanes[Lane.roomShade] = shades.room
    // What is not placed is in no room.
    if !way.passes { lanes[Lane.room] = whole * blend.room }
    lanes[Lane.gain] = whole
    return lanes
  }

  // MARK: Sound

  /// Whether an obstacle is in the way, or was a moment ago.
  private var isShaded: Bool {
    @_noLocks get {
      target[Lane.shade] != 1 || step[Lane.shade] != 0 || target[Lane.roomShade] != 1
        || step[Lane.roomShade] != 0
    }
  }

  /// Whether samples pass through memory of `pieceFrames`: a mean, a shade or the ears.
  @_noLocks
  private func needsScratch(_ channels: Int) -> Bool {
    if isHeard(Lane.sphere) || isHeard(Lane.measured) { return true }
    return channels == 2 && (!way.passes || framesRemaining > 0) || isShaded
  }

  @_noLocks
  private mutating func add(
    _ input: Slice, _ frame: Int, _ count: Int, to output: Slice, _ around: Surroundings
  ) {
    let (value, step) = (value, step)
    if isHeard(Lane.stereo) {
      passThrough(input, frame, count, to: output, value[Lane.stereo], step[Lane.stereo])
      // Only for as long as another way fades is there more to do.
      if step[Lane.stereo] == 0 { return }
    }
    var samples = UnsafePointer(input[0] + frame)
    if input.channelCount == 2 {
      let mean = around.scratch
      for index in 0..<count {
        mean[index] = (input[0][frame + index] + input[1][frame + index]) * 0.5
      }
      samples = UnsafePointer(mean)
    }
    if isShaded {
      let shaded = around.scratch + Self.pieceFrames
      shade(samples, to: shaded, room: around.room + frame, count, value, step, around.shadeFactor)
      samples = UnsafePointer(shaded)
    } else if fillsRoom {
      MixKernel.add(
        samples, to: around.room + frame, count: count, gain: value[Lane.room],
        step: step[Lane.room])
    }
    for channel in 0..<output.channelCount where value[channel] != 0 || step[channel] != 0 {
      MixKernel.add(
        samples, to: output[channel] + frame, count: count, gain: value[channel],
        step: step[channel])
    }
    guard output.channelCount == 2 else { return }
    listen(samples, frame, count, to: output, value, step)
  }

  /// Both ears, where they hear; else what they would need to begin.
  @_noLocks
  private mutating func listen(
    _ samples: UnsafePointer<Float>, _ frame: Int, _ count: Int, to output: Slice, _ value: Lanes,
    _ step: Lanes
  ) {
    guard isHeard(Lane.sphere) || isHeard(Lane.measured) else {
      return ears.remember(samples, count)
    }
    let (left, right) = (output[0] + frame, output[1] + frame)
    ears.append(samples, count)
    if isHeard(Lane.sphere) {
      ears.render(
        .sphere, to: left, right, count, gain: value[Lane.sphere], gainStep: step[Lane.sphere])
    }
    if isHeard(Lane.measured) {
      ears.render(
        .measured, to: left, right, count, gain: value[Lane.measured],
        gainStep: step[Lane.measured])
    }
    ears.pass(count)
  }

  /// A stereo source: its channels to the first two outputs, or their mean to the only one.
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

  /// A first-order shelf: all of what a low-pass filter at 5 kHz passes, less of the rest; another
  /// share of that for the room.
  @_noLocks
  private mutating func shade(
    _ samples: UnsafePointer<Float>, to shaded: UnsafeMutablePointer<Float>,
    room: UnsafeMutablePointer<Float>, _ count: Int, _ value: Lanes, _ step: Lanes, _ factor: Float
  ) {
    var held = lowPass
    let fillsRoom = fillsRoom
    for index in 0..<count {
      let change = (samples[index] - held) * factor
      let low = held + change
      held = low + change
      let (high, frame) = (samples[index] - low, Float(index))
      shaded[index] = low + high * (value[Lane.shade] + step[Lane.shade] * frame)
      guard fillsRoom else { continue }
      let through = low + high * (value[Lane.roomShade] + step[Lane.roomShade] * frame)
      room[index] += through * (value[Lane.room] + step[Lane.room] * frame)
    }
    // What is not a number would stay in the filter for good.
    lowPass = held.magnitude <= Samples.loudest ? held : 0
  }
}
