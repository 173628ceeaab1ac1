// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Glibc

/// The folders in which plug-ins of a format are.
enum SearchFolders {
  /// [any thread] The folders, the first with precedence.
  ///
  /// LV2_PATH and LADSPA_PATH replace the usual folders; CLAP_PATH and AUDIO_UNIT_PATH precede them.
  static func of(
    _ format: AUPlugInFormats, environment: (String) -> String? = variable
  ) -> [String] {
    let home = environment("HOME").map { [$0] } ?? []
    func listed(_ name: String) -> [String] {
      (environment(name) ?? "").split(separator: ":").map(String.init)
    }
    func system(_ name: String) -> [String] {
      ["/usr/local/lib/\(name)", "/usr/lib/\(triplet)/\(name)", "/usr/lib/\(name)"]
    }
    switch format {
    case .audioUnit:
      return listed("AUDIO_UNIT_PATH") + home.map { "\($0)/.local/lib/audio-units" }
        + system("audio-units")
    case .LV2:
      return environment("LV2_PATH") == nil
        ? home.map { "\($0)/.lv2" } + system("lv2") : listed("LV2_PATH")
    case .LADSPA:
      return environment("LADSPA_PATH") == nil
        ? home.map { "\($0)/.ladspa" } + system("ladspa") : listed("LADSPA_PATH")
    case .CLAP: return listed("CLAP_PATH") + home.map { "\($0)/.clap" } + system("clap")
    default: return []
    }
  }

  /// [any thread] A variable of the environment; nil if it is not set, or empty.
  static func variable(_ name: String) -> String? {
    guard let text = getenv(name), text.pointee != 0 else { return nil }
    return String(cString: text)
  }

  /// Debian's name for the machine.
  static var triplet: String {
    #if arch(arm64)
      "aarch64-linux-gnu"
    #else
      "x86_64-linux-gnu"
    #endif
  }

  /// [any thread] The names in a folder in alphabetical order, without those that begin with a dot;
  /// empty if it cannot be read.
  static func names(in folder: String) -> [String] {
    var names: [String] = []
    forEachName(in: folder) { name, _ in names.append(name) }
    return names.sorted()
  }

  /// [any thread] The same names in any order, with the descriptor of the folder.
  static func forEachName(in folder: String, _ body: (String, Int32) -> Void) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { body(name, dirfd(stream)) }
    }
  }
}
