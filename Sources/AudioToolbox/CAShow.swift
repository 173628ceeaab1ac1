// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio
import CRealTime
import Glibc
import ProcessingGraph

// The functions of AudioToolbox.h that show an object.

@c @implementation
public func CAShow(_ inObject: UnsafeMutableRawPointer) {
  // To C's standard output, in order with what the program prints there; `puts` ends the last line.
  puts(String(text(of: OpaquePointer(inObject)).dropLast()))
  // This stream only: flushing all of them would wait for a thread that reads a line.
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
