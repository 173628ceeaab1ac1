// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Foundation
import Testing

/// Libraries of plug-ins that the tests compile.
enum TestLibrary {
  static let effects = compiled("effects")
  static let faults = compiled("faults")
  static let clap = compiled("clap")
  static let hostile = compiled("hostile")
  /// A program: a small host of all formats.
  static let plainHost = compiled("host", in: "Host/", ["-ldl"])
  /// A bundle of LV2.
  static let bundle: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
    let library = URL(filePath: compiled("synth"))
    let folder = library.deletingLastPathComponent().appending(path: "test.lv2")
    try? FileManager.default.removeItem(at: folder)
    try? FileManager.default.copyItem(
      at: root.appending(path: "Libraries/test.lv2"), to: folder)
    try? FileManager.default.moveItem(at: library, to: folder.appending(path: "synth.so"))
    return folder.path + "/"
  }()

  /// The path of a library, compiled once; it is kept until the process ends, as it cannot be unloaded.
  private static func compiled(
    _ name: String, in part: String = "", _ program: [String] = []
  ) -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
    let headers = root.appending(path: "../../Sources/CPlugIns/include").standardizedFileURL.path
    let folder = FileManager.default.temporaryDirectory.appending(path: "plug-ins-\(getpid())")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let library = folder.appending(path: program.isEmpty ? "\(name).so" : name).path
    let sources = root.appending(path: "Libraries/\(part)").path
    let all = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []
    let names = part.isEmpty ? ["\(name).c"] : all.filter { $0.hasSuffix(".c") }
    var words = ["gcc", "-O2", "-I", headers, "-o", library] + names.map { "\(sources)/\($0)" }
    words += ["-lm"] + (program.isEmpty ? ["-shared", "-fPIC"] : program)
    do {
      let process = try spawn(
        words, environment: ProcessInfo.processInfo.environment, output: 1, errors: 2)
      var status: Int32 = 0
      waitpid(process, &status, 0)
      if status != 0 { Issue.record("\(name).c does not compile") }
    } catch { Issue.record(error) }
    return library
  }
}
