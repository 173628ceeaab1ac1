// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  /// 20 log10 of each element divided by the reference.
  public static func convert<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    amplitude: U, toDecibels decibels: inout V, zeroReference: V.Element
  ) where V.Element: VectorNumber, U.Element == V.Element {
    convert(amplitude, to: &decibels, zeroReference, isAmplitude: true)
  }

  /// 20 log10 of each element divided by the reference.
  public static func amplitudeToDecibels<U: AccelerateBuffer>(
    _ amplitude: U, zeroReference: U.Element
  ) -> [U.Element] where U.Element: VectorNumber {
    filled(amplitude.count) {
      convert(amplitude: amplitude, toDecibels: &$0, zeroReference: zeroReference)
    }
  }

  /// 10 log10 of each element divided by the reference.
  public static func convert<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    power: U, toDecibels decibels: inout V, zeroReference: V.Element
  ) where V.Element: VectorNumber, U.Element == V.Element {
    convert(power, to: &decibels, zeroReference, isAmplitude: false)
  }

  /// 10 log10 of each element divided by the reference.
  public static func powerToDecibels<U: AccelerateBuffer>(_ power: U, zeroReference: U.Element)
    -> [U.Element] where U.Element: VectorNumber
  {
    filled(power.count) { convert(power: power, toDecibels: &$0, zeroReference: zeroReference) }
  }

  private static func convert<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, to result: inout V, _ reference: V.Element, isAmplitude: Bool
  ) where V.Element: VectorNumber, U.Element == V.Element {
    let count = vector.count
    result.expect(count)
    withUnsafePointer(to: reference) { reference in
      vector.read { vector in
        result.write {
          V.Element.vectorFunctions.vdbcon(
            vector, 1, reference, $0, 1, UInt(count), isAmplitude ? 1 : 0)
        }
      }
    }
  }
}
