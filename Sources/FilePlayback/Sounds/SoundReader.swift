// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// Reads the files of a schedule ahead, on a thread that exists while there is something to read.
final class SoundReader: Sendable {
  /// The streams that have frames to read, in the order in which they will be played.
  private let streams: Guarded<[SoundStream]>
  /// The thread. A render that waits for frames wakes it.
  let check: PeriodicCheck

  init(sampleRate: Double) {
    let streams = Guarded<[SoundStream]>([])
    self.streams = streams
    // A quarter of what must be free before the next read.
    let pause = min(max(1_024 / max(sampleRate, 1), 0.001), 0.05)
    check = PeriodicCheck(name: "audio-file-read") { Self.readNext(of: streams, pause) }
  }

  /// [control thread] Reads a stream from now on, or further.
  func add(_ stream: SoundStream) {
    streams.withLock { streams in
      if streams.contains(where: { $0 === stream }) { return }
      let place = stream.position.flatMap { position in
        streams.firstIndex { $0.position.map { $0 > position } ?? false }
      }
      streams.insert(stream, at: place ?? streams.endIndex)
    }
    check.wake()
  }

  /// [control thread] Reads none of its streams any more.
  func removeAll() { streams.withLock { $0 = [] } }

  /// [control thread] Waits until this many frames have been read ahead, or as many as there are and
  /// as there is room for. Waits at most ten seconds.
  func prepare(_ frames: Int) {
    check.wake()
    waitPolling(every: 500, until: rt_host_time() + 10_000_000_000) {
      let current = streams.withLock { $0.filter { !$0.isOver } }
      return Self.nextToRead(of: current) != nil
        && current.reduce(0) { $0 + $1.fill } < max(frames, 1)
    }
  }

  /// Reads a part of the first stream that needs frames; returns the seconds until the next read.
  private static func readNext(
    of guarded: Guarded<[SoundStream]>, _ pause: Double
  ) -> Double? {
    let current = guarded.withLock { streams in
      streams.removeAll { $0.isRead || $0.isOver }
      return streams.copied()
    }
    if current.isEmpty { return nil }
    guard let stream = nextToRead(of: current) else { return pause }
    stream.read()
    return 0
  }

  /// The first stream that needs frames. None waits for the end of another: the one that plays may
  /// come after one with an earlier position, which was scheduled later.
  private static func nextToRead(of streams: [SoundStream]) -> SoundStream? {
    streams.first { $0.needsFrames }
  }
}
