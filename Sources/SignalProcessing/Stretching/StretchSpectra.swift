// SPDX-License-Identifier: Apache-2.0

/// The spectra of several channels.
struct StretchSpectra: BitwiseCopyable {
  private let numbers: UnsafeMutablePointer<Float>
  private let stride: Int

  /// [control thread] Makes silent spectra of `count` numbers each, with room for sixteen more.
  init(channelCount: Int, count: Int, in memory: OwnedMemory) {
    stride = count + 16
    numbers = memory.array(2 * channelCount * stride, of: 0)
    self.channelCount = channelCount
  }

  private let channelCount: Int

  subscript(channel: Int) -> Spectrum {
    @_noLocks @inline(__always) get {
      let real = numbers + 2 &* channel &* stride
      return Spectrum(real: real, imaginary: real + stride)
    }
  }

  /// [render thread] Clears all spectra.
  @_noLocks
  func clear() { Samples.clear(numbers, count: 2 * channelCount * stride) }
}
