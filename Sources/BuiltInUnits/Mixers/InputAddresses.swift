// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore

/// The addresses of a mixer's input samples when its mix lists were filled. The lists are filled
/// again only when an address has changed. Plain memory of its owner.
struct InputAddresses: BitwiseCopyable {
  /// The first and last channel of an input; nil while it is silent.
  private struct Addresses: BitwiseCopyable, Equatable {
    var first: UnsafeMutablePointer<Float>?
    var last: UnsafeMutablePointer<Float>?

    @_noLocks @inline(__always)
    static func == (left: Self, right: Self) -> Bool {
      left.first == right.first && left.last == right.last
    }
  }

  private let count: Int
  private let addresses: UnsafeMutablePointer<Addresses>
  private var isValid = false

  /// The memory for `count` inputs in bytes.
  static func size(_ count: Int) -> Int { max(count, 1) * MemoryLayout<Addresses>.stride }

  /// [control thread] Stores the addresses of `count` inputs at `memory`.
  init(count: Int, at memory: UnsafeMutableRawPointer) {
    self.count = count
    addresses = memory.bindMemory(to: Addresses.self, capacity: max(count, 1))
    addresses.initialize(repeating: Addresses(), count: max(count, 1))
  }

  /// [render thread] Makes the next `update` return true.
  @_noLocks
  mutating func invalidate() { isValid = false }

  /// [render thread] Stores the addresses of the inputs; returns whether one has changed.
  @_noLocks @inline(__always)
  mutating func update(_ inputs: BusSlices) -> Bool {
    var haveChanged = !isValid
    isValid = true
    var index = 0
    if !haveChanged, let changing = inputs.changing {
      // The others were silent at the last call, too.
      while index < changing.count, changing[index] < count {
        if update(changing[index], inputs) { haveChanged = true }
        index &+= 1
      }
      return haveChanged
    }
    while index < count {
      if update(index, inputs) { haveChanged = true }
      index &+= 1
    }
    return haveChanged
  }

  @_noLocks @inline(__always)
  private func update(_ bus: Int, _ inputs: BusSlices) -> Bool {
    let slice = inputs[bus]
    var current = Addresses()
    if !slice.isSilent {
      current = Addresses(first: slice[0], last: slice[slice.channelCount &- 1])
    }
    guard addresses[bus] != current else { return false }
    addresses[bus] = current
    return true
  }
}
