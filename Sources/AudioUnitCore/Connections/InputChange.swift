// SPDX-License-Identifier: Apache-2.0
package import CAudioToolbox

/// The new source of an input, its delay, and how the old source ends.
package struct InputChange {
  package var bus: Int
  package var source: NewSource
  package var delay: DelayLine?
  /// The crossfade from the old source; nil: the sound changes at once.
  package var fade: FadeTiming?

  /// [any thread; the lock of a graph is yielded while a plug-in is queried] An edit of one input;
  /// queries the frame limit of a new source.
  package init(bus: Int, source: NewSource, delay: DelayLine?) {
    self.bus = bus
    self.source = source
    self.delay = delay
    if case .connection(let unit, _) = source { unit.findFrameLimit() }
  }
}

/// The new source of an input.
package enum NewSource {
  case nothing
  case callback(AURenderCallbackStruct)
  case connection(UnitInstance, bus: UInt32)
}
