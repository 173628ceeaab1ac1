// SPDX-License-Identifier: Apache-2.0
import Accelerate
import Foundation
import Testing

@Suite("Fourier and cosine transforms of vectors")
struct TransformTests {
  /// The sums of x[n] e^(∓2πikn/N), each factor computed on its own.
  private func sums(_ re: [Double], _ im: [Double], forward: Bool) -> (re: [Double], im: [Double]) {
    let count = re.count
    var result = (re: re, im: im)
    for k in 0..<count {
      var (r, i) = (0.0, 0.0)
      for n in 0..<count {
        let angle = (forward ? -2 : 2) * Double.pi * Double(k * n % count) / Double(count)
        r += re[n] * cos(angle) - im[n] * sin(angle)
        i += re[n] * sin(angle) + im[n] * cos(angle)
      }
      result.re[k] = r
      result.im[k] = i
    }
    return result
  }

  @Test("of powers of two are the sums of the definition", arguments: 0...9)
  func complex(log2n: Int) throws {
    let count = 1 << log2n
    let setup = try #require(vDSP_create_fftsetup(UInt(log2n), FFTRadix(kFFTRadix2)))
    defer { vDSP_destroy_fftsetup(setup) }
    let re: [Float] = Random(log2n).copy(count), im: [Float] = Random(log2n + 50).copy(count)
    for forward in [true, false] {
      let expected = sums(re.map(Double.init), im.map(Double.init), forward: forward)
      let direction = FFTDirection(forward ? FFT_FORWARD : FFT_INVERSE)
      // In place, out of place, and both with strides.
      for (inputStride, outputStride) in [(1, 1), (2, 1), (1, 3), (2, 2)] {
        for isInPlace in [false, true] where !isInPlace || inputStride == outputStride {
          var a = [re, im].map { spread($0, inputStride) }
          var b = [re, im].map { spread($0, outputStride) }
          transform(&a, inputStride, &b, outputStride, isInPlace) { a, b in
            if isInPlace {
              vDSP_fft_zip(setup, b, outputStride, UInt(log2n), direction)
            } else {
              vDSP_fft_zop(setup, a, inputStride, b, outputStride, UInt(log2n), direction)
            }
          }
          for k in 0..<count {
            #expect(isNear(Double(b[0][k * outputStride]), expected.re[k], 2e-5))
            #expect(isNear(Double(b[1][k * outputStride]), expected.im[k], 2e-5))
          }
        }
      }
    }
  }

  private func spread(_ numbers: [Float], _ stride: Int) -> [Float] {
    (0..<numbers.count * stride).map { numbers[$0 / stride] }
  }

  private func transform(
    _ a: inout [[Float]], _ ia: Int, _ b: inout [[Float]], _ ib: Int, _ isInPlace: Bool,
    _ body: (UnsafePointer<DSPSplitComplex>, UnsafePointer<DSPSplitComplex>) -> Void
  ) {
    var (ar, ai, br, bi) = (a[0], a[1], b[0], b[1])
    split(&ar, &ai) { a in split(&br, &bi) { b in body(a, b) } }
    (a, b) = ([ar, ai], [br, bi])
  }

  private func split(
    _ re: inout [Float], _ im: inout [Float], _ body: (UnsafePointer<DSPSplitComplex>) -> Void
  ) {
    re.withUnsafeMutableBufferPointer { re in
      im.withUnsafeMutableBufferPointer { im in
        let split = DSPSplitComplex(
          realp: re.baseAddress.unsafelyUnwrapped, imagp: im.baseAddress.unsafelyUnwrapped)
        withUnsafePointer(to: split, body)
      }
    }
  }

