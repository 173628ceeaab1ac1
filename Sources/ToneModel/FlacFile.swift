// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A FLAC file of 24 bits, written by libsndfile, which is opened when the first is written.
final class FlacFile {
  /// What libsndfile is asked for: its SF_INFO.
  private struct Info {
    var frames: Int64 = 0
    var sampleRate: Int32 = 0
    var channels: Int32 = 0
    var format: Int32 = 0
    var sections: Int32 = 0
    var seekable: Int32 = 0
  }

  private typealias Open =
    @convention(c) (
      UnsafePointer<CChar>, Int32, UnsafeMutableRawPointer
    ) -> OpaquePointer?
  private typealias Write = @convention(c) (OpaquePointer, UnsafePointer<Float>, Int64) -> Int64
  private typealias Close = @convention(c) (OpaquePointer) -> Int32
  private typealias Explain = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?

  private static let writeMode: Int32 = 0x20
  // SF_FORMAT_FLAC | SF_FORMAT_PCM_24
  private static let flac24: Int32 = 0x17_0003

  private let path: String
  private let writeFrames: Write
  private let closeFile: Close
  private let explain: Explain
  private var file: OpaquePointer?

  /// [control thread] Begins a file anew.
  init(_ path: String, sampleRate: Double, channelCount: Int) throws(ToneError) {
    self.path = path
    guard let library = dlopen("libsndfile.so.1", RTLD_NOW),
      let open = dlsym(library, "sf_open"), let write = dlsym(library, "sf_writef_float"),
      let close = dlsym(library, "sf_close"), let explain = dlsym(library, "sf_strerror")
    else { throw ToneError("Can't write FLAC: libsndfile is not installed") }
    writeFrames = unsafeBitCast(write, to: Write.self)
    closeFile = unsafeBitCast(close, to: Close.self)
    self.explain = unsafeBitCast(explain, to: Explain.self)
    var info = Info()
    info.sampleRate = Int32(sampleRate)
    info.channels = Int32(channelCount)
    info.format = Self.flac24
    file = unsafeBitCast(open, to: Open.self)(path, Self.writeMode, &info)
    if file == nil { throw failure() }
  }

  deinit { if let file { _ = closeFile(file) } }

  /// Adds frames of two channels.
  func write(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) throws(ToneError) {
    guard let file else { return }
    let frames = (0..<2 * frameCount).map { channels[$0 % 2][$0 / 2] }
    guard writeFrames(file, frames, Int64(frameCount)) == Int64(frameCount) else { throw failure() }
  }

  /// Writes what is left.
  func close() throws(ToneError) {
    guard let open = file else { return }
    file = nil
    if closeFile(open) != 0 { throw failure() }
  }

  private func failure() -> ToneError {
    ToneError("Can't write \(path): \(explain(file).map { String(cString: $0) } ?? "")")
  }
}
