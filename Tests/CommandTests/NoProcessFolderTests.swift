// SPDX-License-Identifier: Apache-2.0
import Testing

/// Containers need not have /proc, from which the Swift runtime reads the arguments.
@Suite("Programs without /proc")
struct NoProcessFolderTests {
  /// Runs `au` in a namespace of mounts of its own.
  private static func run(_ arguments: [String], command: String? = nil) throws -> Run {
    let hidden = #"mount -t tmpfs none /proc && exec "$@""#
    return try Run(
      path: "/usr/bin/env",
      ["unshare", "--mount", "sh", "-c", hidden, "sh", command ?? Run.path("au")] + arguments)
  }

  private static let isPossible = (try? run([], command: "true").code) == 0

  @Test("read their arguments", .enabled(if: isPossible))
  func arguments() throws {
    let run = try Self.run(["explain", "-10868"])
    #expect(run.output.contains("kAudioUnitErr_FormatNotSupported"), "\(run.output) \(run.errors)")
    #expect(try Self.run(["nonsense"]).code == 2)
  }
}
