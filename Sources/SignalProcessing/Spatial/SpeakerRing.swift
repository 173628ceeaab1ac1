// SPDX-License-Identifier: Apache-2.0

/// Loudspeakers around a listener, and the gains that place a sound in a direction.
///
/// Directions are degrees clockwise from the front. The gains have a total power of 1. Sound from
/// above or below is spread: the square of the sine of its elevation is the share of its power that
/// goes to all speakers equally. A low-frequency channel is silent.
///
/// Uses plain memory; the owner deallocates it.
public struct SpeakerRing: BitwiseCopyable {
  /// Gains for up to eight channels.
  public typealias Gains = SIMD8<Float>

  public let channelCount: Int
  private let memory = OwnedMemory()
  /// Speakers sorted by direction, with their channels.
  private let directions: UnsafeMutablePointer<Float>
  private let channels: UnsafeMutablePointer<Int>
  private let count: Int
  /// Gains of a diffuse sound in each channel: of its left side, and of its right side.
  public let leftShares: Gains
  public let rightShares: Gains

  /// Directions of the speakers of 1 to 8 channels; nil for a low-frequency channel. The orders are
  /// those of the layouts Mono, Stereo, 3.0 A, Quadraphonic, AudioUnit 5.0, 5.1, 6.1 and 7.1.
  public static func directions(channelCount: Int) -> [Float?] {
    switch channelCount {
    case 1: [0]
    case 2: [-30, 30]
    case 3: [-30, 30, 0]
    case 4: [-45, 45, -135, 135]
    case 5: [-30, 30, -110, 110, 0]
    case 6: [-30, 30, 0, nil, -110, 110]
    case 7: [-30, 30, 0, nil, -110, 110, 180]
    default: [-30, 30, 0, nil, -90, 90, -150, 150]
    }
  }

  /// Makes the speakers of 1 to 8 channels. [control thread]
  public init(channelCount: Int) {
    self.channelCount = channelCount
    let speakers = Self.directions(channelCount: channelCount).enumerated()
      .compactMap { channel, direction in direction.map { (channel: channel, direction: $0) } }
      .sorted { $0.direction < $1.direction }
    count = speakers.count
    directions = memory.array(speakers.map(\.direction))
    channels = memory.array(speakers.map(\.channel))
    (leftShares, rightShares) = Self.shares(speakers.map { ($0.channel, $0.direction) })
  }

  /// A side goes to the speakers on that side and, with half the weight, to those in the middle, at
  /// a total power of 1.
  private static func shares(_ speakers: [(channel: Int, direction: Float)]) -> (Gains, Gains) {
    func shares(_ side: Float) -> Gains {
      let weights = speakers.map { speaker -> Float in
        if speaker.direction == 0 || speaker.direction == 180 { return 0.5 }
        return (speaker.direction < 0) == (side < 0) ? 1 : 0
      }
      let sum = weights.reduce(0, +)
      var gains = Gains.zero
      for (speaker, weight) in zip(speakers, weights) {
        gains[speaker.channel] = Math.squareRoot(weight / sum)
      }
      return gains
    }
    return (shares(-1), shares(1))
  }

  /// Frees the memory; nothing may use the ring afterwards. [control thread]
  public func deallocate() { memory.deallocate() }

  /// Constant-power panning between the two speakers next to the direction, by its angle. Two
  /// speakers cover the whole half circle: the sine of the direction is the position between them.
  /// [any thread]
  @_noLocks
  public func equalPower(azimuth: Float, elevation: Float) -> Gains {
    var gains = Gains.zero
    if count == 2 {
      let pan = StereoPan.mono(Elementary.sine(degrees: azimuth))
      gains[channels[0]] = pan.left
      gains[channels[1]] = pan.right
    } else if count == 1 {
      gains[channels[0]] = 1
    } else {
      let pair = pair(enclosing: azimuth)
      let pan = StereoPan.mono(2 * pair.part - 1)
      gains[pair.first] = pan.left
      gains[pair.second] = pan.right
    }
    return spread(gains, elevation)
  }

  /// Vector base amplitude panning in the plane: the speakers' directions, weighted by their gains,
  /// add up to the direction. With two speakers, directions beyond them go to the nearest one, and
  /// the back mirrors the front. Any other gap of half a circle or more is panned by the angle.
  /// [any thread]
  ///
  /// Pulkki, "Virtual sound source positioning using vector base amplitude panning", J. Audio Eng.
  /// Soc. 45 (1997).
  @_noLocks
  public func vectorBased(azimuth: Float, elevation: Float) -> Gains {
    var gains = Gains.zero
    var direction = Self.wrapped(azimuth)
    var (first, second) = (0, 0)
    var (a, b): (Float, Float) = (0, 0)
    if count == 1 {
      gains[channels[0]] = 1
      return spread(gains, elevation)
    } else if count == 2 {
      let angle = direction
      direction = angle > 90 ? 180 - angle : angle < -90 ? -180 - angle : angle
      direction = min(max(direction, directions[0]), directions[1])
      (first, second) = (channels[0], channels[1])
      (a, b) = (directions[0], directions[1])
    } else {
      let pair = pair(enclosing: azimuth)
      guard pair.end - pair.start < 180 else {
        return equalPower(azimuth: azimuth, elevation: elevation)
      }
      (first, second) = (pair.first, pair.second)
      (a, b) = (pair.start, pair.end)
    }
    // The inverse of the matrix of both directions; the normalization cancels its determinant.
    let one = max(Elementary.sine(degrees: b - direction), 0)
    let other = max(Elementary.sine(degrees: direction - a), 0)
    let scale = 1 / Math.squareRoot(one * one + other * other)
    gains[first] = one * scale
    gains[second] = other * scale
    return spread(gains, elevation)
  }

  /// The speakers on both sides of a direction: their channels, directions, and the position
  /// between them.
  @_noLocks
  private func pair(enclosing azimuth: Float) -> (
    first: Int, second: Int, start: Float, end: Float, part: Float
  ) {
    let angle = Self.wrapped(azimuth)
    var index = count - 1
    for speaker in 0..<count - 1
    where angle >= directions[speaker] && angle < directions[speaker + 1] {
      index = speaker
    }
    let next = index + 1 == count ? 0 : index + 1
    let start = directions[index]
    let end = directions[next] + (next == 0 ? 360 : 0)
    let position = angle < start ? angle + 360 : angle
    return (channels[index], channels[next], start, end, (position - start) / (end - start))
  }

  @_noLocks
  private func spread(_ gains: Gains, _ elevation: Float) -> Gains {
    guard elevation != 0, count > 1 else { return gains }
    let height = Elementary.sine(degrees: elevation)
    let above = height * height
    var spread = Gains.zero
    for speaker in 0..<count {
      let gain = gains[channels[speaker]]
      spread[channels[speaker]] = Math.squareRoot(
        gain * gain * (1 - above) + above / Float(count))
    }
    return spread
  }

  /// The same direction from -180 up to 180; the front for meaningless values.
  @_noLocks
  private static func wrapped(_ azimuth: Float) -> Float {
    guard azimuth.magnitude < 1e9 else { return 0 }
    let cycles = Elementary.floor((Double(azimuth) + 180) / 360)
    return Float(Double(azimuth) - 360 * cycles)
  }
}
