// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

// Calls of render threads that the compiler cannot check: of the library's C functions, whose render
// code is checked where it is written. `NodeBlocks.swift` has those of the program's blocks.

/// [render thread] Renders a unit.
@_semantics("no_performance_analysis") @inline(never)
func renderUnit(
  _ unit: AudioUnit, _ time: UnsafePointer<AudioTimeStamp>, bus: UInt32, _ frames: UInt32,
  _ list: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  var flags = AudioUnitRenderActionFlags()
  return AudioUnitRender(unit, &flags, time, bus, frames, list)
}

/// [render thread] Sends an event list to a unit. Units receive MIDI on any thread, also inside a
/// render, and neither wait nor allocate there. One that takes no lists gets their messages.
@_semantics("no_performance_analysis") @inline(never)
func sendList(
  _ list: UnsafePointer<MIDIEventList>, to unit: AudioUnit, at frame: UInt32
) -> OSStatus { MusicDeviceMIDIEventList(unit, frame, list) }
