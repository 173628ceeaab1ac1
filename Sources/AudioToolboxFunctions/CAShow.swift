// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio
import CRealTime
import Glibc
import ProcessingGraph

// The functions of AudioToolbox.h that print an object.

@c @implementation
public func CAShow(_ inObject: UnsafeMutableRawPointer) {
  // Writes to C's standard output, so that the text is in order with the program's own output.
  // `puts` adds the last line break.
  puts(String(text(of: OpaquePointer(inObject)).dropLast()))
  // Flushes only this stream: flushing all would wait for a thread that is reading a line.
  rt_flush_output()
}

@c @implementation
public func CAShowFile(_ inObject: UnsafeMutableRawPointer, _ inFile: UnsafeMutablePointer<FILE>) {
  guard !isNull(inFile) else { return }
  fputs(text(of: OpaquePointer(inObject)), inFile)
  fflush(inFile)
}

/// A description of the object behind a handle; an invalid handle is never dereferenced.
private func text(of handle: OpaquePointer) -> String {
  let address = "0x" + String(UInt(bitPattern: handle), radix: 16)
  if let graph = Handles.graphs.enter(handle) {
    defer { Handles.graphs.leave(handle) }
    return (try? graph.takeUnretainedValue().text())
      ?? "AudioUnitGraph \(address): another thread is changing it\n"
  }
  if let unit = Handles.units.enter(AudioUnit(handle)) {
    defer { Handles.units.leave(AudioUnit(handle)) }
    let component = unit.takeUnretainedValue().component
    return "AudioUnit \(address): \(component.description.codes), \(component.name)\n"
  }
  if let component = Handles.components.enter(handle) {
    defer { Handles.components.leave(handle) }
    let component = component.takeUnretainedValue()
    return "AudioComponent \(address): \(component.description.codes), \(component.name)\n"
  }
  return "\(address): not an object of AudioToolbox\n"
}
