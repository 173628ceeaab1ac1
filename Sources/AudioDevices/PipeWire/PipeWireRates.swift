// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// The known rates of the server's graphs, by the names of their nodes.
final class PipeWireRates: Sendable {
  private struct State {
    /// Streams of this process that run: their nodes and their rate.
    var running: [ObjectIdentifier: (nodes: [String], rate: Double)] = [:]
    /// What a stream met that was opened for another rate, and when that was, in host time.
    var met: [String: (rate: Double, time: UInt64)] = [:]
  }

  private let state = Guarded(State())
  /// Nanoseconds for which such a rate is expected again: until a stream was opened again.
  private static let memory: UInt64 = 3_000_000_000

  /// [any thread] A stream runs on these nodes, at a rate.
  func began(_ stream: AnyObject, on nodes: [String], at rate: Double) {
    state.withLock { $0.running[ObjectIdentifier(stream)] = (nodes, rate) }
  }

  /// [any thread] A stream has stopped.
  func ended(_ stream: AnyObject) {
    state.withLock { _ = $0.running.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  /// [any thread] The graph of these nodes runs at another rate than a stream was opened for.
  func met(_ rate: Double, on nodes: [String]) {
    state.withLock { state in
      for node in nodes {
        state.met[node] = (rate, rt_host_time())
        state.running = state.running.filter { !$0.value.nodes.contains(node) }
      }
    }
  }

  /// [any thread] The rate of a node's graph, as far as this process has seen it; nil when it has not.
  func rate(of node: String) -> Double? {
    state.withLock { state in
      if let it = state.running.values.first(where: { $0.nodes.contains(node) }) { return it.rate }
      guard let it = state.met[node], rt_host_time() < it.time + Self.memory else { return nil }
      return it.rate
    }
  }
}
