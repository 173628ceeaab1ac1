// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry
// The input of a speech model: frames with a window, their power by a transform of interleaved and of
// split numbers, triangular bands on the scale of mel as a matrix, decibels, and a picture of integers.
// Prints bands 40, frames 98
// Prints loudest band 13
// Prints both transforms agree
// Prints range 0 to 255

import Accelerate
import Foundation

final class MelBank {
  let matrix: [Float]
  let bands: Int
  let bins: Int

  init(sampleRate: Double, size: Int, bands: Int, low: Double = 0, high: Double = 8_000) {
    func mel(_ hertz: Double) -> Double { 2_595 * log10(1 + hertz / 700) }
    func hertz(_ mel: Double) -> Double { 700 * (pow(10, mel / 2_595) - 1) }
    self.bands = bands
    bins = size / 2
    let edges = vDSP.ramp(in: mel(low)...mel(high), count: bands + 2).map {
      Float(hertz($0) * Double(size) / sampleRate)
    }
    var matrix = [Float](repeating: 0, count: bands * bins)
    for band in 0..<bands {
      // A triangle is the line through its three corners.
      let triangle = vDSP.linearInterpolate(
        values: [0, 1, 0], atIndices: edges[band..<band + 3].map { $0 })
      matrix.replaceSubrange(
        band * bins..<band * bins + min(bins, triangle.count), with: triangle.prefix(bins))
    }
    self.matrix = matrix
  }

  func energies(of power: [Float], frames: Int) -> [Float] {
    var turned = [Float](repeating: 0, count: power.count)
    vDSP_mtrans(power, 1, &turned, 1, vDSP_Length(bins), vDSP_Length(frames))
    var result = [Float](repeating: 0, count: bands * frames)
    vDSP_mmul(
      matrix, 1, turned, 1, &result, 1, vDSP_Length(bands), vDSP_Length(frames), vDSP_Length(bins))
    return result
  }
}

struct Spectrogram {
  let size = 400
  let hop = 160
  let window = vDSP.window(
    ofType: Float.self, usingSequence: .hanningDenormalized, count: 400, isHalfWindow: false)
  let split = try! vDSP.DiscreteFourierTransform(
    previous: nil, count: 512, direction: .forward, transformType: .complexComplex,
    ofType: Float.self)
  let interleaved = try! vDSP.DiscreteFourierTransform(
    count: 512, direction: .forward, transformType: .complexComplex, ofType: DSPComplex.self)

  func frame(_ samples: ArraySlice<Float>) -> [Float] {
    vDSP.multiply(samples, window) + [Float](repeating: 0, count: 512 - size)
  }

  func power(_ samples: ArraySlice<Float>) -> [Float] {
    let zeros = [Float](repeating: 0, count: 512)
    let spectrum = split.transform(real: frame(samples), imaginary: zeros)
    let power = vDSP.add(
      multiplication: (spectrum.real, spectrum.real),
      multiplication: (spectrum.imaginary, spectrum.imaginary))
    return Array(power.prefix(256))
  }

  func powerOfInterleaved(_ samples: ArraySlice<Float>) -> [Float] {
    let numbers = frame(samples).map { DSPComplex(real: $0, imag: 0) }
    let spectrum = interleaved.transform(input: numbers)
    return spectrum.prefix(256).map { $0.real * $0.real + $0.imag * $0.imag }
  }
}

let rate = 16_000.0
let pcm = (0..<16_000).map { Int16(8_000 * sin(2 * .pi * 1_000 * Double($0) / rate)) }
var samples = vDSP.multiply(
  1 / Float(Int16.max), vDSP.integerToFloatingPoint(pcm, floatingPointType: Float.self))
vDSP.add(-vDSP.mean(samples), samples, result: &samples)

let spectrogram = Spectrogram()
var power: [Float] = []
var frames = 0
var isSame = true
for start in stride(from: 0, to: samples.count - spectrogram.size + 1, by: spectrogram.hop) {
  let slice = samples[start..<start + spectrogram.size]
  let row = spectrogram.power(slice)
  let distance = vDSP.distanceSquared(row, spectrogram.powerOfInterleaved(slice))
  isSame = isSame && distance <= 1e-6 * vDSP.sumOfSquares(row)
  power += row
  frames += 1
}
let bank = MelBank(sampleRate: rate, size: 512, bands: 40)
var mel = bank.energies(of: power, frames: frames)
print("bands \(bank.bands), frames \(frames)")

vDSP.threshold(mel, to: 1e-10, with: .clampToThreshold, result: &mel)
vDSP.convert(power: mel, toDecibels: &mel, zeroReference: Float(1))
let floor = vDSP.maximum(mel) - 80
vDSP.threshold(mel, to: floor, with: .clampToThreshold, result: &mel)
let (loudest, _) = vDSP.indexOfMaximum(mel)
print("loudest band \(Int(loudest) / frames)")
print(isSame ? "both transforms agree" : "the transforms differ")

vDSP.add(multiplication: (mel, 255 / 80), -floor * 255 / 80, result: &mel)
let pixels = vDSP.floatingPointToInteger(
  mel, integerType: UInt8.self, rounding: .towardNearestInteger)
print("range \(pixels.min()!) to \(pixels.max()!)")
