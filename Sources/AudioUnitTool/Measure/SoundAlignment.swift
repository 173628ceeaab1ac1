// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// Finds by how many frames one sound is later than another: the maximum of their cross-correlation.
struct SoundAlignment {
  /// The frames of each sound that are compared, from their beginnings.
  private static let windowFrames = 1 << 20

  /// The channels of a sound, added; at most `windowFrames` of them.
  private static func mono(_ sound: any SoundStream) throws(Failure) -> [Float] {
    var samples: [Float] = []
    let memory = BlockMemory(channelCount: sound.channelCount)
    while samples.count < windowFrames {
      let count = try sound.read(
        into: memory.samples, min(BlockMemory.frameCount, windowFrames - samples.count))
      if count == 0 { break }
      for frame in 0..<count {
        var sum = 0.0
        for channel in 0..<memory.channelCount {
          sum += memory.samples[frame * memory.channelCount + channel]
        }
        samples.append(sum.isFinite ? Float(sum) : 0)
      }
    }
    return samples
  }

  /// The frames by which `second` is later than `first`, from -`limit` to `limit`; negative if it is
  /// earlier. 0 if one of them is silent.
  static func offset(
    of second: any SoundStream, to first: any SoundStream, limit: Int
  ) throws(Failure) -> Int {
    let (one, other) = (try mono(first), try mono(second))
    guard one.contains(where: { $0 != 0 }), other.contains(where: { $0 != 0 }) else { return 0 }
    var size = 4
    while size < one.count + other.count { size *= 2 }
    let transform = RealTransform(count: size)
    defer { transform.deallocate() }
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let samples = memory.array(size, of: Float(0))
    let spectra = [
      Spectrum(memory, binCount: size / 2 + 1), Spectrum(memory, binCount: size / 2 + 1),
    ]
    for (sound, spectrum) in zip([one, other], spectra) {
      samples.update(repeating: 0, count: size)
      for index in sound.indices { samples[index] = sound[index] }
      transform.forward(samples, spectrum)
    }
    let (a, b) = (spectra[0], spectra[1])
    for bin in 0...size / 2 {
      let (real, imaginary) = (
        a.real[bin] * b.real[bin] + a.imaginary[bin] * b.imaginary[bin],
        a.real[bin] * b.imaginary[bin] - a.imaginary[bin] * b.real[bin]
      )
      (a.real[bin], a.imaginary[bin]) = (real, imaginary)
    }
    transform.inverse(a, samples)
    // A sound and its inverse are aligned, too. Of equal maxima, as of a steady tone, the one with the
    // smallest offset counts.
    var (best, bestValue) = (0, abs(samples[0]))
    for distance in 1...max(1, min(limit, size / 2 - 1)) {
      for (place, value) in [
        (distance, abs(samples[distance])), (-distance, abs(samples[size - distance])),
      ] where value > bestValue * 1.000_01 { (best, bestValue) = (place, value) }
    }
    return best
  }
}
