// SPDX-License-Identifier: Apache-2.0
import Accelerate
import Testing

@Suite("Arithmetic of vectors")
struct ArithmeticTests {
  typealias Binary = (
    name: String,
    float: (
      UnsafePointer<Float>, Int, UnsafePointer<Float>, Int, UnsafeMutablePointer<Float>, Int, UInt
    ) -> Void,
    double: (
      UnsafePointer<Double>, Int, UnsafePointer<Double>, Int, UnsafeMutablePointer<Double>, Int,
      UInt
    ) -> Void,
    expected: (Double, Double) -> Double
  )

  /// The first argument is a, the second b.
  private let binaries: [Binary] = [
    ("vadd", vDSP_vadd, vDSP_vaddD, { $0 + $1 }), ("vsub", vDSP_vsub, vDSP_vsubD, { $1 - $0 }),
    ("vmul", vDSP_vmul, vDSP_vmulD, { $0 * $1 }), ("vdiv", vDSP_vdiv, vDSP_vdivD, { $1 / $0 }),
    ("vmax", vDSP_vmax, vDSP_vmaxD, { max($0, $1) }),
    ("vmin", vDSP_vmin, vDSP_vminD, { min($0, $1) }),
    ("vmaxmg", vDSP_vmaxmg, vDSP_vmaxmgD, { max(abs($0), abs($1)) }),
    ("vminmg", vDSP_vminmg, vDSP_vminmgD, { min(abs($0), abs($1)) }),
    ("vdist", vDSP_vdist, vDSP_vdistD, { ($0 * $0 + $1 * $1).squareRoot() }),
  ]

  @Test("of two vectors is that of a plain loop, for every size and stride")
  func binary() {
    var random = Random(1)
    for function in binaries {
      for count in Shapes.counts {
        for (ia, ib, ic) in Shapes.strides {
          check(function.name, function.float, function.expected, count, ia, ib, ic, &random)
          check(function.name, function.double, function.expected, count, ia, ib, ic, &random)
        }
      }
    }
  }

  private func check<N: VectorNumber>(
    _ name: String,
    _ function: (UnsafePointer<N>, Int, UnsafePointer<N>, Int, UnsafeMutablePointer<N>, Int, UInt)
      -> Void,
    _ expected: (Double, Double) -> Double, _ count: Int, _ ia: Int, _ ib: Int, _ ic: Int,
    _ random: inout Random
  ) {
    let a = Strided<N>(count, stride: ia, &random, in: 0.5...4)
    let b = Strided<N>(count, stride: ib, &random, in: 0.5...4)
    var c = Strided<N>(count, stride: ic, &random)
    let before = c.memory
    a.read { a in b.read { b in c.write { function(a, ia, b, ib, $0, ic, UInt(count)) } } }
    let wrong = (0..<count).filter { !isNear(c[$0], N(expected(Double(a[$0]), Double(b[$0])))) }
    #expect(wrong.isEmpty, "\(name) of \(count) \(N.self), strides \(ia) \(ib) \(ic)")
    // The elements between those of a stride stay.
    let between = c.memory.indices.filter { ic != 0 && $0 % abs(ic) != 0 }
    #expect(between.allSatisfy { c.memory[$0] == before[$0] }, "\(name) writes between elements")
  }

  @Test("of a vector and a number is that of a plain loop")
  func numbers() {
    var random = Random(2)
    for count in Shapes.counts {
      let a: [Float] = random.numbers(count, in: -3...3)
      let b: [Float] = random.numbers(count, in: -3...3)
      let c: [Float] = random.numbers(count, in: -3...3)
      let d: [Float] = random.numbers(count, in: 1...3)
      expect(vDSP.add(2.5, a), a.map { $0 + 2.5 })
      expect(vDSP.multiply(-1.5, a), a.map { $0 * -1.5 })
      expect(vDSP.divide(a, 3), a.map { $0 / 3 })
      expect(vDSP.divide(3, d), d.map { 3 / $0 })
      expect(vDSP.multiply(addition: (a, b), c), a.indices.map { (a[$0] + b[$0]) * c[$0] })
      expect(vDSP.multiply(addition: (a, b), 3), a.indices.map { (a[$0] + b[$0]) * 3 })
      expect(vDSP.multiply(subtraction: (a, b), c), a.indices.map { (a[$0] - b[$0]) * c[$0] })
      expect(vDSP.multiply(subtraction: (a, b), 3), a.indices.map { (a[$0] - b[$0]) * 3 })
      expect(vDSP.add(multiplication: (a, b), c), a.indices.map { a[$0] * b[$0] + c[$0] })
      expect(vDSP.add(multiplication: (a, b), 3), a.indices.map { a[$0] * b[$0] + 3 })
      expect(vDSP.add(multiplication: (a, 2), c), a.indices.map { a[$0] * 2 + c[$0] })
      expect(vDSP.add(multiplication: (a, 2), 3), a.map { $0 * 2 + 3 })
      expect(vDSP.subtract(multiplication: (a, b), c), a.indices.map { a[$0] * b[$0] - c[$0] })
      expect(vDSP.subtract(multiplication: (a, 2), c), a.indices.map { a[$0] * 2 - c[$0] })
      expect(
        vDSP.add(multiplication: (a, b), multiplication: (c, d)),
        a.indices.map { a[$0] * b[$0] + c[$0] * d[$0] })
      expect(
        vDSP.subtract(multiplication: (a, b), multiplication: (c, d)),
        a.indices.map { a[$0] * b[$0] - c[$0] * d[$0] })
      expect(
        vDSP.multiply(addition: (a, b), addition: (c, d)),
        a.indices.map { (a[$0] + b[$0]) * (c[$0] + d[$0]) })
      expect(
        vDSP.multiply(subtraction: (a, b), subtraction: (c, d)),
        a.indices.map { (a[$0] - b[$0]) * (c[$0] - d[$0]) })
      expect(
        vDSP.multiply(addition: (a, b), subtraction: (c, d)),
        a.indices.map { (a[$0] + b[$0]) * (c[$0] - d[$0]) })
    }
  }

