// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Glibc

/// The functions of libsndfile that are used here; it is opened at run time, and not needed to build.
struct SndFile: Sendable {
  /// What a file holds: SF_INFO.
  struct Info {
    var frames: Int64 = 0
    var sampleRate: Int32 = 0
    var channels: Int32 = 0
    var format: Int32 = 0
    var sections: Int32 = 0
    var seekable: Int32 = 0
  }

  /// What it reads and writes by: SF_VIRTUAL_IO.
  struct Functions: Sendable {
    let length: @convention(c) @Sendable (UnsafeMutableRawPointer) -> Int64
    let seek: @convention(c) @Sendable (Int64, Int32, UnsafeMutableRawPointer) -> Int64
    let read:
      @convention(c) @Sendable (UnsafeMutableRawPointer, Int64, UnsafeMutableRawPointer) -> Int64
    let write: @convention(c) @Sendable (UnsafeRawPointer, Int64, UnsafeMutableRawPointer) -> Int64
    let tell: @convention(c) @Sendable (UnsafeMutableRawPointer) -> Int64
  }

  /// SFM_WRITE.
  static let writeMode: Int32 = 0x20
  /// SF_FORMAT_FLAC | SF_FORMAT_PCM_24, and the same with SF_FORMAT_PCM_16.
  static let flac24: Int32 = 0x17_0003
  static let flac16: Int32 = 0x17_0002
  /// SFC_SET_CLIPPING.
  static let setClipping: Int32 = 0x10C0

  typealias OpenVirtual =
    @convention(c) (
      UnsafeMutableRawPointer, Int32, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> OpaquePointer?
  typealias Command =
    @convention(c) (OpaquePointer, Int32, UnsafeMutableRawPointer?, Int32) -> Int32
  typealias WriteFrames = @convention(c) (OpaquePointer, UnsafePointer<Float>, Int64) -> Int64
  typealias WriteIntegers = @convention(c) (OpaquePointer, UnsafePointer<Int32>, Int64) -> Int64
  typealias Close = @convention(c) (OpaquePointer) -> Int32
  typealias Explain = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?

  let openVirtual: OpenVirtual
  let command: Command
  let writeFrames: WriteFrames
  let writeIntegers: WriteIntegers
  let close: Close
  let explain: Explain

  /// Opened once, as the functions of a library stay where they are.
  private static let library = SndFile()

  /// The library, to write a file.
  static func shared(for path: String) throws(AudioError) -> SndFile {
    guard let library else {
      throw .failedInitialization.because(
        "\(path): FLAC needs libsndfile, which is not installed (Debian: libsndfile1)")
    }
    return library
  }

  private init?() {
    guard let library = dlopen("libsndfile.so.1", RTLD_NOW),
      let open = dlsym(library, "sf_open_virtual"), let command = dlsym(library, "sf_command"),
      let write = dlsym(library, "sf_writef_float"),
      let writeIntegers = dlsym(library, "sf_writef_int"), let close = dlsym(library, "sf_close"),
      let explain = dlsym(library, "sf_strerror")
    else { return nil }
    openVirtual = unsafeBitCast(open, to: OpenVirtual.self)
    self.command = unsafeBitCast(command, to: Command.self)
    writeFrames = unsafeBitCast(write, to: WriteFrames.self)
    self.writeIntegers = unsafeBitCast(writeIntegers, to: WriteIntegers.self)
    self.close = unsafeBitCast(close, to: Close.self)
    self.explain = unsafeBitCast(explain, to: Explain.self)
  }
}
