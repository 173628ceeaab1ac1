// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation

/// A client that uses none of our code: PipeWire's own recorder, which records the sound of a sink.
final class PipeWireRecorder {
  private let process: ServerProcess
  private let path: String

  /// Records the sound of `sink`: two channels of Float32 at 48,000 Hz.
  init(_ fixture: PipeWireFixture, of sink: String = "null1") throws {
    path = "\(fixture.folder)/recording-\(UUID().uuidString).wav"
    var environment = fixture.environment
    environment["PIPEWIRE_CONFIG_NAME"] = "client-rt.conf"
    process = try ServerProcess(
      [
        "pw-cat", "--record", "--target", sink, "--rate", "48000", "--channels", "2", "--format",
        "f32", "--latency", "512", "-P", "{ stream.capture.sink=true }", path,
      ], environment: environment, folder: fixture.folder)
    guard wait(until: { bytes.count > 10_000 }) else {
      throw ServerFailure("pw-cat records nothing: \(process.output)")
    }
  }

  private var bytes: Data { (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data() }

  /// Both channels so far. `end` ends the recording first.
  func channels(end: Bool = true) -> [Signal] {
    if end { process.end(by: SIGINT) }
    let bytes = bytes
    // The length in the header is written only at the end.
    guard let begin = bytes.range(of: Data("data".utf8))?.upperBound else { return [] }
    let samples = bytes.dropFirst(begin + 4).withUnsafeBytes { raw in
      (0..<raw.count / 8 * 2).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    return (0..<2).map { channel in
      Signal(stride(from: channel, to: samples.count, by: 2).map { samples[$0] })
    }
  }
}

extension Signal {
  /// Without the silence before and after the sound.
  var trimmed: Signal {
    guard let first = samples.firstIndex(where: { $0 != 0 }),
      let last = samples.lastIndex(where: { $0 != 0 })
    else { return Signal([Double]()) }
    return self[first..<last + 1]
  }
}