  @Test("of one vector is that of a plain loop, in double too")
  func unary() {
    var random = Random(3)
    for count in Shapes.counts {
      let a: [Double] = random.numbers(count, in: -3...3)
      expect(vDSP.negative(a), a.map { -$0 })
      expect(vDSP.absolute(a), a.map { abs($0) })
      expect(vDSP.negativeAbsolute(a), a.map { -abs($0) })
      expect(vDSP.square(a), a.map { $0 * $0 })
      expect(vDSP.signedSquare(a), a.map { $0 * abs($0) })
      expect(vDSP.trunc(a), a.map { $0 - $0.rounded(.towardZero) })
    }
  }

  @Test("may replace its input")
  func inPlace() {
    var a: [Float] = Random(4).copy(100)
    let before = a
    var two: Float = 2
    vDSP_vsmul(a, 1, &two, &a, 1, 100)
    #expect(a == before.map { $0 * 2 })
    a.withUnsafeMutableBufferPointer { a in
      let address = a.baseAddress.unsafelyUnwrapped
      vDSP_vadd(address, 1, address, 1, address, 1, 100)
    }
    #expect(a == before.map { $0 * 4 })
  }

  @Test("of integers wraps")
  func integers() {
    let a: [Int32] = [.max, .min, 5], b: [Int32] = [1, -1, 7]
    var c = [Int32](repeating: 0, count: 3)
    vDSP_vaddi(a, 1, b, 1, &c, 1, 3)
    #expect(c == [.min, .max, 12])
    vDSP_vabsi(a, 1, &c, 1, 3)
    #expect(c == [.max, .min, 5])
    vDSP_veqvi(a, 1, a, 1, &c, 1, 3)
    #expect(c == [-1, -1, -1])
    // The divisor is first; a quotient that does not exist is 0.
    vDSP_vdivi([-1, 0, -2], 1, [.min, 7, 5], 1, &c, 1, 3)
    #expect(c == [.min, 0, -2])
  }

  @Test("of decibels has twenty for amplitudes and ten for powers")
  func decibels() {
    expect(vDSP.amplitudeToDecibels([1, 10, 0.1] as [Float], zeroReference: 1), [0, 20, -20])
    expect(vDSP.powerToDecibels([2, 20, 200] as [Double], zeroReference: 2), [0, 10, 20])
    var numbers: [Double] = [5, 50, 0.5]
    vDSP.convert(amplitude: numbers, toDecibels: &numbers, zeroReference: 5)
    expect(numbers, [0, 20, -20])
    var levels: [Float] = [0, 0]
    vDSP.convert(power: [1, 1_000] as [Float], toDecibels: &levels, zeroReference: 10)
    expect(levels, [-10, 20])
  }

  @Test("adds two vectors with a factor each, and measures distances of points")
  func weighted() {
    let a: [Float] = [1, 2, 3], b: [Float] = [10, 20, 30]
    #expect(vDSP.add(multiplication: (a, 2), multiplication: (b, 0.5)) == [7, 14, 21])
    var result = a
    vDSP.add(multiplication: (a: result, b: 3), multiplication: (c: b, d: -0.1), result: &result)
    expect(result, [2, 4, 6])
    expect(
      vDSP.hypot(x0: [0, 1] as [Double], x1: [3, 1], y0: [0, -2], y1: [4, 10]), [5, 12])
  }

  private func expect<N: BinaryFloatingPoint>(
    _ result: [N], _ expected: [N], location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.count == expected.count, sourceLocation: location)
    let wrong = zip(result, expected).filter {
      !isNear($0, $1, N.self == Float.self ? 4e-6 : 1e-12)
    }
    #expect(wrong.isEmpty, sourceLocation: location)
  }
}

extension Random {
  /// Numbers from -1 to 1.
  func copy<N: BinaryFloatingPoint>(_ count: Int) -> [N] {
    var random = self
    return random.numbers(count, in: -1...1)
  }
}
