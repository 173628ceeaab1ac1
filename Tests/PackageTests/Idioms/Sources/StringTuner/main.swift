// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap
// Finds the frequency of a string: the packed transform in split numbers, magnitudes in decibels, the
// peak between two bins by a parabola, and the same by autocorrelation.
// Prints spectrum 110\.0 Hz
// Prints correlation 110\.[0-3] Hz
// Prints note A2

import Accelerate
import Foundation

class SpectrumAnalyser {
  let count: Int
  private let log2n: vDSP_Length
  private let fft: vDSP.FFT<DSPSplitComplex>
  private var window: [Float]
  private var realParts: [Float]
  private var imaginaryParts: [Float]

  init(count: Int) {
    self.count = count
    log2n = vDSP_Length(log2(Double(count)))
    fft = vDSP.FFT(log2n: log2n, radix: .radix2, ofType: DSPSplitComplex.self)!
    window = [Float](repeating: 0, count: count)
    vDSP_hann_window(&window, vDSP_Length(count), Int32(vDSP_HANN_NORM))
    realParts = [Float](repeating: 0, count: count / 2)
    imaginaryParts = realParts
  }

  func decibels(of signal: [Float]) -> [Float] {
    let windowed = vDSP.multiply(signal, window)
    var magnitudes = [Float](repeating: 0, count: count / 2)
    realParts.withUnsafeMutableBufferPointer { real in
      imaginaryParts.withUnsafeMutableBufferPointer { imaginary in
        var split = DSPSplitComplex(realp: real.baseAddress!, imagp: imaginary.baseAddress!)
        windowed.withUnsafeBytes {
          vDSP.convert(
            interleavedComplexVector: [DSPComplex]($0.bindMemory(to: DSPComplex.self)),
            toSplitComplexVector: &split)
        }
        fft.forward(input: split, output: &split)
        split.imagp[0] = 0
        vDSP.absolute(split, result: &magnitudes)
      }
    }
    vDSP.convert(
      amplitude: magnitudes, toDecibels: &magnitudes, zeroReference: Float(count))
    return magnitudes
  }

  func peak(of signal: [Float], rate: Float) -> Float {
    let levels = decibels(of: signal)
    let index = Int(vDSP.indexOfMaximum(levels).0)
    let (a, b, c) = (levels[index - 1], levels[index], levels[index + 1])
    return (Float(index) + (a - c) / (2 * (a - 2 * b + c))) * rate / Float(count)
  }
}

/// The lag at which a signal is most like itself.
func period(of signal: [Float], lags: Range<Int>) -> Int {
  let part = signal.count - lags.upperBound
  let products = vDSP.correlate(
    signal[lags.lowerBound..<lags.upperBound + part - 1], withKernel: signal[0..<part])
  let (index, _) = vDSP.indexOfMaximum(products)
  return lags.lowerBound + Int(index)
}

let rate: Float = 44_100
let phases = vDSP.ramp(
  withInitialValue: Float(0), increment: 2 * .pi * 110 / rate, count: 16_384)
let fundamental = vForce.sin(phases)
let third = vForce.sin(vDSP.multiply(3, phases))
let envelope = vForce.exp(vDSP.multiply(-0.2 / (2 * .pi * 110), phases))
let string = vDSP.add(multiplication: (fundamental, 0.7), multiplication: (third, 0.2))
let signal = vDSP.multiply(string, envelope)

let analyser = SpectrumAnalyser(count: 16_384)
let spectral = analyser.peak(of: signal, rate: rate)
print(String(format: "spectrum %.1f Hz", spectral))
let lag = period(of: Array(signal[0..<4_096]), lags: 200..<800)
print(String(format: "correlation %.1f Hz", rate / Float(lag)))

let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
let key = Int((69 + 12 * log2(spectral / 440)).rounded())
print("note \(names[key % 12])\(key / 12 - 1)")
