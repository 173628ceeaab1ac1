// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import PlainText

/// `au new`.
enum NewCommand {
  private static let folder = Argument<String>(
    "FOLDER", .path("the path of a folder"), "the folder to make; the program gets its name")

  /// Writes a small program as a starting point.
  static let command = Command(
    "new", "start a small program that hosts units",
    discussion: """
      The program is in C. A render callback plays a tone through a mixer on the default device, \
      and typing a line changes the volume. It shows the seven steps of any graph: set up the \
      device, describe the units, make the graph, set up the units, connect the sources, add \
      controls, start. `make` builds it where the library is installed.
      """,
    parameters: [folder],
    examples: [
      .init("au new organ && make -C organ && organ/organ", "Writes, builds and plays it.")
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
    for (file, text) in [
      ("main.c", ProgramTemplate.source), ("Makefile", ProgramTemplate.makefile),
    ] {
      let text = text.replacingOccurrences(of: "@NAME@", with: name)
      try TextFile.write(text, to: "\(values[folder])/\(file)")
    }
    Console.print("\(values[folder])/main.c\n\(values[folder])/Makefile\n")
  }

  /// Whether a shell and make read a character literally.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
    default: false
    }
  }
}
