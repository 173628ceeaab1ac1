// SPDX-License-Identifier: Apache-2.0

extension Samples {
  /// The largest magnitude that is taken for sound: beyond it lies only what went wrong.
  public static var loudest: Float { @_noLocks get { 0x1p100 } }

  /// Silences whatever is no number, infinite, or louder than sound can be. [any thread]
  @_noLocks
  public static func silenceNonNumbers(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    let largest = SIMD8<Float>(repeating: loudest)
    var index = 0
    while index &+ 8 <= count {
      let words = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<UInt32>.self)
      let isSound = unsafeBitCast(words & 0x7fff_ffff, to: SIMD8<Float>.self) .<= largest
      if !all(isSound) {
        for place in index..<index &+ 8 where !(samples[place].magnitude <= loudest) {
          samples[place] = 0
        }
      }
      index &+= 8
    }
    while index < count {
      if !(samples[index].magnitude <= loudest) { samples[index] = 0 }
      index &+= 1
    }
  }
}
