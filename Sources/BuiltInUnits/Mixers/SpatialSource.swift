// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// One input of a 3D mixer on its way to the speakers or to the ears.
///
/// Everything that can move is a lane of one vector, which goes to its target in a straight line: the
/// gains of eight outputs, alpha and delay of both ears, the gains behind an obstacle, and what fills the
/// room. Plain memory; whoever made it deallocates it.
struct SpatialSource: BitwiseCopyable {
  private typealias Lanes = SIMD16<Float>
  private enum Lane {
    static var leftAlpha: Int { @_noLocks get { 8 } }
    static var rightAlpha: Int { @_noLocks get { 9 } }
    static var leftDelay: Int { @_noLocks get { 10 } }
    static var rightDelay: Int { @_noLocks get { 11 } }
    static var shade: Int { @_noLocks get { 12 } }
    static var room: Int { @_noLocks get { 13 } }
    static var roomShade: Int { @_noLocks get { 14 } }
    /// What a meter says of the input: its gain.
    static var gain: Int { @_noLocks get { 15 } }
  }

  /// Frames that are taken at once: scratch memory holds as many.
  static var pieceFrames: Int { @_noLocks get { 64 } }
  /// Frames in which a moving direction is taken as a straight line.
  private static var moveFrames: Int { @_noLocks get { 16 } }

  private var target = Lanes.zero
  private var step = Lanes.zero
  private var framesRemaining = 0
  private var settings = SpatialSettings()
  private var way = SpatialSettings.Algorithm.equalPower
  private(set) var isSet = false
  private var silentFrames = 0
  private var lowPass: Float = 0
  private var leftEar = SphericalHead.State()
  private var rightEar = SphericalHead.State()
  /// The frames before those that are rendered, for the ears' delays, and room for these.
  private let history: UnsafeMutablePointer<Float>
  private let historyFrames: Int

  /// [control thread]
  init(longestDelay: Int) {
    // The cubic reaches two frames beyond the delay, and one frame of it is its own.
    historyFrames = longestDelay + 4
    history = .allocate(capacity: historyFrames + Self.pieceFrames)
    history.initialize(repeating: 0, count: historyFrames + Self.pieceFrames)
  }

  /// [control thread] Frees the memory; nothing may use it any more.
  func deallocate() { history.deallocate() }

  /// [render thread] Forgets the signal; the next settings hold at once.
  @_noLocks
  mutating func reset() {
    isSet = false
    framesRemaining = 0
    step = .zero
    lowPass = 0
    leftEar = .init()
    rightEar = .init()
    Samples.clear(history, count: historyFrames)
  }

  /// What an input shares with the others of its mixer.
  struct Surroundings: BitwiseCopyable {
    var speakers: SpeakerRing
    var head: SphericalHead
    /// Frames that a change at once takes.
    var fade: Int
    /// How fast the low-pass filter of obstacles follows.
    var shadeFactor: Float
    /// Memory for `pieceFrames` samples, three times.
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
    let newWay = new.way(from: input.channelCount, to: output.channelCount)
    let ramps = steps.x != 0 || steps.y != 0 || steps.z != 0 || steps.w != 0
    let isOther = newWay.number != way.number
    if !isSet {
      jump(to: lanes(new, newWay, input.channelCount, around))
    } else if !ramps, isOther ? true : new.differs(from: settings) {
      move(to: lanes(new, newWay, input.channelCount, around), within: around.fade)
    }
    (settings, way, isSet) = (new, newWay, true)
    var frame = 0
    while frame < input.frameCount {
      var piece = input.frameCount - frame
      if needsScratch(input.channelCount) { piece = min(piece, Self.pieceFrames) }
      if ramps {
        piece = min(piece, Self.moveFrames)
        if frame == 0 { jump(to: lanes(settings, way, input.channelCount, around)) }
        settings.place += steps * Float(piece)
        move(to: lanes(settings, way, input.channelCount, around), within: piece)
      } else if framesRemaining > 0 {
        piece = min(piece, framesRemaining)
      }
      add(input, frame, piece, to: output, around)
      pass(piece)
      frame += piece
    }
  }

  /// [render thread] Whether a silent input has nothing left to sound; what holds for it later then
  /// holds at once.
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
  mutating func wake() { silentFrames = 0 }

  /// [any thread] The gain at the next frame, and whether anything of it fills the room.
  var gain: Float { @_noLocks get { value[Lane.gain] } }
  var fillsRoom: Bool { @_noLocks get { target[Lane.room] != 0 || step[Lane.room] != 0 } }

  // MARK: Movement

  private var value: Lanes { @_noLocks get { target - step * Float(framesRemaining) } }

  @_noLocks
  private mutating func jump(to lanes: Lanes) {
    (target, step, framesRemaining) = (lanes, .zero, 0)
  }

  @_noLocks
  private mutating func move(to lanes: Lanes, within frames: Int) {
    step = (lanes - value) / Float(frames)
    target = lanes
    framesRemaining = frames
  }

  @_noLocks
  private mutating func pass(_ frames: Int) {
    framesRemaining -= min(frames, framesRemaining)
    if framesRemaining == 0 { step = .zero }
  }

