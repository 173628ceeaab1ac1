// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What changes when a file, or a text of a folder, is replaced.
struct FileStamp: Equatable, Sendable {
  /// In bytes; the sum of all texts of a folder.
  var size: Int64 = 0
  /// In nanoseconds; the latest of a folder.
  var time: Int64 = 0
  var inode: UInt64 = 0

  init() {}

  /// [control thread] The stamp of a library, or of the texts in an LV2 bundle; nil if there is none.
  init?(_ path: String) {
    guard let status = Self.status(path) else { return nil }
    add(status)
    inode = UInt64(status.st_ino)
    guard status.st_mode & S_IFMT == S_IFDIR else { return }
    for name in SearchFolders.names(in: path) where name.hasSuffix(".ttl") {
      if let status = Self.status("\(path)/\(name)") { add(status) }
    }
  }

  private mutating func add(_ status: stat) {
    let modified = status.st_mtim
    size &+= Int64(status.st_size)
    time = max(time, Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec))
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}
