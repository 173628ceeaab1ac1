// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The place and orientation of a listener, and where sources are for the listener.
struct Listener {
  var position = SIMD3<Float>.zero
  /// The directions to the front and to the top, as the program set them.
  private(set) var front = SIMD3<Float>(0, 0, -1)
  private(set) var top = SIMD3<Float>(0, 1, 0)
  /// The same as an orthonormal basis.
  private var forward = SIMD3<Float>(0, 0, -1)
  private var up = SIMD3<Float>(0, 1, 0)
  private var right = SIMD3<Float>(1, 0, 0)

  init() {}

  /// Turns the listener; false if the two vectors do not determine an orientation.
  mutating func turn(front: SIMD3<Float>, top: SIMD3<Float>) -> Bool {
    let forward = Self.unit(front)
    let side = Self.cross(forward, Self.unit(top))
    let length = Self.dot(side, side)
    guard length > 1e-9, length.isFinite else { return false }
    let right = Self.unit(side)
    (self.front, self.top) = (front, top)
    (self.forward, self.right, up) = (forward, right, Self.cross(right, forward))
    return true
  }

  /// Turns the listener by angles in degrees: to the right, up, and tilted to the right.
  mutating func turn(yaw: Float, pitch: Float, roll: Float) -> Bool {
    let (level, side) = Self.level(yaw)
    let (p, r) = (pitch * .pi / 180, roll * .pi / 180)
    let forward = level * cosf(p) + SIMD3(0, sinf(p), 0)
    let up = SIMD3(0, cosf(p), 0) - level * sinf(p)
    return turn(front: forward, top: up * cosf(r) + side * sinf(r))
  }

  /// The angles in degrees.
  var angles: AVAudio3DAngularOrientation {
    let flat = Self.length(forward.x, forward.z)
    // Who looks straight up or down faces where the top of the head, or the chin, points.
    let level = flat > 1e-6 ? forward : up * (forward.y > 0 ? -1 : 1)
    let yaw = atan2f(level.x, -level.z)
    let pitch = atan2f(forward.y, flat)
    let (front, side) = Self.level(yaw * 180 / .pi)
    let upright = SIMD3(0, cosf(pitch), 0) - front * sinf(pitch)
    let roll = atan2f(Self.dot(up, side), Self.dot(up, upright))
    return AVAudio3DAngularOrientation(
      yaw: yaw * 180 / .pi, pitch: pitch * 180 / .pi, roll: roll * 180 / .pi)
  }

  /// Where a point is: degrees to the right, degrees upwards, metres.
  func direction(of point: SIMD3<Float>) -> (azimuth: Float, elevation: Float, distance: Float) {
    let way = point - position
    let distance = Self.dot(way, way).squareRoot()
    guard distance > 0, distance.isFinite else { return (0, 0, distance > 0 ? 10_000 : 0) }
    let (ahead, aside, above) = (
      Self.dot(way, forward), Self.dot(way, right), Self.dot(way, up)
    )
    return (
      atan2f(aside, ahead) * 180 / .pi, atan2f(above, Self.length(ahead, aside)) * 180 / .pi,
      min(distance, 10_000)
    )
  }

  /// The length of a vector. Not by `hypotf`, whose newest version ties the library to newer systems.
  private static func length(_ x: Float, _ y: Float) -> Float {
    Float((Double(x) * Double(x) + Double(y) * Double(y)).squareRoot())
  }

  /// The front and the right of a level head.
  private static func level(_ yaw: Float) -> (front: SIMD3<Float>, side: SIMD3<Float>) {
    let angle = yaw * .pi / 180
    return (SIMD3(sinf(angle), 0, -cosf(angle)), SIMD3(cosf(angle), 0, sinf(angle)))
  }

  private static func dot(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { (a * b).sum() }

  private static func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// The direction of a vector; NaN if it has none.
  private static func unit(_ vector: SIMD3<Float>) -> SIMD3<Float> {
    // Scaled first, so that the squares of large and small numbers are numbers.
    let size = max(abs(vector.x), abs(vector.y), abs(vector.z))
    let scaled = vector / size
    return scaled / dot(scaled, scaled).squareRoot()
  }
}
