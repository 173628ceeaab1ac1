// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A shared object that registers components when it is loaded, by a constructor that calls
/// `AudioComponentRegister`.
public struct PlugInFile: Sendable {
  /// Its path.
  public let path: String

  /// The argument that makes a program the process that loads the file and prints its components.
  static let word = "--validation-plug-in"

  /// A file, which is not read yet.
  public init(_ path: String) {
    // A path without a slash would be searched for among the system's libraries.
    self.path = path.contains("/") ? path : "./" + path
  }

  /// [any thread] The components that it registers. It is loaded in another process, not in this
  /// one.
  /// - Throws: If it cannot be loaded or registers nothing.
  public func candidates(timeLimit: Double = 30) throws -> [ComponentIdentity] {
    let child = try ChildProcess([Self.word, path])
    var candidates: [ComponentIdentity] = []
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

  /// [main thread] Loads it permanently.
  func load() throws {
    // The plug-in must find the library that the program is linked with, and not a second copy.
    guard dlsym(nil, "AudioComponentRegister") != nil else {
      throw Fault(
        "this program does not share its library with plug-ins: use the `au` that "
          + "`make install` installs")
    }
    guard dlopen(path, RTLD_NOW | RTLD_LOCAL) != nil else {
      throw Fault(dlerror().map { String(cString: $0) } ?? "it cannot be loaded")
    }
  }

  /// [main thread] Loads it and prints the components that it registers, one per line.
  func printRegisteredComponents(_ send: ([String]) -> Void) {
    let before = Set(Self.components())
    do {
      try load()
      for component in Self.components() where !before.contains(component) {
        let candidate = try ComponentIdentity(component)
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