  @Test("of real numbers are packed, doubled, and inverted by the inverse", arguments: 1...10)
  func real(log2n: Int) throws {
    let count = 1 << log2n, half = count / 2
    let fft = try #require(
      vDSP.FFT(log2n: UInt(log2n), radix: .radix2, ofType: DSPSplitComplex.self))
    let numbers: [Float] = Random(log2n).copy(count)
    let expected = sums(
      numbers.map(Double.init), [Double](repeating: 0, count: count), forward: true)
    var even = (0..<half).map { numbers[2 * $0] }, odd = (0..<half).map { numbers[2 * $0 + 1] }
    var re = [Float](repeating: 0, count: half), im = re
    split(&even, &odd) { input in
      split(&re, &im) {
        var output = $0.pointee
        fft.forward(input: input.pointee, output: &output)
      }
    }
    #expect(isNear(Double(re[0]), 2 * expected.re[0], 2e-5))
    #expect(isNear(Double(im[0]), 2 * expected.re[half], 2e-5))
    for k in 1..<max(1, half) {
      #expect(isNear(Double(re[k]), 2 * expected.re[k], 2e-5))
      #expect(isNear(Double(im[k]), 2 * expected.im[k], 2e-5))
    }
    // In place, and scaled by twice the count.
    split(&re, &im) {
      var output = $0.pointee
      fft.inverse(input: output, output: &output)
    }
    for n in 0..<half {
      #expect(isNear(re[n] / Float(2 * count), numbers[2 * n], 2e-6))
      #expect(isNear(im[n] / Float(2 * count), numbers[2 * n + 1], 2e-6))
    }
  }

  @Test("with the factors three and five are the sums of the definition, in double")
  func factors() throws {
    for count in [8, 24, 40, 48, 60, 80, 120, 128, 160, 240, 320] {
      let re: [Double] = Random(count).copy(count), im: [Double] = Random(count + 1).copy(count)
      for direction in [vDSP.FourierTransformDirection.forward, .inverse] {
        guard
          let dft = vDSP.DFT(
            count: count, direction: direction, transformType: .complexComplex,
            ofType: Double.self)
        else {
          // Sixty is fifteen times four, which is less than eight.
          #expect(count == 60)
          continue
        }
        let result = dft.transform(inputReal: re, inputImaginary: im)
        let expected = sums(re, im, forward: direction == .forward)
        for k in 0..<count {
          #expect(isNear(result.real[k], expected.re[k], 1e-12))
          #expect(isNear(result.imaginary[k], expected.im[k], 1e-12))
        }
      }
    }
  }

  @Test("refuse lengths and radices that they do not have")
  func refused() {
    for count in [0, -16, 7, 14, 4, 1_000_000] {
      #expect(
        vDSP.DFT(
          count: count, direction: .forward, transformType: .complexComplex, ofType: Float.self)
          == nil)
      #expect(throws: vDSP.DFTError.createSetupFailed) {
        try vDSP.DiscreteFourierTransform(
          count: count, direction: .forward, transformType: .complexReal, ofType: Float.self)
      }
      #expect(vDSP.DCT(count: count, transformType: .II) == nil)
    }
    #expect(vDSP_create_fftsetup(25, FFTRadix(kFFTRadix2)) == nil)
    #expect(vDSP_create_fftsetup(.max, FFTRadix(kFFTRadix2)) == nil)
    for radix: FFTRadix in [-1, 3, .max] { #expect(vDSP_create_fftsetupD(5, radix) == nil) }
  }

  @Test("of powers of two are the same with a buffer of the caller")
  func buffered() throws {
    let setup = try #require(vDSP_create_fftsetup(4, FFTRadix(kFFTRadix2)))
    defer { vDSP_destroy_fftsetup(setup) }
    let numbers: [Float] = Random(12).copy(16)
    var (ar, ai, br, bi, buffer) = (numbers, numbers, numbers, numbers, numbers), other = numbers
    let forward = FFTDirection(FFT_FORWARD), inverse = FFTDirection(FFT_INVERSE)
    split(&ar, &ai) { a in
      split(&br, &bi) { b in
        split(&buffer, &other) { buffer in
          vDSP_fft_zip(setup, a, 1, 4, forward)
          vDSP_fft_zipt(setup, b, 1, buffer, 4, forward)
          vDSP_fft_zrip(setup, a, 1, 4, inverse)
          vDSP_fft_zript(setup, b, 1, buffer, 4, inverse)
        }
      }
    }
    #expect(ar == br && ai == bi && ar != numbers)
    split(&ar, &ai) { a in
      split(&br, &bi) { b in
        split(&buffer, &other) { buffer in
          vDSP_fft_zrop(setup, a, 1, buffer, 1, 4, forward)
          vDSP_fft_zropt(setup, a, 1, b, 1, a, 4, forward)
        }
      }
    }
    #expect(buffer[..<8] == br[..<8] && other[..<8] == bi[..<8])
    split(&ar, &ai) { a in
      split(&br, &bi) { b in
        split(&buffer, &other) { buffer in
          vDSP_fft_zop(setup, a, 1, buffer, 1, 4, inverse)
          vDSP_fft_zopt(setup, a, 1, b, 1, a, 4, inverse)
        }
      }
    }
    #expect(buffer == br && other == bi)
  }

  @Test("of powers of two are the same with a setup of each radix")
  func radices() throws {
    let numbers: [Float] = Random(11).copy(32)
    func spectrum(_ radix: vDSP.Radix) throws -> [Float] {
      let fft = try #require(vDSP.FFT(log2n: 6, radix: radix, ofType: DSPSplitComplex.self))
      var (even, odd) = (numbers, numbers)
      split(&even, &odd) {
        var output = $0.pointee
        fft.forward(input: output, output: &output)
      }
      return even + odd
    }
    let expected = try spectrum(.radix2)
    #expect(try spectrum(.radix3) == expected)
    #expect(try spectrum(.radix5) == expected)
    #expect(vDSP.Radix.radix5.fftRadix == FFTRadix(kFFTRadix5))
    #expect(vDSP.FourierTransformDirection.inverse.fftDirection == FFTDirection(FFT_INVERSE))
    #expect(vDSP.FourierTransformDirection.inverse.dftDirection == .INVERSE)
  }

  @Test("of cosines are the sums of their types", arguments: vDSP.DCTTransformType.allCases)
  func cosine(type: vDSP.DCTTransformType) throws {
    for count in [16, 48, 64, 80, 240] {
      let numbers: [Float] = Random(count).copy(count)
      let transform = try #require(vDSP.DCT(count: count, transformType: type))
      let result = transform.transform(numbers)
      for k in 0..<count {
        var expected = type == .III ? Double(numbers[0]) / 2 : 0
        for n in (type == .III ? 1 : 0)..<count {
          let (n2, k2) = (Double(n), Double(k))
          let steps =
            switch type {
            case .II: k2 * (n2 + 0.5)
            case .III: n2 * (k2 + 0.5)
            case .IV: (n2 + 0.5) * (k2 + 0.5)
            }
          expected += Double(numbers[n]) * cos(Double.pi * steps / Double(count))
        }
        #expect(isNear(Double(result[k]), expected, 1e-5))
      }
    }
  }

  @Test("of several threads with one setup do not disturb each other")
  func threads() throws {
    let fft = try #require(vDSP.FFT(log2n: 10, radix: .radix2, ofType: DSPSplitComplex.self))
    let numbers: [Float] = Random(9).copy(512)
    @Sendable func spectrum() -> [Float] {
      var (even, odd) = (numbers, numbers)
      split(&even, &odd) {
        var output = $0.pointee
        fft.forward(input: output, output: &output)
      }
      return even + odd
    }
    let expected = spectrum()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<50 where spectrum() != expected { Issue.record("another spectrum") }
    }
  }

  @Test("end the program with a sentence if they are longer than their setup")
  func tooLong() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
    ) {
      guard let setup = vDSP_create_fftsetup(4, FFTRadix(kFFTRadix2)) else { exit(1) }
      var number: Float = 0
      withUnsafeMutablePointer(to: &number) {
        var split = DSPSplitComplex(realp: $0, imagp: $0)
        vDSP_fft_zip(setup, &split, 1, 5, FFTDirection(FFT_FORWARD))
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text == "vDSP: a transform is longer than its setup\n")
  }
}
