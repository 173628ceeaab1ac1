// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CAudioBackends
import Foundation
import Synchronization

/// A client that records, or plays.
final class JACKPeer: @unchecked Sendable {  // the server's thread writes, others read later
  let client: JACKTestClient
  private var port: OpaquePointer?
  private let isRecorder: Bool
  private let memory: UnsafeMutablePointer<Float>
  /// Frames so far.
  private(set) var count = 0
  private var nextFrame: UInt32?
  private let missed = Atomic(0)
  private static let capacity = 48_000 * 120

  /// A recorder with one input, or a source with one output that counts: sample n is n times 2 to
  /// the -20.
  init(_ name: String, records: Bool) throws {
    client = try JACKTestClient(name)
    isRecorder = records
    memory = .allocate(capacity: Self.capacity)
    port = client.port("port", isInput: records)
    let jack = client.jack, handle = client.client
    _ = jack.pointee.jack_set_process_callback(
      handle,
      { frames, context in
        guard let context else { return 0 }
        Unmanaged<JACKPeer>.fromOpaque(context).takeUnretainedValue().process(Int(frames))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    _ = jack.pointee.jack_set_xrun_callback(
      handle,
      { context in
        guard let context else { return 0 }
        Unmanaged<JACKPeer>.fromOpaque(context).takeUnretainedValue().missed
          .wrappingAdd(1, ordering: .relaxed)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try client.activate()
  }

  deinit {
    client.close()
    memory.deallocate()
  }

  /// Cycles that it was not called for, and cycles that the server reported as late, of any client.
  var lostCycles: Int { missed.load(ordering: .relaxed) }

  private func process(_ frames: Int) {
    noteTime(frames)
    guard let port, let samples = client.samples(port, frames) else { return }
    for index in 0..<frames {
      if !isRecorder {
        samples[index] = Float(count % 1_000_000 + 1) / 1_048_576
      } else if count < Self.capacity {
        memory[count] = samples[index]
      }
      count += 1
    }
  }

  private func noteTime(_ frames: Int) {
    var (frame, begin, end, period) = (UInt32(0), UInt64(0), UInt64(0), Float(0))
    guard
      client.jack.pointee.jack_get_cycle_times(client.client, &frame, &begin, &end, &period) == 0
    else { return }
    if let nextFrame, frame != nextFrame { missed.wrappingAdd(1, ordering: .relaxed) }
    nextFrame = frame &+ UInt32(frames)
  }

  /// The name of its port.
  var portName: String {
    port.flatMap { client.jack.pointee.jack_port_name($0) }.map { String(cString: $0) } ?? ""
  }

  /// The ports whose names match a pattern.
  func ports(_ pattern: String) -> [String] { client.ports(pattern) }

  /// Connects two ports of any clients.
  func connect(_ from: String, _ to: String) -> Bool { client.connect(from, to) }

  /// The recorded signal.
  var signal: Signal {
    Signal((0..<min(count, Self.capacity)).map { memory[$0] })
  }
}
