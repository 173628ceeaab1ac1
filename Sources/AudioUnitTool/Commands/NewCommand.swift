// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import PlainText

/// `au new`.
enum NewCommand {
  private static let folder = Argument<String>(
    "FOLDER", .path("the path of a folder"), "the folder to make; the program gets its name")
  private static let swift = Flag("swift", "write it in Swift, as a package")
  private static let plugIn = Flag(
    "plug-in", "write an audio unit, for programs to load")

  /// Writes a small program as a starting point.
  static let command = Command(
    "new", "start a small program that hosts units, or a unit",
    discussion: """
      The program is in C, or with --swift a package in Swift, which `swift run` builds and plays. A \
      render callback plays a tone through a mixer on the default device, \
      and typing a line changes the volume. It shows the seven steps of any graph: set up the \
      device, describe the units, make the graph, set up the units, connect the sources, add \
      controls, start. `make` builds the one in C where the library is installed. The one in Swift \
      depends on the folder of this package, which its Package.swift names.

      With --plug-in it is an audio unit in C++, an effect that changes the level: its sound is in \
      unit.cpp. `make install` builds it and copies its folder NAME.component to \
      ~/.local/lib/audio-units, where every program finds it. AUDIO_UNIT_PATH names other folders.

      With --plug-in --swift it is a package with a subclass of AUAudioUnit: a library for programs in \
      Swift, and a program NAME-au, which is `au` with this unit: each of its commands finds it. Other \
      programs cannot load a unit in Swift, because each program has its own copy of the library.
      """,
    parameters: [folder, swift, plugIn],
    examples: [
      .init("au new organ && make -C organ && organ/organ", "Writes, builds and plays it."),
      .init(
        "au new --swift organ && swift run --package-path organ",
        "The same in Swift: builds for minutes the first time."),
      .init(
        "au new --plug-in gain && make -C gain && AUDIO_UNIT_PATH=gain au validate gain",
        "Writes, builds and tests an effect."),
      .init(
        "au new --plug-in --swift gain && cd gain && swift run gain-au validate gain",
        "The same in Swift."),
    ]
  ) { values in
    let url = URL(fileURLWithPath: values[folder])
    let name = url.lastPathComponent
    guard name.unicodeScalars.allSatisfy(isPlain), name.first != "-" else {
      throw Failure(
        "\(Excerpt.name(values[folder])): expected a name of letters, digits, `-`, `_` and `.`")
    }
    // Nothing is overwritten: the folder must not exist yet.
    guard mkdir(url.path, 0o777) == 0 else {
      throw Failure("\(values[folder]): cannot be made: \(String(cString: strerror(errno)))")
    }
    let files =
      switch (values[plugIn], values[swift]) {
      case (true, true): unitPackageFiles(name)
      case (true, false): plugInFiles(name)
      case (false, true): packageFiles
      case (false, false): programFiles
      }
    for (file, text) in files {
      let path = "\(values[folder])/\(file)"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      let text = text.replacingOccurrences(of: "@NAME@", with: name)
        .replacingOccurrences(of: "@CODE@", with: code(name))
        .replacingOccurrences(of: "@MODULE@", with: module(name))
        .replacingOccurrences(of: "@PACKAGE@", with: packageFolder)
      try TextFile.write(text, to: path)
      Console.print("\(path)\n")
    }
  }

  private static let programFiles = [
    ("main.c", ProgramTemplate.source), ("Makefile", ProgramTemplate.makefile),
  ]

  private static let packageFiles = [
    ("Package.swift", SwiftTemplate.manifest), ("main.swift", SwiftTemplate.source),
  ]

  /// The folder of this package, for a manifest: the one that `au` was built in, or, once it is installed,
  /// one beside the new folder.
  private static var packageFolder: String {
    var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let manifest = folder.appendingPathComponent("Package.swift")
      guard let text = try? String(contentsOf: manifest, encoding: .utf8),
        text.contains("name: \"swift-audiotoolbox\"")
      else { continue }
      return folder.path.replacingOccurrences(of: "\\", with: "\\\\")
        .replacingOccurrences(of: "\"", with: "\\\"")
    }
    return "../swift-audiotoolbox"
  }

  private static func plugInFiles(_ name: String) -> [(String, String)] {
    [
      ("unit.cpp", PlugInTemplate.unit), ("effect.hpp", EffectTemplate.source),
      ("plug_in.hpp", PlugInTemplate.table), ("Makefile", PlugInTemplate.makefile),
      ("\(name).component/Contents/Info.plist", PlugInTemplate.propertyList),
    ]
  }

  private static func unitPackageFiles(_ name: String) -> [(String, String)] {
    [
      ("Package.swift", SwiftUnitTemplate.manifest),
      ("Sources/\(module(name))/GainUnit.swift", SwiftUnitTemplate.unit),
      ("Sources/\(module(name))-au/main.swift", SwiftUnitTemplate.tool),
    ]
  }

  /// The name of a module in Swift: letters, digits and `_`, and no digit first.
  private static func module(_ name: String) -> String {
    let plain = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return plain.first?.isNumber == true ? "_" + plain : plain
  }

  /// The four characters of a subtype: the first letters and digits of the name.
  private static func code(_ name: String) -> String {
    let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return String((plain + "____").prefix(4))
  }

  /// Whether a shell and make read a character literally.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
    default: false
    }
  }
}
