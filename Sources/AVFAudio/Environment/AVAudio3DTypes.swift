// SPDX-License-Identifier: Apache-2.0

/// A point in metres: x to the right, y upwards, z backwards.
public struct AVAudio3DPoint: Sendable {
  /// Metres to the right.
  public var x: Float
  /// Metres upwards.
  public var y: Float
  /// Metres backwards.
  public var z: Float

  /// The origin.
  public init() { self.init(x: 0, y: 0, z: 0) }

  /// A point of three coordinates.
  public init(x: Float, y: Float, z: Float) {
    (self.x, self.y, self.z) = (x, y, z)
  }
}

/// A direction, or a difference of points.
public typealias AVAudio3DVector = AVAudio3DPoint

/// An orientation: where the front is, and where the top is.
public struct AVAudio3DVectorOrientation: Sendable {
  /// The direction of the front.
  public var forward: AVAudio3DVector
  /// The direction of the top.
  public var up: AVAudio3DVector

  /// No direction.
  public init() { self.init(forward: AVAudio3DVector(), up: AVAudio3DVector()) }

  /// An orientation of two directions.
  public init(forward: AVAudio3DVector, up: AVAudio3DVector) {
    (self.forward, self.up) = (forward, up)
  }
}

/// An orientation in degrees: the turn of the head to the right, up, and its tilt to the right.
public struct AVAudio3DAngularOrientation: Sendable {
  /// Around the vertical axis, -180 to 180.
  public var yaw: Float
  /// Around the axis from left to right, -180 to 180.
  public var pitch: Float
  /// Around the axis from back to front, -180 to 180.
  public var roll: Float

  /// To the front, upright.
  public init() { self.init(yaw: 0, pitch: 0, roll: 0) }

  /// An orientation of three angles.
  public init(yaw: Float, pitch: Float, roll: Float) {
    (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
  }
}

/// A point.
///
/// - Parameters:
///   - x: To the right, in metres.
///   - y: Up, in metres.
///   - z: Backwards, in metres.
/// - Returns: The point.
@discardableResult
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint {
  AVAudio3DPoint(x: x, y: y, z: z)
}

/// A vector.
///
/// - Parameters:
///   - x: To the right, in metres.
///   - y: Up, in metres.
///   - z: Backwards, in metres.
/// - Returns: The vector.
@discardableResult
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector {
  AVAudio3DVector(x: x, y: y, z: z)
}

/// An orientation of two vectors.
///
/// - Parameters:
///   - forward: Where the listener looks.
///   - up: Where the top of the head points, at a right angle to it.
/// - Returns: The orientation.
@discardableResult
public func AVAudioMake3DVectorOrientation(
  _ forward: AVAudio3DVector, _ up: AVAudio3DVector
) -> AVAudio3DVectorOrientation {
  AVAudio3DVectorOrientation(forward: forward, up: up)
}

/// An orientation of three angles in degrees.
///
/// - Parameters:
///   - yaw: The turn to the side, from -180 to 180.
///   - pitch: The tilt up and down, from -180 to 180.
///   - roll: The tilt to the side, from -180 to 180.
/// - Returns: The orientation.
@discardableResult
public func AVAudioMake3DAngularOrientation(
  _ yaw: Float, _ pitch: Float, _ roll: Float
) -> AVAudio3DAngularOrientation {
  AVAudio3DAngularOrientation(yaw: yaw, pitch: pitch, roll: roll)
}
