// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport

/// `au new`.
enum NewCommand {
  private static let folder = Argument<String>(
    "FOLDER", .path("the path of a folder"), "the folder to make; its name is the program's")

  /// Writes a program to begin with.
  static let command = Command(
    "new", "write a program that hosts units, to begin with",
    discussion: """
      The program is in C: a render callback plays a tone through a mixer to the default device, and \
      lines that are typed change its volume. It is built in seven steps that are the same whatever a \
      graph is made of: set up the device, name the units, make the graph, set up the units, feed \
      them, give people controls, start. `make` builds it where the library is installed.
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
        "\(values[folder]): a program is called by letters, digits, `-`, `_` and `.` alone")
    }
    do {
      // Nothing is overwritten: the folder must not be there.
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      try ProgramTemplate.source.replacingOccurrences(of: "@NAME@", with: name)
        .write(to: url.appendingPathComponent("main.c"), atomically: true, encoding: .utf8)
      try ProgramTemplate.makefile.replacingOccurrences(of: "@NAME@", with: name)
        .write(to: url.appendingPathComponent("Makefile"), atomically: true, encoding: .utf8)
    } catch { throw Failure("Can't write \(values[folder]): \(error.localizedDescription)") }
    Console.print("\(values[folder])/main.c\n\(values[folder])/Makefile\n")
  }

  /// Whether a shell and make take a character as it is.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
    default: false
    }
  }
}
