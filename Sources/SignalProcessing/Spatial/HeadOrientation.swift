// SPDX-License-Identifier: Apache-2.0

/// How a head is turned, and where a sound comes from for it.
///
/// It is turned to the right by the yaw, then up by the pitch, then tilted to the right shoulder by the
/// roll; all in degrees.
public struct HeadOrientation: BitwiseCopyable, Equatable, Sendable {
  public var yaw: Float
  public var pitch: Float
  public var roll: Float

  /// A head that looks straight ahead, unless something else is said. [any thread]
  @_noLocks
  public init(yaw: Float = 0, pitch: Float = 0, roll: Float = 0) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
  }

  /// A direction in the room, degrees clockwise from the front and upwards, as the head has it: a vector
  /// of length 1 to its right, its front and its top. [any thread]
  @_noLocks
  public func turned(azimuth: Float, elevation: Float) -> SIMD3<Float> {
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
