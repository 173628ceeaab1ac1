// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
import Synchronization

/// A silent stream that requests a rate, to find out the rate at which the graph then runs. Only
/// the server knows whether it grants a rate.
final class PipeWireRateProbe: Sendable {
  private let rate = Atomic<UInt32>(0)

  /// Seconds that the first cycle may take.
  private static let timeout = 1.0

  /// [control thread] The graph's rate while such a stream runs. Nil if no cycle comes. `setup`
  /// describes the stream, without callbacks.
  static func rate(with setup: PipeWireSetup) -> Double? {
    let probe = PipeWireRateProbe()
    var setup = setup
    setup.requests_rate = true
    setup.context = Unmanaged.passUnretained(probe).toOpaque()
    setup.cycle = { _, cycle in
      guard let cycle = cycle?.pointee, let output = cycle.output else { return }
      for channel in 0..<Int(cycle.output_channels) {
        output[channel]?.update(repeating: 0, count: Int(cycle.frames))
      }
    }
    setup.changed = { _, _, _ in }
    setup.graph_changed = { probe, rate, _ in
      guard let probe else { return }
      Unmanaged<PipeWireRateProbe>.fromOpaque(probe).takeUnretainedValue().rate
        .store(rate, ordering: .relaxed)
    }
    var reason = [CChar](repeating: 0, count: 256)
    guard let stream = pipewire_stream_open(&setup, &reason, UInt32(clamping: reason.count)) else {
      return nil
    }
    defer {
      pipewire_stream_close(stream)
      withExtendedLifetime(probe) {}
    }
    waitPolling(every: 2_000, until: rt_host_time() + UInt64(timeout * 1e9)) {
      probe.rate.load(ordering: .relaxed) == 0
    }
    let rate = probe.rate.load(ordering: .relaxed)
    return rate > 0 ? Double(rate) : nil
  }
}
