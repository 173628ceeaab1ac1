// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A file of machine code that registers components when it is loaded: a shared object with a constructor
/// that calls `AudioComponentRegister`.
public struct PlugInFile: Sendable {
  /// Where it lies.
  public let path: String

  /// The word that makes a program the process that loads it and prints what it registers.
  static let word = "--validation-plug-in"

  /// A file; nothing is read yet.
  public init(_ path: String) {
    // A path without a slash would be looked for among the libraries of the system.
    self.path = path.contains("/") ? path : "./" + path
  }

  /// [any thread] What it registers, found in its own process: this one does not load it.
  /// - Throws: Why it cannot be loaded, or that it registers nothing.
  public func candidates(timeLimit: Double = 30) throws -> [Candidate] {
    let child = try ChildProcess([Self.word, path])
    var candidates: [Candidate] = []
    while true {
      switch child.line(within: timeLimit) {
      case .line(let line):
        let fields = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
        guard fields.count == 5 else { continue }
        if fields[0] == "fault" { throw Fault(String(fields[4])) }
        if fields[0] == "end" {
          guard !candidates.isEmpty else { throw Fault("it registers no component") }
          return candidates
        }
        guard let codes = Codes(fields[1...3]) else { continue }
        candidates.append(Candidate(description: codes.description, name: String(fields[4])))
      case .timeout:
        child.kill()
        throw Fault("loading it takes longer than \(Int(timeLimit)) s")
      case .end:
        throw Fault("loading it: \(child.end())")
      }
    }
  }

  /// Three numbers of a line.
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

  /// [main thread] Loads it, for good.
  func load() throws {
    // What the program was linked with is the library that a plug-in must find, not one more.
    guard dlsym(nil, "AudioComponentRegister") != nil else {
      throw Fault(
        "this program does not share its library with plug-ins: use the `au` that "
          + "`make install` installs")
    }
    guard dlopen(path, RTLD_NOW | RTLD_LOCAL) != nil else {
      throw Fault(dlerror().map { String(cString: $0) } ?? "it cannot be loaded")
    }
  }

  /// [main thread] Loads it and prints what it registers, a line each.
  func printCandidates(_ send: ([String]) -> Void) {
    let before = Set(Self.components())
    do {
      try load()
      for component in Self.components() where !before.contains(component) {
        let candidate = try Candidate(component)
        let codes = candidate.description
        send(
          ["component"]
            + [codes.componentType, codes.componentSubType, codes.componentManufacturer].map {
              String($0)
            } + [candidate.name])
      }
      send(["end", "", "", "", ""])
    } catch {
      send(["fault", "", "", "", "\(error)"])
    }
  }

  private static func components() -> [AudioComponent] {
    var found: [AudioComponent] = []
    var any = AudioComponentDescription()
    while let next = AudioComponentFindNext(found.last, &any) { found.append(next) }
    return found
  }
}
