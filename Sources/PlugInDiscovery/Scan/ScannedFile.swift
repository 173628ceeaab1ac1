// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// A library or bundle that was scanned.
struct ScannedFile: Equatable, Sendable {
  let format: AUPlugInFormats
  let path: String
  var stamp: FileStamp
  /// The plug-ins in it; none if it could not be read.
  var plugIns: [FoundPlugIn] = []
  /// Why it could not be read, or is blocked.
  var reason = ""
  var isBlocked = false

  /// Whether it need not be read again while it is the same: one that could not be read may need a library
  /// that is there now.
  var isSettled: Bool { reason.isEmpty || isBlocked }

  /// The same file, blocked.
  func blocked(_ reason: String) -> ScannedFile {
    var file = self
    (file.reason, file.isBlocked) = (reason, true)
    return file
  }

  /// What is listed: its plug-ins, or itself if it could not be read.
  var entries: [FoundPlugIn] {
    guard !plugIns.isEmpty else {
      guard !reason.isEmpty else { return [] }
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return [
        FoundPlugIn(
          format: format, path: path, name: name, identifier: path, reason: reason,
          isBlocked: isBlocked)
      ]
    }
    guard isBlocked else { return plugIns }
    return plugIns.map {
      var plugIn = $0
      (plugIn.reason, plugIn.isBlocked) = (reason, true)
      return plugIn
    }
  }
}
