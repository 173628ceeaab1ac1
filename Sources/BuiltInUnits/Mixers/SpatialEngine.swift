// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// The common part of the 3D mixers: the sources, the speakers or the head, the room, the meters
/// and the output gain.
///
/// Plain memory; its owner deallocates it.
struct SpatialEngine {
  /// The declarations that both mixers have in common.
  static let elements = ElementCounts(inputs: 8, outputs: 1, inputRange: 1...1024)
  static let channels: [AUChannelInfo]? = (1...8).map { .init(inChannels: -1, outChannels: $0) }

  private let memory = OwnedMemory()
  private let sources: UnsafeMutablePointer<SpatialSource>
  private let count: Int
  private let context: SpatialSource.Context
  /// The tail of the head models in frames and seconds.
  private let tailFrames: Int
  private let headTime: Double
  private let earDelay: EarDelay
  private let measuredHead: SharedHead.Reader
  let meters: MeterBridge
  private var room: SpatialRoom
  /// Whether an input has sent sound to the room in this slice.
  private var isRoomFilled = false
  private var output = Fader()

  /// [control thread]
  init(_ setup: KernelSetup) {
    let rate = setup.format.sampleRate
    let sphericalHead = SphericalHead(sampleRate: rate)
    earDelay = EarDelay()
    measuredHead = SharedHead.at(rate).makeReader()
    count = setup.inputFormats.count
    let earDelay = earDelay
    sources = memory.cells(count) { _ in
      SpatialSource(sphericalHead, sampleRate: rate, delay: earDelay)
    }
    room = SpatialRoom(sampleRate: rate, maximumFrames: setup.maximumFrames)
    meters = MeterBridge(elements: count, sampleRate: rate)
    context = SpatialSource.Context(
      speakers: SpeakerRing(channelCount: setup.format.channelCount),
      fade: Fader.frames(at: rate),
      lowPassFactor: Self.lowPassFactor(at: rate),
      scratch: memory.array(2 * SpatialSource.pieceFrames, of: 0), room: room.sent)
    tailFrames = max(
      MeasuredHeadRenderer.reach(at: rate), SphericalHeadRenderer.reach(sphericalHead))
    headTime = Double(tailFrames) / rate
  }

  /// [control thread] The coefficient of a first-order low-pass filter at 5 kHz, trapezoidal form.
  private static func lowPassFactor(at sampleRate: Double) -> Float {
    let slope = Math.tangent(.pi * min(5_000 / sampleRate, 0.45))
    return Float(slope / (1 + slope))
  }

  /// [control thread] Frees the memory; nothing may use it afterwards.
  func deallocate() {
    for index in 0..<count { sources[index].deallocate() }
    earDelay.deallocate()
    measuredHead.release()
    context.speakers.deallocate()
    room.deallocate()
    meters.deallocate()
    memory.deallocate()
  }

  /// [any thread] The tail in seconds, with or without a room of some type.
  @_noLocks
  func tailTime(hasRoom: Bool, roomType: Float, filter: RoomFilter.Values) -> Double {
    hasRoom ? headTime + room.tailTime(roomType, filter) : headTime
  }

  /// [render thread] Clears the signal history.
  @_noLocks
  mutating func reset() {
    for index in 0..<count { sources[index].reset() }
    output.reset()
    room.reset()
    meters.reset()
  }

  /// [render thread] The measured head; nil if there is none or it is not computed yet.
  var presentHead: HeadResponses? { @_noLocks get { measuredHead.load() } }

  /// The unit of the gain limits.
  enum GainLimits: BitwiseCopyable { case decibels, linear }

  /// [render thread] Begins a slice.
  @_noLocks
  mutating func begin(_ target: Slice) {
    for channel in 0..<target.channelCount {
      Samples.clear(target[channel], count: target.frameCount)
    }
    Samples.clear(context.room, count: target.frameCount)
    isRoomFilled = false
  }

  /// [render thread] Adds an input with its settings; `steps` is the change per frame of its
  /// position and gain.
  @_noLocks
  mutating func add(
    _ input: Slice, _ bus: Int, _ settings: SpatialSettings, steps: SIMD4<Float>, to target: Slice,
    isMetered: Bool
  ) {
    let isOff = settings.isOn == 0
    if input.isSilent || isOff {
      let frames = isOff ? 0 : input.frameCount
      if sources[bus].hasDecayed(frames, after: tailFrames) {
        if isMetered { meters.measure(input, element: bus, from: 0, to: 0) }
        return
      }
    } else {
      sources[bus].wake(after: tailFrames)
    }
    let fillsRoom = sources[bus].fillsRoom
    let before = sources[bus].isSet ? sources[bus].gain : settings.gain(input, target)
    sources[bus].render(input, to: target, settings, steps: steps, context)
    if fillsRoom || sources[bus].fillsRoom { isRoomFilled = true }
    if isMetered { meters.measure(input, element: bus, from: before, to: sources[bus].gain) }
  }

  /// [render thread] Adds the room; its level is in decibels.
  @_noLocks
  mutating func addRoom(
    to target: Slice, type: Float, filter: RoomFilter.Values, level: Float, isOn: Bool
  ) {
    room.render(
      to: target, context.speakers, type: type, filter: filter, level: level, isOn: isOn,
      isFilled: isRoomFilled)
  }

  /// [render thread] Applies the output's gain in decibels.
  @_noLocks
  mutating func finish(_ target: Slice, gain: Float, step: Float) {
    if step == 0 {
      output.follow(
        SpatialSettings.linear(gain), step: 0, frames: target.frameCount, fade: context.fade)
      if !output.isMoving {
        guard output.value != 1 else { return }
        for channel in 0..<target.channelCount {
          MixKernel.scale(target[channel], count: target.frameCount, gain: output.value, step: 0)
        }
        return
      }
    }
    var frame = 0
    while frame < target.frameCount {
      let piece = min(target.frameCount - frame, SpatialSource.pieceFrames)
      writeGains(piece, from: gain + step * Float(frame), step: step)
      for channel in 0..<target.channelCount {
        LinkedLevel.scale(target[channel] + frame, by: context.scratch, count: piece)
      }
      frame += piece
    }
  }

  /// Writes the output gains of the next frames to the scratch memory. A ramp is linear in decibels.
  @_noLocks
  private mutating func writeGains(_ count: Int, from gain: Float, step: Float) {
    let gains = context.scratch
    guard step != 0 else { return output.write(into: gains, count) }
    for frame in 0..<count { gains[frame] = SpatialSettings.linear(gain + step * Float(frame)) }
    let end = SpatialSettings.linear(gain + step * Float(count))
    output.follow(end, step: 0, frames: count, fade: 0)
  }
}
