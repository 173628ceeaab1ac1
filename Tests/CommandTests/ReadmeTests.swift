// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Commands of the README")
struct ReadmeTests {
  /// Every inline code in the text that begins with `au`.
  private static let lines: [String] = {
    let readme = packageRoot.appendingPathComponent("README.md")
    let text = (try? String(contentsOf: readme, encoding: .utf8)) ?? ""
    let pieces = text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }
    return Set(pieces.map(\.element).filter { $0.hasPrefix("au ") && !$0.contains("\n") }).sorted()
  }()

  /// Makes a folder with the files that the commands need, and the examples.
  private func prepare(_ folder: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: "\(folder)/takes", withIntermediateDirectories: true)
    for path in ["in.wav", "take.wav", "takes/one.wav", "takes/two.wav"] {
      let run = try Run("au", ["tone", "--seconds", "0.5", "-o", "\(folder)/\(path)"])
      #expect(run.code == 0, "\(run.errors)")
    }
    try files.createSymbolicLink(
      atPath: "\(folder)/Examples",
      withDestinationPath: packageRoot.appendingPathComponent("Examples").path)
  }

  @Test("the commands are found")
  func count() { #expect(Self.lines.count >= 15) }

  @Test("each works, in another folder", arguments: lines)
  func command(line: String) throws {
    try withFolder { folder in
      try prepare(folder)
      // Commands that play until they are interrupted get a duration.
      let end = line.contains("au graph") ? " --seconds 0.2" : ""
      let command = line.replacing("DEVICE", with: "null")
      let program = URL(fileURLWithPath: Run.path("au")).deletingLastPathComponent().path
      let run = try Run(
        path: "/bin/bash", ["-c", "cd '\(folder)' && PATH='\(program)':$PATH && \(command)\(end)"],
        environment: ["AUDIOTOOLBOX_DEVICE": "null", "AUDIOTOOLBOX_CLOCK": "fast"])
      // The null output has no loop to its input, nobody keeps its volume, and there is no terminal:
      // all are reported.
      let isRefused = ["au loopback", "au devices set", "au view"].contains { line.hasPrefix($0) }
      #expect(run.code == (isRefused ? 1 : 0), "\(run.errors)")
      #expect(!isRefused || !(run.output + run.errors).isEmpty)
      if line.contains(" -o ") || line.contains("--output ") || line.contains("out.wav") {
        let words = line.split(separator: " ").map(String.init)
        let place = words.firstIndex { ["-o", "--output"].contains($0) }.map { $0 + 1 }
        let path = place.map { words[$0] } ?? "out.wav"
        #expect(FileManager.default.fileExists(atPath: "\(folder)/\(path)"))
      }
    }
  }
}
