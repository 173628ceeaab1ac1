// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Glibc

/// The files that may contain plug-ins.
enum Candidates {
  /// Folders of folders are searched to this depth.
  private static let depthLimit = 8

  /// [control thread] The libraries and folders of a format, those with precedence first.
  static func of(
    _ format: AUPlugInFormats, environment: (String) -> String?
  ) -> [String] {
    SearchFolders.of(format, environment: environment).flatMap { folder -> [String] in
      switch format {
      case .LV2: SearchFolders.names(in: folder).map { "\(folder)/\($0)" }
      case .LADSPA:
        SearchFolders.names(in: folder).filter { $0.hasSuffix(".so") }.map { "\(folder)/\($0)" }
      case .CLAP: files(".clap", below: folder, depth: 0)
      default: []
      }
    }
  }

  /// [control thread] Whether it is a library, or a folder that is a bundle.
  static func isOne(_ path: String, _ format: AUPlugInFormats) -> Bool {
    format != .LV2 || access("\(path)/manifest.ttl", R_OK) == 0
  }

  private static func files(_ suffix: String, below folder: String, depth: Int) -> [String] {
    guard depth < depthLimit else { return [] }
    return SearchFolders.names(in: folder).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      return name.hasSuffix(suffix) ? [path] : files(suffix, below: path, depth: depth + 1)
    }
  }
}
