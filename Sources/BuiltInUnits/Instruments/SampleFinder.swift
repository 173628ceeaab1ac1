// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import Glibc

/// Finds the sound files that a preset names.
///
/// Presets are often made on another machine. A path that does not exist here is searched beside the
/// preset and in the usual folders there. Of a path with "/Sounds/", "/Sampler Files/" or
/// "/Apple Loops/", the part from there on is also searched below the folders of the program and its
/// resources and in the data folders of the user and the system.
struct SampleFinder {
  /// The folder of the preset; nil if there is none.
  var folder: String?
  /// The name of the preset, after which a folder of samples is often named.
  var name: String?

  private static let marks = ["/Sounds/", "/Sampler Files/", "/Apple Loops/"]
  private static let usualFolders = [
    "Samples", "samples", "Sounds", "sounds", "Sampler Files", "Audio", "Audio Files",
  ]

  /// [control thread] The path of an existing file.
  func find(_ path: String) throws(AudioError) -> String {
    let found = candidates(path).first { Self.isFile($0) }
    guard let found else {
      throw .fileNotFound.because(
        "\(path): the sample is not there\(folder.map { ", nor in \($0) or its folders of samples" } ?? "")"
      )
    }
    return found
  }

  private func candidates(_ path: String) -> [String] {
    guard let last = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
    else { return [] }
    var list = path.hasPrefix("/") ? [path] : []
    if let folder {
      if !path.hasPrefix("/") { list.append("\(folder)/\(path)") }
      list += [folder, "\(folder)/.."].flatMap { tail(of: path, below: $0) }
      list.append("\(folder)/\(last)")
      for name in Self.usualFolders + [name].compactMap({ $0 }) {
        list.append("\(folder)/\(name)/\(last)")
        if let preset = self.name { list.append("\(folder)/\(name)/\(preset)/\(last)") }
        list.append("\(folder)/../\(name)/\(last)")
      }
    }
    for folder in Self.standardFolders { list += tail(of: path, below: folder) }
    return list
  }

  /// The part of a path from a mark on, below a folder.
  private func tail(of path: String, below folder: String) -> [String] {
    for mark in Self.marks {
      let (text, part) = (Array("/\(path)".utf8), Array(mark.utf8))
      guard text.count > part.count else { continue }
      let start = (0...text.count - part.count).first { text[$0...].starts(with: part) }
      if let start { return [folder + String(decoding: text[start...], as: UTF8.self)] }
    }
    return []
  }

  /// The folder of the program, its resources, and the data folders of the user and the system.
  private static var standardFolders: [String] {
    var list: [String] = []
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count - 1)
    if count > 0 {
      let program = folder(BankFile.text(bytes))
      list += [program, "\(program)/Resources", "\(program)/../Resources"]
    }
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    if let home = variable("HOME") {
      list += [variable("XDG_DATA_HOME") ?? "\(home)/.local/share", "\(home)/Documents"]
    }
    let system = variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
    return list + system.split(separator: ":").map(String.init)
  }

  private static func isFile(_ path: String) -> Bool {
    var information = stat()
    return !path.utf8.contains(0) && stat(path, &information) == 0
      && information.st_mode & S_IFMT == S_IFREG
  }

  /// The folder of a file.
  static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// [control thread] The bytes of a preset's file.
  static func bytes(of path: String, limit: Int) throws(AudioError) -> [UInt8] {
    let store = try FileStore(path)
    let count = try store.byteCount()
    guard count <= limit else {
      throw .invalidFile.because("\(path): has \(count) bytes; expected at most \(limit)")
    }
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let rest = count - done
      var result: Result<Int, AudioError> = .success(0)
      bytes.withUnsafeMutableBytes { all in
        do throws(AudioError) {
          result = .success(
            try store.read(
              UnsafeMutableRawBufferPointer(rebasing: all[done..<done + rest]), at: done))
        } catch { result = .failure(error) }
      }
      let more = try result.get()
      if more == 0 { break }
      done += more
    }
    return Array(bytes.prefix(done))
  }
}
