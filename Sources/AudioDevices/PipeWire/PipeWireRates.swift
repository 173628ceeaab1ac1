// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// The known rates of the server's graphs, by node name.
final class PipeWireRates: Sendable {
  private struct State {
    /// The running streams of this process, with their nodes and rate.
    var running: [ObjectIdentifier: (nodes: [String], rate: Double)] = [:]
    /// The rate that a stream found instead of the rate it was opened for, and when, in host time.
    var observed: [String: (rate: Double, time: UInt64)] = [:]
  }

  private let state = Guarded(State())
  /// Nanoseconds for which an observed rate stays valid, long enough to reopen a stream.
  private static let lifetime: UInt64 = 3_000_000_000

  /// [any thread] Notes that a stream runs on these nodes at a rate.
  func began(_ stream: AnyObject, on nodes: [String], at rate: Double) {
    state.withLock { $0.running[ObjectIdentifier(stream)] = (nodes, rate) }
  }

  /// [any thread] Notes that a stream has stopped.
  func ended(_ stream: AnyObject) {
    state.withLock { _ = $0.running.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  /// [any thread] Notes that the graph of these nodes runs at another rate than a stream was opened
  /// for.
  func observed(_ rate: Double, on nodes: [String]) {
    state.withLock { state in
      for node in nodes {
        state.observed[node] = (rate, rt_host_time())
        state.running = state.running.filter { !$0.value.nodes.contains(node) }
      }
    }
  }

  /// [any thread] The rate of a node's graph. Nil if this process has not observed it.
  func rate(of node: String) -> Double? {
    state.withLock { state in
      if let it = state.running.values.first(where: { $0.nodes.contains(node) }) { return it.rate }
      guard let it = state.observed[node], rt_host_time() < it.time + Self.lifetime else {
        return nil
      }
      return it.rate
    }
  }
}
