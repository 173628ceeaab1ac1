// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A source file of `RatePeers`, compiled with the library that it calls and loaded into this
/// process, so that both are measured in turns.
struct PeerLibrary {
  private typealias Name = @convention(c) (Int32) -> UnsafePointer<CChar>?

  /// The names of what it converts, by their index.
  let names: [String]
  private let handle: UnsafeMutableRawPointer

  /// Compiles and loads a source file; nil if the packages of pkg-config are not installed.
  init?(_ source: String, defining macro: String, _ packages: String, in folder: URL) {
    let library = folder.appendingPathComponent("\(source)-\(macro).so").path
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../RatePeers/\(source).c").path
    let words =
      "cc -O2 -shared -fPIC -D\(macro) '\(source)' -o '\(library)' "
      + "$(pkg-config --cflags --libs \(packages))"
    guard Self.output(of: ["sh", "-c", "exec 2>/dev/null; \(words)"]) != nil,
      let handle = dlopen(library, RTLD_NOW), let found = dlsym(handle, "peer_name")
    else { return nil }
    self.handle = handle
    let name = unsafeBitCast(found, to: Name.self)
    var names: [String] = []
    while let text = name(Int32(names.count)) { names.append(String(cString: text)) }
    self.names = names
  }

  /// A function of the source file.
  func function<Function>(_ name: String, as type: Function.Type) -> Function {
    guard let found = dlsym(handle, name) else { fail("\(name) is missing") }
    return unsafeBitCast(found, to: type)
  }

  /// The output of a command; nil if it fails.
  static func output(of words: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }
}
