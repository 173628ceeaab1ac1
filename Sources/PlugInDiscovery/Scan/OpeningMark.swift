// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Glibc

/// Marks of files that programs are opening. A mark outlives its program if the file ended that.
struct OpeningMark {
  private let folder: String
  /// How many marks this process has made: several threads may open files at once.
  private static let count = Guarded(0)

  /// The marks beside a cache.
  init(beside cache: ScanCache) {
    folder = cache.path + ".opening"
  }

  /// [control thread] Runs `open`, which opens a file in this process, with a mark.
  func around<Result>(
    _ path: String, _ open: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    mkdir(folder, 0o700)
    let number = Self.count.withLock { count in
      count += 1
      return count
    }
    let mark = "\(folder)/\(getpid())-\(number)"
    if let file = fopen(mark, "we") {
      fputs(path, file)
      fclose(file)
    }
    defer { unlink(mark) }
    return try open()
  }

  /// [control thread] The marks that have outlived their programs, with the paths of the files.
  func fatal() -> [(mark: String, path: String)] {
    SearchFolders.names(in: folder).compactMap { name in
      guard let process = pid_t(name.prefix { $0 != "-" }), Glibc.kill(process, 0) != 0,
        errno == ESRCH, let file = fopen("\(folder)/\(name)", "re")
      else { return nil }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = fread(&bytes, 1, bytes.count, file)
      return ("\(folder)/\(name)", String(decoding: bytes[..<count], as: UTF8.self))
    }
  }
}