  /// What settings mean for the sound.
  @_noLocks
  private func lanes(
    _ settings: SpatialSettings, _ way: SpatialSettings.Algorithm, _ channels: Int,
    _ around: Surroundings
  ) -> Lanes {
    var lanes = Lanes.zero
    let whole = settings.gain(isPlaced: !way.passes)
    let blend = settings.blend()
    let gain = way.passes ? whole : whole * blend.direct
    let (azimuth, elevation) = (settings.place.x, min(max(settings.place.y, -90), 90))
    switch way {
    case .passThrough:
      lanes[0] = gain
      lanes[1] = gain
    case .equalPower:
      lanes.lowHalf = around.speakers.equalPower(azimuth: azimuth, elevation: elevation) * gain
    case .vectorBased:
      lanes.lowHalf = around.speakers.vectorBased(azimuth: azimuth, elevation: elevation) * gain
    case .head:
      let ears = around.head.ears(azimuth: azimuth, elevation: elevation, of: settings.head)
      lanes[0] = gain
      lanes[1] = gain
      lanes[Lane.leftAlpha] = ears.left.alpha
      lanes[Lane.rightAlpha] = ears.right.alpha
      if settings.delaysEars {
        lanes[Lane.leftDelay] = ears.left.delay
        lanes[Lane.rightDelay] = ears.right.delay
      }
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
    if case .head = way { return true }
    return channels == 2 && !way.passes || isShaded
  }

  @_noLocks
  private mutating func add(
    _ input: Slice, _ frame: Int, _ count: Int, to output: Slice, _ around: Surroundings
  ) {
    let (value, step) = (value, step)
    guard !way.passes || input.channelCount == 1 else {
      return passThrough(input, frame, count, to: output, value, step)
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
    switch way {
    case .head:
      hear(samples, frame, count, to: output, value, step, around)
    case .passThrough:
      // A mono source in the middle, where nothing places it.
      let side = output.channelCount == 1 ? 1 : Float(0.70710678)
      for channel in 0..<min(output.channelCount, 2) {
        MixKernel.add(
          samples, to: output[channel] + frame, count: count, gain: value[channel] * side,
          step: step[channel] * side)
      }
    case .equalPower, .vectorBased:
      for channel in 0..<output.channelCount where value[channel] != 0 || step[channel] != 0 {
        MixKernel.add(
          samples, to: output[channel] + frame, count: count, gain: value[channel],
          step: step[channel])
      }
    }
  }

  /// A stereo source: its channels to the first two outputs, or their mean to the only one.
  @_noLocks
  private func passThrough(
    _ input: Slice, _ frame: Int, _ count: Int, to output: Slice, _ value: Lanes, _ step: Lanes
  ) {
    for channel in 0..<2 {
      let isMono = output.channelCount == 1
      let side: Float = isMono ? 0.5 : 1
      MixKernel.add(
        input[channel] + frame, to: output[isMono ? 0 : channel] + frame, count: count,
        gain: value[channel] * side, step: step[channel] * side)
    }
  }

  /// A first-order shelf: all of what a low-pass filter at 5 kHz passes, less of the rest; another share
  /// of that for the room.
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
    lowPass = held.isFinite ? held : 0
  }

  /// Both ears, each with its delay and its shadow.
  @_noLocks
  private mutating func hear(
    _ samples: UnsafePointer<Float>, _ frame: Int, _ count: Int, to output: Slice, _ value: Lanes,
    _ step: Lanes, _ around: Surroundings
  ) {
    Samples.copy(samples, to: history + historyFrames, count: count)
    let delayed = around.scratch + 2 * Self.pieceFrames
    delay(to: delayed, count, value[Lane.leftDelay], step[Lane.leftDelay])
    leftEar.render(
      around.head, delayed, to: output[0] + frame, count: count, alpha: value[Lane.leftAlpha],
      alphaStep: step[Lane.leftAlpha], gain: value[0], gainStep: step[0])
    delay(to: delayed, count, value[Lane.rightDelay], step[Lane.rightDelay])
    rightEar.render(
      around.head, delayed, to: output[1] + frame, count: count, alpha: value[Lane.rightAlpha],
      alphaStep: step[Lane.rightAlpha], gain: value[1], gainStep: step[1])
    Samples.move(history + count, to: history, count: historyFrames)
  }

  /// Reads the history so many frames back, and one more for the frame after: Lagrange's cubic through
  /// four frames.
  @_noLocks
  private func delay(
    to delayed: UnsafeMutablePointer<Float>, _ count: Int, _ delay: Float, _ step: Float
  ) {
    let now = history + (historyFrames - 1)
    if step == 0 {
      let whole = Int(max(delay, 0))
      let w = Self.weights(max(delay, 0) - Float(whole))
      let place = now - whole
      for index in 0..<count {
        delayed[index] =
          (w.x * place[index + 1] + w.y * place[index])
          + (w.z * place[index - 1] + w.w * place[index - 2])
      }
      return
    }
    for index in 0..<count {
      let distance = max(delay + step * Float(index), 0)
      let whole = Int(distance)
      let w = Self.weights(distance - Float(whole))
      let place = now + (index - whole)
      delayed[index] = (w.x * place[1] + w.y * place[0]) + (w.z * place[-1] + w.w * place[-2])
    }
  }

  /// The weights of the frames at -1, 0, 1 and 2 for a place between 0 and 1.
  @_noLocks
  private static func weights(_ t: Float) -> SIMD4<Float> {
    SIMD4(
      t * (t - 1) * (t - 2) * (-1.0 / 6), (t + 1) * (t - 1) * (t - 2) * 0.5,
      (t + 1) * t * (t - 2) * -0.5, (t + 1) * t * (t - 1) * (1.0 / 6))
  }
}
