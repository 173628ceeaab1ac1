// SPDX-License-Identifier: Apache-2.0
import CoreMIDI
@_spi(TrappingConversions) import CheckedNumbers

/// Sends messages to a destination, or from a virtual source.
final class MIDIOutput {
  private enum Target {
    case destination(MIDIEndpointRef, MIDIPortRef)
    case virtualSource(MIDIEndpointRef)
  }

  /// Seconds that a server may take for its last cycles, and bytes that any takes in a second.
  private static let (lastCycles, byteRate) = (0.25, 40_000.0)

  private let client: MIDIClientRef
  private let target: Target
  private var byteCount = 0

  /// Opens a port for a destination.
  init(to destination: MIDIEndpointRef, of client: MIDIClientRef) throws(Failure) {
    var port = MIDIPortRef()
    try Failure.check(
      MIDIOutputPortCreate(client, "out" as CFString, &port), "Can't make a MIDI port")
    (self.client, target) = (client, .destination(destination, port))
  }

  /// Makes a virtual source.
  init(virtualSource name: String, of client: MIDIClientRef) throws(Failure) {
    var source = MIDIEndpointRef()
    try Failure.check(MIDISourceCreate(client, name as CFString, &source), name)
    (self.client, target) = (client, .virtualSource(source))
  }

  /// Sends a whole message now.
  func send(_ message: [UInt8]) throws(Failure) {
    byteCount += message.count
    // A packet has at most 65,535 bytes.
    for start in stride(from: 0, to: message.count, by: 16_384) {
      let part = Array(message[start..<min(start + 16_384, message.count)])
      let builder = MIDIPacketList.Builder(byteSize: part.count + 64)
      builder.append(timestamp: 0, data: part)
      let status = builder.withUnsafePointer { list in
        switch target {
        case .destination(let destination, let port): MIDISend(port, destination, list)
        case .virtualSource(let source): MIDIReceived(source, list)
        }
      }
      try Failure.check(status, "Can't send")
    }
  }

  /// Waits until what was sent has left this process.
  func finish() {
    waitForDelivery()
    // Returns when the thread that writes to servers has done so.
    MIDIRestart()
    usleep(UInt32(clamping: Int(saturating: seconds * 1_000_000)))
  }

  private var seconds: Double { Self.lastCycles + Double(byteCount) / Self.byteRate }

  /// Waits until a message has passed the bus of this process. Messages are delivered in the order in
  /// which they were sent.
  private func waitForDelivery() {
    let arrived = DispatchSemaphore(value: 0)
    var (input, output) = (MIDIPortRef(), MIDIPortRef())
    let status = MIDIInputPortCreateWithBlock(client, "end" as CFString, &input) { _, _ in
      arrived.signal()
    }
    guard status == noErr,
      MIDIOutputPortCreate(client, "end" as CFString, &output) == noErr,
      MIDIPortConnectSource(input, MIDIGetSource(0), nil) == noErr
    else { return }
    defer {
      MIDIPortDispose(input)
      MIDIPortDispose(output)
    }
    let builder = MIDIPacketList.Builder(byteSize: 64)
    builder.append(timestamp: 0, data: 0xFE)
    guard builder.withUnsafePointer({ MIDISend(output, MIDIGetDestination(0), $0) }) == noErr else {
      return
    }
    _ = arrived.wait(timeout: .now() + 5)
  }
}
