// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What `au convert` makes of sound files.
struct CommandReadings {
  /// The path of `au`, which is next to the tests.
  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("au").path

  private struct Line: Decodable {
    let input: String
    let output: String
    let frames: Int?
    let state: String
  }

  /// The number of frames that it states, and the samples that it writes, by the name of the input;
  /// nothing for files that it refuses.
  let sounds: [String: (frameCount: Int, samples: [Float])]

  /// Converts all files of a folder.
  init(folder: String) throws {
    let (report, output) = ("\(folder)-report", "\(folder)-output")
    defer {
      unlink(report)
      try? FileManager.default.removeItem(atPath: output)
    }
    // The exit code says whether any file was refused.
    _ = try FileReadings.run([
      "/bin/sh", "-c",
      "exec \"$0\" convert \"$1\" -o \"$2\" --format wav --bits 32f --json >\"$3\"",
      Self.program, folder, output, report,
    ])
    var sounds: [String: (frameCount: Int, samples: [Float])] = [:]
    for text in try Data(contentsOf: URL(fileURLWithPath: report)).split(separator: 0x0A) {
      let line = try JSONDecoder().decode(Line.self, from: text)
      guard line.state == "written", let frames = line.frames,
        let written = try FileReadings(path: line.output).extended()
      else { continue }
      sounds[URL(fileURLWithPath: line.input).lastPathComponent] = (frames, written.samples)
    }
    self.sounds = sounds
  }

  /// The samples of a file that arrives through a pipe; nil if it is refused.
  static func piped(_ path: String) throws -> [Float]? {
    let output = path + ".raw"
    defer { unlink(output) }
    let code = try FileReadings.run([
      "/bin/sh", "-c", "exec \"$0\" convert - -o - --raw-out f32le <\"$1\" >\"$2\"", program, path,
      output,
    ])
    return code == 0 ? try FileReadings.floats(output) : nil
  }
}
