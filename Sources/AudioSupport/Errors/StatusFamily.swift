// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// The status codes of a family of functions, such as those of units.
///
/// Each target that has such functions declares a family in its own file; `Library.statusFamilies`
/// lists all families of the library.
public struct StatusFamily: Sendable {
  /// Prefixes of its functions' names.
  let calls: [String]
  let names: [StatusName]

  /// A family of functions whose names begin with one of `calls`.
  public init(of calls: [String], _ names: [StatusName]) {
    self.calls = calls
    self.names = names
  }

  /// The length of the longest prefix of the family that the name of the function `call` begins
  /// with: "AudioFileStreamOpen" belongs to "AudioFileStream" rather than to "AudioFile".
  func prefixLength(of call: String) -> Int {
    calls.lazy.filter { call.hasPrefix($0) }.map(\.utf8.count).max() ?? 0
  }

  func name(of code: OSStatus) -> StatusName? { names.first { $0.code == code } }

  private static let lock = Lock()
  private nonisolated(unsafe) static var registered: [StatusFamily] = []

  /// [control thread] Registers families that explain codes, in their order.
  public static func register(_ families: [StatusFamily]) {
    lock.withLock {
      registered.removeAll { old in families.contains { $0.calls == old.calls } }
      registered += families
    }
  }

  /// [control thread] Registers a family behind the others, unless it is registered: for modules that
  /// programs may use before the rest of the library.
  public static func add(_ family: StatusFamily) {
    lock.withLock {
      guard !registered.contains(where: { $0.calls == family.calls }) else { return }
      registered.append(family)
    }
  }

  /// [any thread] All registered families, and the statuses that every function may return.
  static var all: [StatusFamily] { lock.withLock { registered } + [common] }
}

extension StatusName {
  /// [any thread] Every code of the registered families, family by family. Two families may use the
  /// same number.
  public static var all: [StatusName] { StatusFamily.all.flatMap(\.names) }

  /// [any thread] The entry of a code; nil if no family has it. Where several families use the
  /// number, the entry comes from the family of the function `call`.
  public static func of(_ code: OSStatus, from call: String = "") -> StatusName? {
    let families = StatusFamily.all
    let own = families.filter { $0.prefixLength(of: call) > 0 }
      .max { $0.prefixLength(of: call) < $1.prefixLength(of: call) }
    return own?.name(of: code) ?? families.lazy.compactMap { $0.name(of: code) }.first
  }

  /// [any thread] "kAudioUnitErr_FormatNotSupported (-10868)", or the number and its four characters.
  public static func text(_ code: OSStatus, from call: String = "") -> String {
    if let entry = of(code, from: call) { return "\(entry.name) (\(code))" }
    let letters = FourCharacterCode(UInt32(bitPattern: code)).description
    return letters.hasPrefix("0x") ? "status \(code)" : "'\(letters)' (\(code))"
  }
}
