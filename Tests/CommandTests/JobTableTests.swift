// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The jobs of docs/JOBS.md")
struct JobTableTests {
  /// A row of the table.
  struct Job: Sendable, CustomTestStringConvertible {
    let name: String
    /// The command lines of the other programs; empty where there is none.
    let others: [String]
    let line: String
    let compared: String

    var testDescription: String { name }

    static let all: [Job] = {
      let path = packageRoot.appendingPathComponent("docs/JOBS.md").path
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
        let cells = row.replacing("\\|", with: "\u{1}").split(
          separator: "|", omittingEmptySubsequences: false
        ).dropFirst().map {
          $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "").replacing(
            "\u{1}", with: "|")
        }
        return Job(
          name: cells[0], others: [cells[1], cells[2]], line: cells[3], compared: cells[4])
      }
    }()
  }

  @Test("are twenty-two") func count() { #expect(Job.all.count == 22) }

  @Test("have the same result in other programs", arguments: Job.all)
  func job(job: Job) throws {
    try Jobs.run { jobs in
      try jobs.must("mkdir base && cd base && $AU convert ../in.wav -o in.wav --bits 16")
      try jobs.must("cd base && $AU convert in.wav -o two.wav --from 0.25 --pick 2,2")
      try jobs.must("cd base && $AU convert in.wav -o near.wav --gain -1")
      try jobs.must(
        "cd base && $AU tone 997 --seconds 0.5 --repeat 6 --pause 0.4 --delay 0.3 --level -12 -c 2 "
          + "--bits 16 --dither none -o gaps.wav")
      try jobs.must("cd base && $AU convert in.wav -o in.raw --raw-out s16le && cp -r . ../au")
      let own = try jobs.shell(
        "cd au && \(job.line.replacing("au ", with: "$AU ", maxReplacements: 1))")
      #expect(own.code == 0, "\(own.errors)")
      for line in job.others where !line.isEmpty {
        let program = String(line.prefix { $0 != " " })
        // `make setup` installs both. A row that is not compared is not tested.
        try #require(
          FileManager.default.fileExists(atPath: "/usr/bin/\(program)"),
          "NOT RUN: \(program) is not installed: run make setup")
        // Figures are among what ffmpeg says.
        let level = line.hasSuffix("-f null -") ? "info" : "error"
        let quiet = line.replacing("ffmpeg ", with: "ffmpeg -v \(level) -y ", maxReplacements: 1)
        let run = try jobs.shell("cp -r base \(program) && cd \(program) && \(quiet) < /dev/null")
        try #require(run.code == 0, "\(line): \(run.errors)")
        let results = JobResults(
          jobs: jobs, program: program, ending: job.line.contains("out.flac") ? "flac" : "wav",
          text: own.output, theirText: run.output + run.errors)
        try results.compare(job.compared)
      }
    }
  }
}
