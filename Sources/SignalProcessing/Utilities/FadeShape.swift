// SPDX-License-Identifier: Apache-2.0

/// The shape of every fade: value, speed and curvature are continuous, also where a fade begins
/// during another, and all fades end at rest.
///
/// The polynomial of the fifth degree with these properties. From rest it is 10t³ - 15t⁴ + 6t⁵: within
/// 5 ms a sound of 1 kHz changes by 6 dB with less than -120 dB of its level above 8 kHz, where a
/// straight line leaves -60 dB.
struct FadeShape: BitwiseCopyable {
  /// What the target, and the speed and curvature at the beginning (per whole fade), contribute.
  /// The value at the beginning contributes what is missing to 1.
  let target: Float
  let speed: Float
  let curvature: Float

  /// The value at a part of the fade, from 0 to 1.
  @_noLocks @inline(__always)
  init(at part: Float) {
    let cube = part * part * part
    target = cube * (10 + part * (6 * part - 15))
    speed = part + cube * (-6 + part * (8 - 3 * part))
    curvature = 0.5 * part * part + cube * (-1.5 + part * (1.5 - 0.5 * part))
  }

  /// The speed at a part of the fade, per whole fade.
  @_noLocks @inline(__always)
  init(speedAt part: Float) {
    let square = part * part
    target = square * (30 + part * (30 * part - 60))
    speed = 1 + square * (-18 + part * (32 - 15 * part))
    curvature = part + square * (-4.5 + part * (6 - 2.5 * part))
  }

  /// The curvature at a part of the fade, per whole fade.
  @_noLocks @inline(__always)
  init(curvatureAt part: Float) {
    target = part * (60 + part * (120 * part - 180))
    speed = part * (-36 + part * (96 - 60 * part))
    curvature = 1 + part * (-9 + part * (18 - 10 * part))
  }

  /// How far a fade from rest has moved to its target, from 0 to 1. [any thread]
  @_noLocks @inline(__always)
  static func weight(at part: Float) -> Float {
    part * part * part * (10 + part * (6 * part - 15))
  }
}
