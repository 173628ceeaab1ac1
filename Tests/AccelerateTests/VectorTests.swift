// SPDX-License-Identifier: Apache-2.0
import Accelerate
import Foundation
import Testing

@Suite("Reductions, filters and conversions of vectors")
struct VectorTests {
  @Test("reduce as plain loops, for every size and stride")
  func reductions() {
    var random = Random(11)
    for count in Shapes.counts {
      for stride in [1, 2, -1, -3] {
        let a = Strided<Float>(count, stride: stride, &random)
        let numbers = (0..<count).map { Double(a[$0]) }
        let length = UInt(count)
        func reduced(_ body: (UnsafePointer<Float>, Int, UnsafeMutablePointer<Float>, UInt) -> Void)
          -> Double
        {
          var result: Float = .nan
          a.read { body($0, stride, &result, length) }
          return Double(result)
        }
        let sum = numbers.reduce(0, +), squares = numbers.reduce(0) { $0 + $1 * $1 }
        #expect(isNear(reduced(vDSP_sve), sum, 1e-5))
        #expect(isNear(reduced(vDSP_svesq), squares, 1e-5))
        #expect(isNear(reduced(vDSP_svemg), numbers.reduce(0) { $0 + abs($1) }, 1e-5))
        #expect(isNear(reduced(vDSP_svs), numbers.reduce(0) { $0 + $1 * abs($1) }, 1e-5))
        #expect(isNear(reduced(vDSP_meanv), sum / Double(count), 1e-5))
        #expect(isNear(reduced(vDSP_measqv), squares / Double(count), 1e-5))
        #expect(isNear(reduced(vDSP_rmsqv), (squares / Double(count)).squareRoot(), 1e-5))
        #expect(reduced(vDSP_maxv) == numbers.max())
        #expect(reduced(vDSP_minv) == numbers.min())
        #expect(reduced(vDSP_maxmgv) == numbers.map { abs($0) }.max())
        #expect(reduced(vDSP_minmgv) == numbers.map { abs($0) }.min())
      }
    }
  }

  @Test("find the first of equal extremes, and count its index in strides")
  func extremes() {
    let numbers: [Float] = [1, -5, 4, 4, -5, 2]
    #expect(vDSP.indexOfMaximum(numbers) == (2, 4))
    #expect(vDSP.indexOfMinimum(numbers) == (1, -5))
    #expect(vDSP.indexOfMaximumMagnitude(numbers) == (1, 5))
    var (value, index): (Float, UInt) = (0, 0)
    vDSP_maxvi(numbers, 2, &value, &index, 3)
    #expect((value, index) == (4, 2))
  }

  @Test("of no elements are zero, infinite or no number")
  func empty() {
    let none: [Float] = []
    #expect(vDSP.sum(none) == 0 && vDSP.maximum(none) == -.infinity)
    #expect(vDSP.minimum(none) == .infinity && vDSP.mean(none).isNaN)
    #expect(vDSP.add(1, none).isEmpty && vForce.sin(none).isEmpty)
  }

  @Test("normalise to a mean of zero and a deviation of one")
  func normalise() {
    // A large mean, whose square would drown the deviation.
    let numbers = (0..<100).map { Float(10_000 + $0 % 2) }
    var result = numbers
    let parts = vDSP.normalize(numbers, result: &result)
    #expect(result.enumerated().allSatisfy { isNear($1, $0 % 2 == 0 ? -1 : 1, 1e-4) })
    #expect(isNear(parts.mean, 10_000.5) && isNear(parts.stdDev, 0.5, 1e-4))
    #expect(vDSP.normalize(numbers) == result)
    #expect(vDSP.standardDeviation(numbers) == parts.stdDev)
    #expect(vDSP.standardDeviation([2, 4, 4, 4, 5, 5, 7, 9] as [Double]) == 2)
  }

