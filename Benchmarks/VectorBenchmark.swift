// SPDX-License-Identifier: Apache-2.0
import Accelerate
import Foundation

/// vDSP and vForce, compared with FFTW and numpy.
enum VectorBenchmark {
  static func run(in folder: URL) {
    transforms(in: folder)
    operations()
  }

  // MARK: Transforms

  private static func transforms(in folder: URL) {
    let peer = compiledPeer(in: folder)
    for log2n in [6, 8, 10, 12, 14, 16] {
      let count = 1 << log2n
      Report.title("Fourier transforms of \(count) numbers (ns per transform)")
      let theirs = peer.map { figures(of: [$0, "\(log2n)"]) } ?? [:]
      // Zeros stay zeros, however often they are transformed in place.
      let memory = UnsafeMutablePointer<Double>.allocate(capacity: 2 * count)
      defer { memory.deallocate() }
      memory.initialize(repeating: 0, count: 2 * count)
      let floats = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Float.self)
      var split = DSPSplitComplex(realp: floats, imagp: floats + count)
      var wide = DSPDoubleSplitComplex(realp: memory, imagp: memory + count)
      guard let setup = vDSP_create_fftsetup(UInt(log2n), FFTRadix(kFFTRadix2)),
        let wideSetup = vDSP_create_fftsetupD(UInt(log2n), FFTRadix(kFFTRadix2))
      else { fail("no memory for a transform") }
      defer {
        vDSP_destroy_fftsetup(setup)
        vDSP_destroy_fftsetupD(wideSetup)
      }
      let direction = FFTDirection(kFFTDirection_Forward)
      show("complex", theirs, of: "FFTW", limit: 2) {
        vDSP_fft_zip(setup, &split, 1, UInt(log2n), direction)
      }
      show("real", theirs, of: "FFTW", limit: 2) {
        vDSP_fft_zrip(setup, &split, 1, UInt(log2n), direction)
      }
      // Halves of zeros with a sign would be very small numbers, which are slow.
      memory.update(repeating: 0, count: 2 * count)
      show("complex, double", theirs, of: "FFTW", limit: 2) {
        vDSP_fft_zipD(wideSetup, &wide, 1, UInt(log2n), direction)
      }
    }
  }

  private static func show(
    _ name: String, _ peers: [String: Double], of peer: String, limit: Double? = nil,
    per count: Int = 1, _ work: () -> Void
  ) {
    let time = Stopwatch.nanoseconds(work) / Double(count)
    let figure = peers[name]
    Report.own(name, time, "ns", target: limit.flatMap { limit in figure.map { limit * $0 } })
    Report.peer(peer, figure, "ns", ours: time)
  }

  // MARK: Operations

  private static func operations() {
    let count = 4096, length = UInt(count)
    let script = sources.appendingPathComponent("vectors.py").path
    let theirs = figures(of: ["python3", script, "\(count)"])
    Report.title("vectors of \(count) floats (ns per element)")
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 3 * count)
    defer { memory.deallocate() }
    for index in 0..<3 * count { memory[index] = 2 * Float(index % count) / Float(count) - 1 }
    let (a, b, c) = (memory, memory + count, memory + 2 * count)
    let words = UnsafeMutablePointer<Int16>.allocate(capacity: count)
    defer { words.deallocate() }
    var (result, low, high, number): (Float, Float, Float, Int32) = (0, -0.5, 0.5, Int32(count))
    func show(_ name: String, _ work: () -> Void) {
      Self.show(name, theirs, of: "numpy", per: count, work)
    }
    show("multiply") { vDSP_vmul(a, 1, b, 1, c, 1, length) }
    show("dot product") { vDSP_dotpr(a, 1, b, 1, &result, length) }
    show("root mean square") { vDSP_rmsqv(a, 1, &result, length) }
    show("maximum") { vDSP_maxv(a, 1, &result, length) }
    show("limits") { vDSP_vclip(a, 1, &low, &high, c, 1, length) }
    show("to 16 bits") { vDSP_vfix16(a, 1, words, 1, length) }
    show("sine") { vvsinf(c, a, &number) }
    show("exponential") { vvexpf(c, a, &number) }
    show("correlation, 64 taps") { vDSP_conv(a, 1, b, 1, c, 1, length - 63, 64) }
  }

  // MARK: Peers

  private static var sources: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "VectorPeers")
  }

  private static func compiledPeer(in folder: URL) -> String? {
    let program = folder.appendingPathComponent("fftw").path
    let source = sources.appendingPathComponent("fftw.c").path
    return PeerLibrary.output(of: ["cc", "-O2", source, "-o", program, "-ldl"]) == nil
      ? nil : program
  }

  /// The lines "name, tab, number" that a program prints; none if it fails.
  private static func figures(of words: [String]) -> [String: Double] {
    let rows = (PeerLibrary.output(of: words) ?? "").split(separator: "\n").map {
      $0.split(separator: "\t")
    }
    return Dictionary(
      uniqueKeysWithValues: rows.compactMap { row in
        row.count == 2 ? Double(row[1]).map { (String(row[0]), $0) } : nil
      })
  }
}
