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
      try jobs.must("cd base && $AU convert in.wav -o in.raw --raw-out s16le && cp -r . ../au")
      let own = try jobs.shell(
        "cd au && \(job.line.replacing("au ", with: "$AU ", maxReplacements: 1))")
      #expect(own.code == 0, "\(own.errors)")
      for line in job.others where !line.isEmpty {
        let program = String(line.prefix { $0 != " " })
        guard FileManager.default.fileExists(atPath: "/usr/bin/\(program)") else { continue }
        let quiet = line.replacing("ffmpeg ", with: "ffmpeg -v error -y ", maxReplacements: 1)
        let run = try jobs.shell("cp -r base \(program) && cd \(program) && \(quiet) < /dev/null")
        try #require(run.code == 0, "\(line): \(run.errors)")
        try compare(jobs, job, with: program)
      }
    }
  }

  private func compare(_ jobs: Jobs, _ job: Job, with program: String) throws {
    struct Report: Decodable {
      let isIdentical: Bool
      let relativeDifference: Double?
      let frames, missingFrames: Int
    }
    guard job.compared != "runs" else { return }
    let ending = job.line.contains("out.flac") ? "flac" : "wav"
    let run = try jobs.shell(
      "$AU compare \(program)/out.\(ending) au/out.\(ending) --search 0 --json")
    try #require(run.code == 0, "\(run.errors)")
    let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    switch job.compared {
    case "exact": #expect(report.isIdentical, "\(program): \(run.output)")
    case "length": #expect(report.missingFrames <= report.frames / 50, "\(program): \(run.output)")
    default:
      let limit = try #require(Double(job.compared.prefix { $0 != " " }))
      #expect((report.relativeDifference ?? -400) <= limit, "\(program): \(run.output)")
      #expect(report.missingFrames <= 2, "\(program): \(run.output)")
    }
  }
}
