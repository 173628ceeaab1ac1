// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioUnitCore
import PlugInHosting

// The components of a plug-in, found in another process, because loading it may end one.
extension PlugInFile {
  /// The argument that makes a program the process that loads the file and prints its components.
  static let word = "--validation-plug-in"

  /// [any thread] As `Validation.candidates(ofPlugIn:)`.
  func candidates(timeLimit: Double = 30) throws -> [ComponentIdentity] {
    let child = try ChildProcess.validating([Self.word, path])
    var candidates: [ComponentIdentity] = []
    while true {
      switch child.line(within: timeLimit) {
      case .line(let line):
        let fields = String(decoding: line, as: UTF8.self)
          .split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
        guard fields.count == 5 else { continue }
        if fields[0] == "fault" { throw Fault(String(fields[4])) }
        if fields[0] == "end" {
          guard !candidates.isEmpty else { throw Fault("it registers no component") }
          return candidates
        }
        guard let codes = Codes(fields[1...3]) else { continue }
        candidates.append(
          ComponentIdentity(description: codes.description, name: String(fields[4])))
      case .timeout:
        child.kill()
        throw Fault("loading it takes longer than \(Int(timeLimit)) s")
      case .end:
        throw Fault("loading it: \(child.end())")
      }
    }
  }

  /// The three codes in a line.
  private struct Codes {
    var description = AudioComponentDescription()

    init?(_ fields: some Sequence<Substring>) {
      let numbers = fields.compactMap { UInt32($0) }
      guard numbers.count == 3 else { return nil }
      (description.componentType, description.componentSubType) = (numbers[0], numbers[1])
      description.componentManufacturer = numbers[2]
    }
  }

  // MARK: In the child

  /// [main thread] Loads it and prints the components that it registers, one per line.
  func printRegisteredComponents(_ send: ([String]) -> Void) {
    do {
      for component in try load(into: Library.components) {
        let codes = component.description
        send(
          ["component"]
            + [codes.componentType, codes.componentSubType, codes.componentManufacturer].map {
              String($0)
            } + [component.name])
      }
      send(["end", "", "", "", ""])
    } catch {
      send(["fault", "", "", "", error.explanation])
    }
  }
}
