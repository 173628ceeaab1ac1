// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import CRealTime
import MIDIMessages

extension Setup {
  /// [any thread] Sends bytes to a destination at a host time, without a port; 0 is now.
  package func send(
    _ bytes: [UInt8], to destination: MIDIEndpointRef, at time: MIDITimeStamp
  ) throws(AudioError) {
    let destination = try lock.withLock { () throws(AudioError) in
      try endpoint(destination, isSource: false)
    }
    var writer = MessageListWriter(.bytes)
    bytes.withUnsafeBufferPointer { writer.add($0, at: time > 0 ? time : rt_host_time()) }
    guard !writer.isEmpty else { return }
    try send(writer.list(), to: destination)
  }
}
