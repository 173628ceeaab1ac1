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
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    add(status)
    inode = UInt64(status.st_ino)
    guard status.st_mode & S_IFMT == S_IFDIR else { return }
    SearchFolders.forEachName(in: path) { name, folder in
      guard name.hasSuffix(".ttl"), fstatat(folder, name, &status, 0) == 0 else { return }
      add(status)
    }
  }

  /// [control thread] Whether a library is the same, or the folder of a bundle: one call of the system, which does
  /// not notice texts that were overwritten in place.
  func isCurrent(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, UInt64(status.st_ino) == inode else { return false }
    var now = FileStamp()
    now.add(status)
    return status.st_mode & S_IFMT == S_IFDIR
      ? now.time <= time : now.time == time && now.size == size
  }

  private mutating func add(_ status: stat) {
    let modified = status.st_mtim
    size &+= Int64(status.st_size)
    time = max(time, Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec))
  }
}
