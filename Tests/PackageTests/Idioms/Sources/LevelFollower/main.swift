// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap
// Follows the level of a signal: a filter of second-order sections, RMS of blocks in decibels, an
// envelope by a recursive filter and its decimation, gates, and statistics.
// Prints loud -(8\.9|9\.[01]) dB
// Prints quiet -4[23]\.[0-9] dB
// Prints open 5[01] of 100 blocks
// Prints deviation 1\.000, mean 0\.000
// Prints crossings 880
// Prints table 2\.5 and 10\.0
// Prints polar 5\.0 0\.927, back 3\.0 4\.0

import Accelerate
import Foundation

struct LevelFollower {
  private var filter: vDSP.Biquad<Float>

  /// A high-pass filter of two sections.
  init?(cutoff: Double, rate: Double) {
    let w = 2 * Double.pi * cutoff / rate
    let (alpha, c) = (sin(w) / 2.squareRoot(), cos(w))
    let a0 = 1 + alpha
    let section = [
      (1 + c) / 2 / a0, -(1 + c) / a0, (1 + c) / 2 / a0, -2 * c / a0, (1 - alpha) / a0,
    ]
    guard
      let filter = vDSP.Biquad(
        coefficients: section + section, channelCount: 1, sectionCount: 2, ofType: Float.self)
    else { return nil }
    self.filter = filter
  }

  mutating func levels(of signal: [Float], block: Int) -> [Float] {
    let filtered = filter.apply(input: signal)
    let levels = stride(from: 0, to: filtered.count, by: block).map {
      vDSP.rootMeanSquare(filtered[$0..<min($0 + block, filtered.count)])
    }
    return vDSP.amplitudeToDecibels(vDSP.clip(levels, to: 1e-6...1), zeroReference: 1)
  }
}

let rate = 48_000.0
var signal: [Float] = (0..<48_000).map { Float(sin(2 * .pi * 440 * (Double($0) + 0.5) / rate)) }
// Half a second loud, half a second quiet.
signal.withUnsafeMutableBufferPointer { samples in
  var loud = UnsafeMutableBufferPointer(rebasing: samples[..<24_000])
  var quiet = UnsafeMutableBufferPointer(rebasing: samples[24_000...])
  vDSP.multiply(0.5, loud, result: &loud)
  vDSP.multiply(0.01, quiet, result: &quiet)
}
var follower = LevelFollower(cutoff: 40, rate: rate)!
let levels = follower.levels(of: signal, block: 480)
print(String(format: "loud %.1f dB", levels[20]))
print(String(format: "quiet %.1f dB", levels[90]))

let gate = vDSP.threshold(levels, to: -30, with: .zeroFill).map { Float($0 == 0 ? 0 : 1) }
let open = vDSP.compress(levels, gatingVector: gate, nonZeroGatingCount: nil)
print("open \(open.count) of \(levels.count) blocks")

var normal = [Float](repeating: 0, count: levels.count)
vDSP.normalize(levels, result: &normal)
print(
  String(
    format: "deviation %.3f, mean %.3f", vDSP.standardDeviation(normal), abs(vDSP.mean(normal))))
print("crossings \(vDSP.countZeroCrossings(signal) + 1)")

// The envelope, slow, at a thousandth of the rate.
let rectified = vDSP.absolute(signal)
let envelope = vDSP.twoPoleTwoZeroFilter(rectified, coefficients: (0.01, 0, 0, -0.99, 0))
let slow = vDSP.downsample(
  envelope, decimationFactor: 1_000, filter: [Float](repeating: 0.25, count: 4))
precondition(slow.count == 48 && slow[20] > 0.3 && slow[40] < 0.01)

let curve: [Float] = [0, 5, 10]
let looked = vDSP.linearInterpolate(
  lookupTable: curve, withOffsets: [5, 90] as [Float], scale: 0.1)
print(String(format: "table %.1f and %.1f", looked[0], looked[1]))

var polar: [Double] = [0, 0]
vDSP.convert(rectangularCoordinates: [3.0, 4.0], toPolarCoordinates: &polar)
let back = vDSP.polarToRectangular(polar)
print(String(format: "polar %.1f %.3f, back %.1f %.1f", polar[0], polar[1], back[0], back[1]))
