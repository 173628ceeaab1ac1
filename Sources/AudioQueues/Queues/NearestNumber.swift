// SPDX-License-Identifier: Apache-2.0

/// [any thread] The whole number that is nearest to a number from 0 to 2^51, or to that limit.
@_noLocks
func nearest(_ number: Double) -> Int {
  guard number > 0 else { return 0 }
  // A number from 2^52 to 2^53 has no fraction, and its significand counts from 2^52.
  let sum = min(number, 0x1p51) + 0x1p52
  return Int(truncatingIfNeeded: sum.bitPattern & 0xF_FFFF_FFFF_FFFF)
}
