// SPDX-License-Identifier: Apache-2.0

/// The orientation of a listener's head, and directions relative to it.
///
/// The head turns to the right by the yaw, then up by the pitch, then tilts to the right shoulder
/// by the roll; all in degrees.
public struct HeadOrientation: BitwiseCopyable, Equatable, Sendable {
  public var yaw: Float
  public var pitch: Float
  public var roll: Float

  /// Makes an orientation; by default straight ahead. [any thread]
  @_noLocks
  public init(yaw: Float = 0, pitch: Float = 0, roll: Float = 0) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
  }

  /// The direction relative to the head of a direction in the room, which is in degrees clockwise
  /// from the front and upwards. A vector of length 1 to the head's right, front and top.
  /// [any thread]
  @_noLocks
  public func relativeDirection(azimuth: Float, elevation: Float) -> SIMD3<Float> {
    let level = Elementary.cosine(degrees: elevation)
    let x = level * Elementary.sine(degrees: azimuth - yaw)
    let ahead = level * Elementary.cosine(degrees: azimuth - yaw)
    let up = Elementary.sine(degrees: elevation)
    let (pitchSine, pitchCosine) = (
      Elementary.sine(degrees: pitch), Elementary.cosine(degrees: pitch)
    )
    let y = ahead * pitchCosine + up * pitchSine
    let z = up * pitchCosine - ahead * pitchSine
    let (rollSine, rollCosine) = (Elementary.sine(degrees: roll), Elementary.cosine(degrees: roll))
    return SIMD3(x * rollCosine - z * rollSine, y, z * rollCosine + x * rollSine)
  }
}
