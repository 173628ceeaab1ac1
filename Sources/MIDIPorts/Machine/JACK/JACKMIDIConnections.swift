// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
import JACKClients

/// The connections that a server has confirmed to a client.
///
/// A server connects two ports some time after the call that requests it has returned, a busy one much
/// later. What a port sends before that is lost.
struct JACKMIDIConnections: Sendable {
  /// The numbers of the ports from which connections lead.
  private let sources = Guarded<Set<UInt32>>([])

  /// [a thread of JACK] Notes what the server reports.
  func note(from source: UInt32, isConnected: Bool) {
    sources.withLock { ports in
      if isConnected { ports.insert(source) } else { ports.remove(source) }
    }
  }

  /// [machine thread] Whether a connection leads from a port of a client.
  func lead(from port: OpaquePointer, of client: JACKClient) -> Bool {
    !numbers(of: port, client).isEmpty
  }

  /// [machine thread] Forgets those of an earlier port with the same number.
  func forget(_ port: OpaquePointer, of client: JACKClient) {
    let numbers = numbers(of: port, client)
    sources.withLock { $0.subtract(numbers) }
  }

  private func numbers(of port: OpaquePointer, _ client: JACKClient) -> Set<UInt32> {
    sources.withLock { $0 }.filter {
      client.jack.pointee.jack_port_by_id(client.pointer, $0) == port
    }
  }
}

/// Whether a port already carries what it sends.
enum JACKMIDIReadiness {
  /// The server has not confirmed the connection. It is no longer awaited at a host time.
  case connecting(until: UInt64)
  /// The connection is confirmed when this many cycles have ended. The peer may use it a cycle later.
  case connected(at: Int)
  case ready

  /// Nanoseconds that a server may take.
  private static let patience: UInt64 = 2_000_000_000
  /// Cycles from the confirmation on.
  private static let cycles = 2

  /// That of a port whose connection is requested now.
  static var requested: Self { .connecting(until: rt_host_time() + patience) }

  var isReady: Bool { if case .ready = self { true } else { false } }

  /// Moves on.
  mutating func update(isConnected: () -> Bool, endedCycles: Int) {
    if case .connecting(let deadline) = self {
      if isConnected() {
        self = .connected(at: endedCycles)
      } else if rt_host_time() > deadline {
        self = .ready
      }
    }
    if case .connected(let count) = self, endedCycles &- count >= Self.cycles { self = .ready }
  }
}
