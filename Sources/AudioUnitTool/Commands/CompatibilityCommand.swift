// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox
import ToneModel

/// `au compatibility`.
enum CompatibilityCommand {
  private static let functions = Option<String?>(
    "functions", "FILE", .path("the path of a text file"),
    "list the functions named in this file, one per line")
  private static let notes = Option<String?>(
    "notes", "FILE", .path("the path of a Markdown file"),
    "add the text about deliberate differences in this Markdown file")

  /// Prints the contents of the library.
  static let command = Command(
    "compatibility", "print the contents of this library, as Markdown",
    discussion: """
      Makes every unit and reads its properties and parameters, so the page lists exactly what \
      exists.
      """,
    parameters: [functions, notes],
    examples: [.init("au compatibility", "Components, properties, parameters and devices.")]
  ) { values in
    // The page is the same on every machine.
    setenv("AUDIOTOOLBOX_DEVICE", "null", 1)
    let reports = try UnitComponent.all().map(UnitReport.init)
    Console.print(
      CompatibilityPage(
        reports,
        functions: try values[functions].map(read)?.split(separator: "\n").map(String.init),
        notes: try values[notes].map(read)
      ).text)
  }

  private static func read(_ path: String) throws -> String {
    // Through a file handle, so that it may be a pipe.
    guard let data = FileHandle(forReadingAtPath: path)?.readDataToEndOfFile() else {
      throw Failure("\(path): cannot be read")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
