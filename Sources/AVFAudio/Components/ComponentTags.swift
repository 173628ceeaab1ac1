// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// The tags that the program gives components, as long as the process runs. [any thread]
enum ComponentTags {
  private static let all = Guarded<[UInt: [String]]>([:])

  /// The tags of a component, in the order in which they were set.
  static func tags(of component: AudioComponent) -> [String] {
    all.withLock { $0[UInt(bitPattern: component)] ?? [] }
  }

  /// Replaces the tags of a component; false if it has them already.
  static func set(_ tags: [String], of component: AudioComponent) -> Bool {
    all.withLock { all in
      let key = UInt(bitPattern: component)
      guard all[key] ?? [] != tags else { return false }
      all[key] = tags.isEmpty ? nil : tags
      return true
    }
  }

  /// Every tag once, sorted.
  static var names: [String] { all.withLock { Set($0.values.joined()).sorted() } }
}
