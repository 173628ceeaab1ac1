// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import PlugInHosting

/// Scans files in other processes: opening a plug-in runs its code, which may end or block a process.
struct LibraryScan {
  let program: String
  /// The longest duration for a file, in seconds.
  var timeLimit: Double = 10

  /// What plug-ins find in a process that scans them: no display, and no sound.
  private static let environment = [
    "QT_QPA_PLATFORM": "offscreen", "AUDIOTOOLBOX_DEVICE": "null", "AUDIOTOOLBOX_PLUGINS": "none",
  ]
  /// Files that one process may scan, if that does not run code of them.
  private static let batchSize = 200

  /// [control thread] Scans files of one format. The description of LV2 plug-ins is text, so one process
  /// scans many; each library of another format has its own.
  func scan(_ files: [ScannedFile]) -> [ScannedFile] {
    var scanned: [ScannedFile] = []
    while scanned.count < files.count {
      let rest = files[scanned.count...]
      let batch = rest.prefix(files[0].format == .LV2 ? Self.batchSize : 1)
      scanned += scanBatch(Array(batch))
    }
    return scanned
  }

  /// Scans the first files of a list, up to the first one that ends the process, and at least one.
  private func scanBatch(_ files: [ScannedFile]) -> [ScannedFile] {
    var done: [ScannedFile] = []
    var current = files[0]
    (current.plugIns, current.reason, current.isBlocked) = ([], "", false)
    func blocked(_ reason: String) -> [ScannedFile] {
      (current.reason, current.isBlocked, current.plugIns) = (reason, true, [])
      return done + [current]
    }
    do throws(AudioError) {
      let child = try ChildProcess(
        program, ["\(current.format.rawValue)"] + files.map(\.path),
        environment: Self.environment, isSilent: true)
      while done.count < files.count {
        switch child.line(within: timeLimit) {
        case .line(let line):
          if let plugIn = ScanFields.plugIn(line, format: current.format, path: current.path) {
            current.plugIns.append(plugIn)
            continue
          }
          var fields = LineFields(line)
          let (word, value) = (fields.next(), fields.next())
          if word.elementsEqual("fault".utf8) {
            current.reason = ScanFields.text(value)
          } else if word.elementsEqual("end".utf8), ScanFields.number(value) == done.count {
            done.append(current)
            guard done.count < files.count else { break }
            current = files[done.count]
            (current.plugIns, current.reason, current.isBlocked) = ([], "", false)
          }
        case .timeout:
          child.kill()
          return blocked("opening it takes longer than \(Int(timeLimit.rounded(.up))) s")
        case .end:
          return blocked("opening it: \(child.end())")
        }
      }
      child.end()
      return done
    } catch {
      // It is no fault of the file, so the next scan tries again.
      (current.reason, current.stamp) = (error.explanation, FileStamp())
      return done + [current]
    }
  }
}
