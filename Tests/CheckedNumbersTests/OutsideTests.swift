// SPDX-License-Identifier: Apache-2.0
import CheckedNumbers
import Testing

@Suite("Numbers from outside")
struct OutsideTests {
  @Test("Formulas that fit have their value")
  func fits() {
    let end = Outside(12) + Outside(3 as UInt32) * Outside(4 as UInt64)
    #expect(end.value == 24)
    #expect((end - 25).value == -1)
    #expect((end / 5).value == 4)
    #expect((end % 5).value == 4)
  }

  @Test("What does not fit 64 bits has no value, nor has anything calculated from it")
  func overflows() {
    let largest = Outside(Int.max)
    let overflowed = [
      largest + 1, Outside(Int.min) - 1, largest * 2, Outside(Int.min) / -1, largest / 0,
      largest % 0, Outside(Int.min) % -1, Outside(UInt64.max), (largest + 1) - 1,
    ]
    for number in overflowed {
      #expect(number.value == nil)
      #expect(number.within(.min ... .max) == nil)
    }
  }

  @Test(
    "Floating-point numbers that are no whole number of 64 bits have no value",
    arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0x1p63])
  func unusable(_ number: Double) { #expect(Outside(number).value == nil) }

  @Test("Floating-point numbers lose their fraction")
  func fractions() {
    #expect(Outside(2.9).value == 2)
    #expect(Outside(-2.9).value == -2)
    #expect(Outside(Float(0.5)).value == 0)
    #expect(Outside(-0x1p63).value == .min)
  }

  @Test("A number is used only within its limits")
  func limits() {
    #expect(Outside(5).upTo(5) == 5)
    #expect(Outside(6).upTo(5) == nil)
    #expect(Outside(-1).upTo(5) == nil)
    #expect(Outside(-1).count == nil)
    #expect(Outside(5).within(5...6) == 5)
    #expect(Outside(4).within(5...6) == nil)
  }

  @Test("Saturating conversions stay within the type")
  func saturates() {
    #expect(Int(saturating: 1e300) == .max)
    #expect(Int(saturating: -Double.infinity) == .min)
    #expect(Int(saturating: Double.nan) == 0)
    #expect(Int(saturating: 0x1p63) == .max)
    #expect(Int(saturating: -7.9) == -7)
    #expect(UInt32(saturating: -0.5) == 0)
    #expect(UInt32(saturating: 4_294_967_295.5) == .max)
    #expect(UInt64(saturating: 0x1p64) == .max)
    #expect(Int8(saturating: Float(1000)) == 127)
  }
}
