// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CPlugIns
import Glibc

/// The process that opens files with plug-ins and writes what is in them to descriptor 3: for each file
/// its plug-ins or a fault, and a line that ends it.
package enum ScanWorker {
  /// More than opening plug-ins takes, in bytes.
  private static let memoryLimit = 1 << 32

  /// [main thread] Scans the files that the arguments of the program name, after their format.
  package static func run() -> Never {
    plug_in_limit_process(memoryLimit)
    // Plug-ins must not find it, nor pass it on.
    let channel = fcntl(3, F_DUPFD_CLOEXEC, 100)
    close(3)
    let words = CommandLine.arguments
    guard words.count > 2, channel >= 0, let number = UInt32(words[1]) else { _exit(64) }
    for (index, path) in words.dropFirst(2).enumerated() {
      do throws(AudioError) {
        for plugIn in try FoundPlugIn.all(AUPlugInFormats(rawValue: number), at: path) {
          write(ScanFields.line(plugIn), to: channel)
        }
      } catch { write("fault\t\(ScanFields.escaped(error.reason))", to: channel) }
      write("end\t\(index)", to: channel)
    }
    // Destructors of plug-ins may crash, too.
    _exit(0)
  }

  private static func write(_ line: String, to file: Int32) {
    let bytes = Array((line + "\n").utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count > 0 { sent += count } else if errno != EINTR { _exit(66) }
    }
  }
}
