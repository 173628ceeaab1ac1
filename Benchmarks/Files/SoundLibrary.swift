// SPDX-License-Identifier: Apache-2.0
import Foundation

/// libsndfile, if it is installed.
struct SoundLibrary {
  private typealias Open =
    @convention(c) (UnsafePointer<CChar>, Int32, UnsafeMutableRawPointer) -> OpaquePointer?
  private typealias Read =
    @convention(c) (OpaquePointer, UnsafeMutablePointer<Float>, Int64) -> Int64
  private typealias Close = @convention(c) (OpaquePointer) -> Int32

  private let openFile: Open
  private let readFrames: Read
  private let writeFrames: Read
  private let closeFile: Close

  static let shared = SoundLibrary()

  private init?() {
    guard let library = dlopen("libsndfile.so.1", RTLD_NOW), let open = dlsym(library, "sf_open"),
      let read = dlsym(library, "sf_readf_float"), let write = dlsym(library, "sf_writef_float"),
      let close = dlsym(library, "sf_close")
    else { return nil }
    self.openFile = unsafeBitCast(open, to: Open.self)
    self.readFrames = unsafeBitCast(read, to: Read.self)
    self.writeFrames = unsafeBitCast(write, to: Read.self)
    self.closeFile = unsafeBitCast(close, to: Close.self)
  }

  /// Writes a file of the frames; false if it cannot.
  func write(_ url: URL, _ format: Int32, _ sound: BenchedSound) -> Bool {
    let info = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 8)
    defer { info.deallocate() }
    info.initializeMemory(as: UInt8.self, repeating: 0, count: 32)
    for (offset, value) in [
      (8, Int32(BenchedSound.rate)), (12, Int32(BenchedSound.channels)), (16, format),
    ] {
      info.storeBytes(of: value, toByteOffset: offset, as: Int32.self)
    }
    guard let file = openFile(url.path, 0x20, info) else { return false }
    defer { _ = closeFile(file) }
    return sound.forEachPiece { writeFrames(file, $0, Int64($1)) == Int64($1) }
  }

  /// Reads a whole file in pieces of some frames; returns their number.
  func read(_ url: URL, into room: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    // SF_INFO: frames, and five numbers.
    let info = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 8)
    defer { info.deallocate() }
    info.initializeMemory(as: UInt8.self, repeating: 0, count: 32)
    guard let file = openFile(url.path, 0x10, info) else { return 0 }
    defer { _ = closeFile(file) }
    var total = 0
    while case let count = readFrames(file, room, Int64(frames)), count > 0 { total += Int(count) }
    return total
  }
}
