// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore

/// Where the samples of a mixer's inputs lay when a list of them was made, so that the list is made
/// anew only when one has moved. Plain memory of its owner.
struct InputPlaces: BitwiseCopyable {
  /// First and last channel of an input; nil while it is silent.
  private struct Place: BitwiseCopyable, Equatable {
    var first: UnsafeMutablePointer<Float>?
    var last: UnsafeMutablePointer<Float>?

    @_noLocks @inline(__always)
    static func == (left: Self, right: Self) -> Bool {
      left.first == right.first && left.last == right.last
    }
  }

  private let count: Int
  private let places: UnsafeMutablePointer<Place>
  private var areKnown = false

  /// Bytes for the places of `count` inputs.
  static func size(_ count: Int) -> Int { max(count, 1) * MemoryLayout<Place>.stride }

  /// [control thread] Keeps the places of `count` inputs in the memory that begins there.
  init(count: Int, at memory: UnsafeMutableRawPointer) {
    self.count = count
    places = memory.bindMemory(to: Place.self, capacity: max(count, 1))
    places.initialize(repeating: Place(), count: max(count, 1))
  }

  /// [render thread] The list is made elsewhere: the next `follow` finds every place changed.
  @_noLocks
  mutating func forget() { areKnown = false }

  /// [render thread] Notes where the inputs lie; whether one lies elsewhere than before.
  @_noLocks @inline(__always)
  mutating func follow(_ inputs: BusSlices) -> Bool {
    var haveMoved = !areKnown
    areKnown = true
    var bus = 0
    while bus < count {
      let slice = inputs[bus]
      var place = Place()
      if !slice.isSilent {
        place = Place(first: slice[0], last: slice[slice.channelCount &- 1])
      }
      if places[bus] != place {
        places[bus] = place
        haveMoved = true
      }
      bus &+= 1
    }
    return haveMoved
  }
}
