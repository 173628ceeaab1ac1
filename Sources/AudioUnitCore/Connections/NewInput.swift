// SPDX-License-Identifier: Apache-2.0
package import CAudioToolbox

/// What is to feed an input, and what holds it back.
package struct NewInput {
  package var bus: Int
  package var source: NewSource
  package var delay: DelayLine?

  /// [control thread, no lock held] What an edit gives an input.
  package init(bus: Int, source: NewSource, delay: DelayLine?) {
    self.bus = bus
    self.source = source
    self.delay = delay
    if case .connection(let unit, _) = source { unit.findFrameLimit() }
  }
}

/// What is to feed an input.
package enum NewSource {
  case nothing
  case callback(AURenderCallbackStruct)
  case connection(UnitInstance, bus: UInt32)
}