  @Test("correlate and convolve", arguments: [1, 3, 64, 70, 200])
  func filters(count: Int) {
    var random = Random(count)
    for taps in [1, 2, 5, 33] {
      let signal: [Double] = random.numbers(count + taps - 1, in: -1...1)
      let kernel: [Double] = random.numbers(taps, in: -1...1)
      let correlated = vDSP.correlate(signal, withKernel: kernel)
      let convolved = vDSP.convolve(signal, withKernel: kernel)
      #expect(correlated.count == count && convolved.count == count)
      for n in 0..<count {
        let sum = (0..<taps).reduce(0) { $0 + signal[n + $1] * kernel[$1] }
        let reversed = (0..<taps).reduce(0) { $0 + signal[n + $1] * kernel[taps - 1 - $1] }
        #expect(isNear(correlated[n], sum, 1e-12) && isNear(convolved[n], reversed, 1e-12))
      }
      let fourth = vDSP.downsample(signal, decimationFactor: 4, filter: kernel)
      #expect(fourth.count == (count - 1) / 4 + 1)
      for n in fourth.indices { #expect(isNear(fourth[n], correlated[4 * n], 1e-12)) }
    }
  }

  @Test("integrate a parabola: exactly by Simpson's rule")
  func integration() {
    let parabola = (0...8).map { Double($0 * $0) }
    let simpson = vDSP.integrate(parabola, using: .simpson)
    for n in stride(from: 0, through: 8, by: 2) {
      #expect(isNear(simpson[n], Double(n * n * n) / 3, 1e-12))
    }
    #expect(vDSP.integrate([1, 2, 3, 4] as [Float], using: .runningSum) == [0, 2, 5, 9])
    #expect(vDSP.integrate([1, 2, 3] as [Float], using: .trapezoidal, stepSize: 2) == [0, 3, 8])
    #expect(
      vDSP.slidingWindowSum([1, 2, 3, 4, 5] as [Float], usingWindowLength: 2) == [3, 5, 7, 9])
    var maxima = [Float](repeating: 0, count: 4)
    vDSP_vswmax([3, 1, 2, 5, 4, 0], 1, &maxima, 1, 4, 3)
    #expect(maxima == [3, 5, 5, 5])
  }

  @Test("make windows that end with their second element")
  func windows() {
    let shapes: [(vDSP.WindowSequence, (Double) -> Double)] = [
      (.hanningDenormalized, { x in 0.5 - 0.5 * cos(x) }),
      (.hamming, { x in 0.54 - 0.46 * cos(x) }),
      (.blackman, { x in 0.42 - 0.5 * cos(x) + 0.08 * cos(2 * x) }),
    ]
    for (sequence, expected) in shapes {
      let window = vDSP.window(
        ofType: Float.self, usingSequence: sequence, count: 30, isHalfWindow: false)
      let half = vDSP.window(
        ofType: Float.self, usingSequence: sequence, count: 30, isHalfWindow: true)
      for n in 0..<30 {
        #expect(isNear(Double(window[n]), expected(2 * .pi * Double(n) / 30)))
        #expect(half[n] == (n < 15 ? window[n] : 0))
      }
    }
    let normal = vDSP.window(
      ofType: Double.self, usingSequence: .hanningNormalized, count: 64, isHalfWindow: false)
    #expect(isNear(vDSP.meanSquare(normal), 1, 1e-12))
  }

