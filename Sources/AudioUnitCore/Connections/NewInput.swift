// SPDX-License-Identifier: Apache-2.0
package import CAudioToolbox

/// The new source of an input, and its delay.
package struct NewInput {
  package var bus: Int
  package var source: NewSource
  package var delay: DelayLine?

  /// [control thread, no lock held] The source and delay that an edit gives an input.
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
