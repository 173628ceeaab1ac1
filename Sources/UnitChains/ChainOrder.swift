// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
package import CAudioToolbox

/// A unit of a chain, with the sources of its inputs.
package struct ChainNode {
  /// A connection from another unit of the chain.
  package struct Source {
    package var bus: UInt32
    /// The place of the other unit.
    package var unit: Int
    package var output: UInt32

    package init(bus: UInt32, unit: Int, output: UInt32) {
      (self.bus, self.unit, self.output) = (bus, unit, output)
    }
  }

  package var unit: AudioUnit
  package var sources: [Source]
  /// Whether its first input gets the input of the chain.
  package var isFed: Bool

  package init(_ unit: AudioUnit, sources: [Source], isFed: Bool) {
    (self.unit, self.sources, self.isFed) = (unit, sources, isFed)
  }
}

/// Whether the sources of a unit are being put in order, or are in order.
private enum Mark { case open, done }

extension [ChainNode] {
  /// The places of the units that `head` plays, sources first.
  ///
  /// - Throws: If they feed each other in a circle.
  func order(endingWith head: Int) throws(AudioError) -> [Int] {
    var marks: [Int: Mark] = [:]
    var order: [Int] = []
    // Not recursive: a chain may be long. A place is on the stack until its sources are done.
    var stack = [head]
    while let place = stack.last {
      let waiting = self[place].sources.map(\.unit).filter { marks[$0] != .done }
      if waiting.isEmpty {
        stack.removeLast()
        if marks.updateValue(.done, forKey: place) != .done { order.append(place) }
        continue
      }
      guard marks[place] == nil, !waiting.contains(where: { marks[$0] == .open }) else {
        throw AudioError(status: kAUGraphErr_InvalidConnection).because(
          "the units feed each other in a circle")
      }
      marks[place] = .open
      stack += waiting
    }
    return order
  }
}
