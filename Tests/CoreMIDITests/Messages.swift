// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CoreMIDI
import Synchronization

/// Collects bytes or words that arrive on other threads.
final class Collected<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }

  func append(_ element: Element) { elements.withLock { $0.append(element) } }

  /// Waits for this many, for half a minute at most.
  func wait(for count: Int) -> Bool { AudioTestSupport.wait { all.count >= count } }
}

/// A client with an output port, which ends with the object.
final class TestClient {
  private(set) var ref = MIDIClientRef()
  private(set) var output = MIDIPortRef()

  init() {
    MIDIClientCreateWithBlock("CoreMIDITests" as CFString, &ref, nil)
    MIDIOutputPortCreate(ref, "out" as CFString, &output)
  }

  deinit { MIDIClientDispose(ref) }

  /// Sends bytes now.
  @discardableResult
  func send(_ bytes: [UInt8], to destination: MIDIEndpointRef) -> OSStatus {
    let builder = MIDIPacketList.Builder(byteSize: 1024)
    builder.append(timestamp: 0, data: bytes)
    return builder.withUnsafePointer { MIDISend(output, destination, $0) }
  }
}

/// The text of a property; nil if there is none.
func string(_ object: MIDIObjectRef, _ property: CFString) -> String? {
  var text: Unmanaged<CFString>?
  guard MIDIObjectGetStringProperty(object, property, &text) == noErr else { return nil }
  return text.map { String(describing: $0.takeRetainedValue()) }
}