  @Test("make ramps that reach their end")
  func ramps() {
    #expect(vDSP.ramp(in: 0...(1 as Float), count: 5) == [0, 0.25, 0.5, 0.75, 1])
    #expect(vDSP.ramp(from: 1, through: -1, count: 5) as [Double] == [1, 0.5, 0, -0.5, -1])
    #expect(vDSP.ramp(withInitialValue: 1, increment: -2, count: 3) as [Double] == [1, -1, -3])
    var start: Float = 0
    #expect(
      vDSP.ramp(withInitialValue: &start, multiplyingBy: [2, 2, 2] as [Float], increment: 1) == [
        0, 2, 4,
      ])
    #expect(start == 3)
    var points = [Float](repeating: 0, count: 6)
    vDSP_vgenp([1, 5, 3], 1, [1, 3, 4], 1, &points, 1, 6, 3)
    #expect(points == [1, 1, 3, 5, 3, 3])
  }

  @Test("limit, select and sort")
  func limits() {
    let numbers: [Float] = [-2, -0.5, 0, 0.5, 2]
    #expect(vDSP.clip(numbers, to: -1...1) == [-1, -0.5, 0, 0.5, 1])
    #expect(vDSP.invertedClip(numbers, to: -1...1) == [-2, -1, 1, 1, 2])
    #expect(vDSP.threshold(numbers, to: 0, with: .clampToThreshold) == [0, 0, 0, 0.5, 2])
    #expect(vDSP.threshold(numbers, to: 0.25, with: .zeroFill) == [0, 0, 0, 0.5, 2])
    #expect(vDSP.threshold(numbers, to: 0, with: .signedConstant(3)) == [-3, -3, 3, 3, 3])
    #expect(vDSP.gather(numbers, indices: [5, 1] as [UInt]) == [2, -2])
    #expect(
      vDSP.compress(numbers, gatingVector: [1, 0, 0, 2, 0], nonZeroGatingCount: nil) == [-2, 0.5])
    #expect(vDSP.countZeroCrossings([1, -1, -1, 1] as [Float]) == 2)
    var random = Random(5)
    for count in [0, 1, 2, 3, 10, 100, 1000] {
      var shuffled: [Double] = random.numbers(count, in: -9...9)
      let sorted = shuffled.sorted()
      var indices = (0..<count).map { UInt($0) }
      vDSP_vsortiD(shuffled, &indices, nil, UInt(count), 1)
      #expect(indices.map { shuffled[Int($0)] } == sorted)
      vDSP.sort(&shuffled, sortOrder: .descending)
      #expect(shuffled == sorted.reversed())
    }
  }

  @Test("interpolate")
  func interpolation() {
    let line: [Float] = [0, 10, 20, 40]
    #expect(
      vDSP.linearInterpolate(elementsOf: line, using: [0.5, 2.5, 9, .nan] as [Float])[0...1] == [
        5, 30,
      ])
    #expect(vDSP.linearInterpolate(line, [10, 10, 10, 10], using: 0.5) == [5, 10, 15, 25])
    #expect(
      vDSP.evaluatePolynomial(usingCoefficients: [2, 3, 4] as [Double], withVariables: [0, 1, 2])
        == [4, 9, 18])
    // A parabola passes through its own points.
    var between = [Float](repeating: 0, count: 2)
    vDSP_vqint([0, 1, 4, 9, 16], [1.5, 2.25], 1, &between, 1, 2, 5)
    #expect(between == [2.25, 5.0625])
  }

  @Test("convert integers, and limit what does not fit")
  func conversions() {
    let hostile: [Float] = [.nan, .infinity, -.infinity, 1e30, -1e30, 2.5, -2.5, 127.5]
    #expect(
      vDSP.floatingPointToInteger(hostile, integerType: Int8.self, rounding: .towardZero)
        == [0, 127, -128, 127, -128, 2, -2, 127])
    #expect(
      vDSP.floatingPointToInteger(
        hostile, integerType: UInt32.self, rounding: .towardNearestInteger)
        == [0, .max, 0, .max, 0, 2, 0, 128])
    #expect(
      vDSP.floatingPointToInteger(hostile, integerType: Int32.self, rounding: .towardNearestInteger)
        == [0, .max, .min, .max, .min, 2, -2, 128])
    let words: [Int16] = [.min, -1, 0, .max]
    #expect(
      vDSP.integerToFloatingPoint(words, floatingPointType: Float.self) == [-32768, -1, 0, 32767])
    var bytes = [vDSP_int24](repeating: vDSP_int24(), count: 3)
    vDSP_vsmfix24([-1, 0.5, 2], 1, [8_388_608], &bytes, 1, 3)
    var back = [Float](repeating: 0, count: 3)
    vDSP_vflt24(bytes, 1, &back, 1, 3)
    #expect(back == [-8_388_608, 4_194_304, 8_388_607])
  }

  @Test("multiply matrices", arguments: [1, 5, 70])
  func matrices(columns: Int) {
    var random = Random(columns)
    let (rows, inner) = (3, 4)
    let a: [Float] = random.numbers(rows * inner, in: -1...1)
    let b: [Float] = random.numbers(inner * columns, in: -1...1)
    var c = [Float](repeating: 0, count: rows * columns), transposed = c
    vDSP_mmul(a, 1, b, 1, &c, 1, UInt(rows), UInt(columns), UInt(inner))
    vDSP_mtrans(c, 1, &transposed, 1, UInt(columns), UInt(rows))
    for m in 0..<rows {
      for n in 0..<columns {
        let sum = (0..<inner).reduce(Float(0)) { $0 + a[m * inner + $1] * b[$1 * columns + n] }
        #expect(isNear(c[m * columns + n], sum, 2e-6))
        #expect(transposed[n * rows + m] == c[m * columns + n])
      }
    }
  }

  @Test("filter with second-order sections, however the signal is divided")
  func biquads() throws {
    let sections = [0.2, 0.3, 0.1, -1.2, 0.5, 1, -0.5, 0.25, 0.4, -0.1]
    let signal: [Float] = Random(3).copy(400)
    // The definition, in double.
    var expected = signal.map(Double.init)
    for section in 0..<2 {
      let c = sections[5 * section..<5 * section + 5].map { $0 }
      let x = expected
      for n in x.indices {
        func at(_ v: [Double], _ k: Int) -> Double { k < 0 ? 0 : v[k] }
        expected[n] =
          c[0] * x[n] + c[1] * at(x, n - 1) + c[2] * at(x, n - 2) - c[3] * at(expected, n - 1)
          - c[4] * at(expected, n - 2)
      }
    }
    let setup = try #require(vDSP_biquad_CreateSetup(sections, 2))
    defer { vDSP_biquad_DestroySetup(setup) }
    var delay = [Float](repeating: 0, count: 6), result = signal
    vDSP_biquad(setup, &delay, signal, 1, &result, 1, 400)
    #expect(zip(result, expected).allSatisfy { isNear(Double($0), $1) })
    delay = [0, 0, 0, 0, 0, 0]
    var divided: [Float] = []
    for start in stride(from: 0, to: 400, by: 40) {
      var part = Array(signal[start..<start + 40])
      vDSP_biquad(setup, &delay, part, 1, &part, 1, 40)
      divided += part
    }
    #expect(divided == result)

    // Two channels with the same coefficients, and a copy that goes on by itself.
    let both = (0..<2).flatMap { k in [0, 1].flatMap { _ in sections[5 * k..<5 * k + 5] } }
    var filter = try #require(
      vDSP.Biquad(coefficients: both, channelCount: 2, sectionCount: 2, ofType: Float.self))
    let first = filter.apply(input: Array(signal[..<200] + signal[..<200]))
    #expect(zip(first, result[..<200] + result[..<200]).allSatisfy { isNear($0, $1, 2e-6) })
    var copy = filter
    let second = copy.apply(input: Array(signal[200...] + signal[200...]))
    #expect(filter.apply(input: Array(signal[200...] + signal[200...])) == second)
    #expect(zip(second, result[200...] + result[200...]).allSatisfy { isNear($0, $1, 2e-6) })
    #expect(
      vDSP.Biquad(coefficients: [1], channelCount: 9, sectionCount: 9, ofType: Float.self) == nil)
  }

  @Test(
    "move coefficients to their targets, after each number, or at once",
    arguments: [
      (9, 0.5, 0.25, [1, 5, 7, 8, 8.5, 9]), (0, 0.5, 0.125, [1, 0.5, 0.25, 0, 0, 0]),
      (9, 0, 0.25, [9, 9, 9, 9, 9, 9]), (9, 0.5, 0, [9, 9, 9, 9, 9, 9]),
      (9, 0.5, 8, [9, 9, 9, 9, 9, 9]), (9, 0.5, 7.5, [1, 9, 9, 9, 9, 9]),
    ] as [(Double, Double, Double, [Double])])
  func targets(target: Double, rate: Double, threshold: Double, expected: [Double]) throws {
    let setup = try #require(vDSP_biquadm_CreateSetupD([1, 0, 0, 0, 0], 1, 1))
    defer { vDSP_biquadm_DestroySetupD(setup) }
    vDSP_biquadm_SetTargetsDoubleD(setup, [target, 0, 0, 0, 0], rate, threshold, 0, 0, 1, 1)
    let ones = [Double](repeating: 1, count: 6)
    var result = ones
    ones.withUnsafeBufferPointer { ones in
      result.withUnsafeMutableBufferPointer { result in
        var x = ones.baseAddress.unsafelyUnwrapped, y = result.baseAddress.unsafelyUnwrapped
        vDSP_biquadmD(setup, &x, 1, &y, 1, 6)
      }
    }
    #expect(result == expected)
  }

  @Test("multiply and divide complex numbers")
  func complex() {
    var random = Random(8)
    for count in Shapes.counts {
      var ar: [Float] = random.numbers(count, in: 1...2),
        ai: [Float] = random.numbers(count, in: 1...2)
      var br: [Float] = random.numbers(count, in: 1...2),
        bi: [Float] = random.numbers(count, in: 1...2)
      var cr = ar, ci = ai, magnitudes = ar
      ar.withUnsafeMutableBufferPointer { ar in
        ai.withUnsafeMutableBufferPointer { ai in
          br.withUnsafeMutableBufferPointer { br in
            bi.withUnsafeMutableBufferPointer { bi in
              cr.withUnsafeMutableBufferPointer { cr in
                ci.withUnsafeMutableBufferPointer { ci in
                  let a = DSPSplitComplex(
                    realp: ar.baseAddress.unsafelyUnwrapped, imagp: ai.baseAddress.unsafelyUnwrapped
                  )
                  let b = DSPSplitComplex(
                    realp: br.baseAddress.unsafelyUnwrapped, imagp: bi.baseAddress.unsafelyUnwrapped
                  )
                  var c = DSPSplitComplex(
                    realp: cr.baseAddress.unsafelyUnwrapped, imagp: ci.baseAddress.unsafelyUnwrapped
                  )
                  vDSP.multiply(a, by: b, count: count, useConjugate: false, result: &c)
                  #expect(
                    (0..<count).allSatisfy { isNear(cr[$0], ar[$0] * br[$0] - ai[$0] * bi[$0]) })
                  #expect(
                    (0..<count).allSatisfy { isNear(ci[$0], ar[$0] * bi[$0] + ai[$0] * br[$0]) })
                  vDSP.divide(c, by: b, count: count, result: &c)
                  #expect(
                    (0..<count).allSatisfy {
                      isNear(cr[$0], ar[$0], 2e-6) && isNear(ci[$0], ai[$0], 2e-6)
                    })
                  vDSP.multiply(a, by: b, count: count, useConjugate: true, result: &c)
                  #expect(
                    (0..<count).allSatisfy {
                      isNear(ci[$0], ar[$0] * bi[$0] - ai[$0] * br[$0], 2e-6)
                    })
                  vDSP.squareMagnitudes(a, result: &magnitudes)
                  #expect(
                    (0..<count).allSatisfy {
                      isNear(magnitudes[$0], ar[$0] * ar[$0] + ai[$0] * ai[$0])
                    })
                  var pairs = [DSPComplex](repeating: DSPComplex(), count: count)
                  vDSP.convert(splitComplexVector: a, toInterleavedComplexVector: &pairs)
                  #expect(
                    (0..<count).allSatisfy { pairs[$0].real == ar[$0] && pairs[$0].imag == ai[$0] })
                  vDSP.convert(interleavedComplexVector: pairs, toSplitComplexVector: &c)
                  #expect((0..<count).allSatisfy { cr[$0] == ar[$0] && ci[$0] == ai[$0] })
                }
              }
            }
          }
        }
      }
    }
  }

  @Test("have the functions of vForce to a float's precision, also far away")
  func force() {
    var random = Random(21)
    for (range, count) in [(-10.0...10.0, 1000), (-9e5...9e5, 1000), (-1e9...1e9, 100)] {
      let x: [Float] = random.numbers(count, in: range)
      #expect(zip(vForce.sin(x), x).allSatisfy { isNear(Double($0), sin(Double($1)), 2e-7) })
      #expect(zip(vForce.cos(x), x).allSatisfy { isNear(Double($0), cos(Double($1)), 2e-7) })
    }
    let x: [Float] = random.numbers(1000, in: -86...86)
    #expect(zip(vForce.exp(x), x).allSatisfy { abs(Double($0) / exp(Double($1)) - 1) < 2e-7 })
    let positive = vForce.exp(x)
    #expect(
      zip(vForce.log(positive), positive).allSatisfy { isNear(Double($0), log(Double($1)), 2e-7) })
    #expect(
      vForce.exp([-.infinity, .infinity, 1000, -1000] as [Float]) == [0, .infinity, .infinity, 0])
    let zeros = vForce.sin([Float](repeating: -0.0, count: 9))
    #expect(zeros.allSatisfy { $0 == 0 && $0.sign == .minus })
    #expect(vForce.log([0, 1, .infinity] as [Float]) == [-.infinity, 0, .infinity])
    #expect(vForce.log([-1] as [Float])[0].isNaN && vForce.sin([.nan] as [Float])[0].isNaN)
    #expect(vForce.pow(bases: [2, 3], exponents: [3, 2]) as [Double] == [8, 9])
    #expect(vForce.atan2(x: [0], y: [1]) as [Double] == [Double.pi / 2])
    #expect(vForce.trunc([-1.5, 1.5] as [Float]) == [-1, 1])
  }
}
