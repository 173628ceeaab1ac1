// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing

/// A room of 5 by 4 by 2.7 m with partly reflecting walls: the image-source method.
struct SimulatedRoom {
  private static let size = [5, 4, 2.7]

  /// The positions of loudspeaker and microphone, in metres.
  var source: [Double]
  var microphone: [Double]
  /// The seed of small random shifts of the reflections, because no wall is a perfect mirror.
  var seed: UInt64

  /// The impulse response between them: half a second, with an energy of 1, high-passed at 80 Hz.
  func response(sampleRate: Double, decay: Double) -> [Float] {
    let (speed, length) = (343.0, 0.5)
    let (x, y, z) = (Self.size[0], Self.size[1], Self.size[2])
    let surface = 2 * (x * y + x * z + y * z)
    let reflection = max(1 - 0.161 * x * y * z / (surface * decay), 0.01).squareRoot()
    var random = Xoshiro256(seed: seed)
    var taps = [Double](repeating: 0, count: Int(length * sampleRate) + 64)
    let images = (0..<3).map { axis -> [(offset: Double, walls: Int)] in
      let most = Int((length * speed / (2 * Self.size[axis])).rounded(.up)) + 1
      return (-most...most).flatMap { shift in
        (0...1).map { side in
          let place = Double(1 - 2 * side) * source[axis] + 2 * Double(shift) * Self.size[axis]
          return (place - microphone[axis], abs(shift - side) + abs(shift))
        }
      }
    }
    for first in images[0] {
      for second in images[1] {
        for third in images[2] {
          let squares =
            first.offset * first.offset + second.offset * second.offset
            + third.offset * third.offset
          let distance = squares.squareRoot()
          let walls = first.walls + second.walls + third.walls
          let early = walls > 0 ? Double.random(in: -2...2, using: &random) : 0
          let time = distance / speed * sampleRate + early
          guard time >= 0, Int(time) + 1 < taps.count - 64 else { continue }
          let gain = pow(reflection, Double(walls)) / (4 * .pi * max(distance, 0.1))
          let part = time - time.rounded(.down)
          taps[Int(time)] += gain * (1 - part)
          taps[Int(time) + 1] += gain * part
        }
      }
    }
    let high = Self.highPass(taps.dropLast(64), sampleRate: sampleRate)
    let energy = high.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return high.map { Float($0 / energy) }
  }

  /// A second-order Butterworth high-pass filter at 80 Hz.
  private static func highPass(_ samples: some Sequence<Double>, sampleRate: Double) -> [Double] {
    let k = tan(.pi * 80 / sampleRate)
    let scale = 1 / (1 + 2.0.squareRoot() * k + k * k)
    let (a1, a2) = (2 * (k * k - 1) * scale, (1 - 2.0.squareRoot() * k + k * k) * scale)
    var (one, two) = (0.0, 0.0)
    return samples.map { sample in
      let output = sample * scale + one
      (one, two) = (-2 * sample * scale - a1 * output + two, sample * scale - a2 * output)
      return output
    }
  }

  /// The first frames of a sound convolved with an impulse response.
  static func convolve(_ sound: [Float], _ response: [Float], count: Int) -> [Float] {
    var length = 1
    while length < sound.count + response.count { length *= 2 }
    let transform = FourierTransform(count: length)
    // Both signals are real, so one complex transform is enough for both.
    var real = sound.map { Double($0) } + [Double](repeating: 0, count: length - sound.count)
    var imaginary =
      response.map { Double($0) } + [Double](repeating: 0, count: length - response.count)
    forward(transform, &real, &imaginary)
    var (productReal, productImaginary) = (real, imaginary)
    for bin in 0..<length {
      let mirror = (length - bin) % length
      let one = ((real[bin] + real[mirror]) / 2, (imaginary[bin] - imaginary[mirror]) / 2)
      let other = ((imaginary[bin] + imaginary[mirror]) / 2, (real[mirror] - real[bin]) / 2)
      productReal[bin] = one.0 * other.0 - one.1 * other.1
      // Conjugated, so that another forward transform is the inverse.
      productImaginary[bin] = -(one.0 * other.1 + one.1 * other.0)
    }
    forward(transform, &productReal, &productImaginary)
    return productReal.prefix(count).map { Float($0 / Double(length)) }
  }

  private static func forward(
    _ transform: borrowing FourierTransform, _ real: inout [Double], _ imaginary: inout [Double]
  ) {
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
        transform.forward(real, imaginary)
      }
    }
  }
}
