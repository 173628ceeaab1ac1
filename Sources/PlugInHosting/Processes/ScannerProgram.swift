// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns
import Glibc

/// The program whose processes scan plug-ins, and run those that have a process of their own. It belongs to
/// the library, because any program may use plug-ins.
package enum ScannerProgram {
  static let name = "PlugInScanner"

  /// [control thread] Its path: in the folder of the library when built, below libexec when installed.
  /// - Throws: `fileNotFound` if it is not there.
  package static func path() throws(AudioError) -> String {
    let folder = ownFolder
    // Distributions have a folder of libraries for each architecture, below lib.
    let places = ["", "../libexec/audiotoolbox/", "../../libexec/audiotoolbox/"].map {
      "\(folder)/\($0)\(name)"
    }
    guard let path = places.first(where: { access($0, X_OK) == 0 }) else {
      throw .fileNotFound.because(
        "the program \(name), which opens plug-ins, is none of \(places.joined(separator: ", "))"
      )
    }
    return path
  }

  /// The folder of the file that has this code: the library, or a program that is linked with it.
  private static var ownFolder: String {
    let resolved = realpath(
      plug_in_own_library().map { String(cString: $0) } ?? "/proc/self/exe", nil)
    defer { free(resolved) }
    let file = resolved.map { String(cString: $0) } ?? ""
    return String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.startIndex))
  }
}
