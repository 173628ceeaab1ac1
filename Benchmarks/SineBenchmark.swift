// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing

/// A sine: from our oscillator, from the tone generator unit, and from the render callback of a
/// textbook.
enum SineBenchmark {
  /// The times of this library.
  static func run() {
    Report.title("sine, 997 Hz, 48 kHz (ns per sample)")
    let ours = oscillator(frames: 512)
    Report.own("oscillator, 512 frames", ours, "ns", target: 0.20)
    Report.own("oscillator, 64 frames", oscillator(frames: 64), "ns")
    Report.own("tone generator unit, 512 frames", unit(frames: 512), "ns")
    Report.own("tone generator unit, 64 frames", unit(frames: 64), "ns")
    Report.peer("libm sin() in a render callback, 512 frames", callback(512), "ns", ours: ours)
  }

  /// The times of other programs.
  static func runPeers(in folder: URL) {
    Report.title("sine, 997 Hz, 48 kHz, by other programs (ns per sample)")
    let ours = oscillator(frames: 512)
    Report.peer(
      "faust os.osc, vectorised for this processor (-62 dB)",
      FaustPeer("os.osc(997)", channelCount: 1, in: folder)?.nanosecondsPerSample(frames: 512),
      "ns", ours: ours)
    for peer in Peer.sines {
      Report.peer(peer.name, peer.nanosecondsPerSample(in: folder), "ns", ours: ours)
    }
  }

  private static func oscillator(frames: Int) -> Double {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let output = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    defer { output.deallocate() }
    let time = Stopwatch.nanoseconds {
      oscillator.render(
        into: output, count: frames, waveform: .sine, frequency: 997, amplitude: 0.5)
    }
    return time / Double(frames)
  }

  private static func unit(frames: Int) -> Double {
    let host = OfflineHost(
      kAudioUnitType_Generator, kAudioUnitSubType_ToneGenerator,
      kAudioUnitManufacturer_SwiftAudioToolbox, frames: frames)
    return Stopwatch.nanoseconds { host.render() } / Double(frames)
  }

  private static func callback(_ frames: Int) -> Double {
    let host = OfflineHost(frames: frames)
    host.supply { _, _, _, _, frameCount, data in
      guard let samples = data?.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self) else {
        return noErr
      }
      let increment = 2 * Double.pi * 997 / 48_000
      var theta = 0.0
      for frame in 0..<Int(frameCount) {
        samples[frame] = Float(sin(theta) * 0.25)
        theta += increment
      }
      return noErr
    }
    return Stopwatch.nanoseconds { host.render() } / Double(frames)
  }
}
