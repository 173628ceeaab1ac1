// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import PlugInHosting

/// A plug-in of another format than that of audio units, whose file is opened with its first instance: in this
/// process only if an instance is in it.
final class HostedPlugIn: @unchecked Sendable {
  let path: String
  private let identifier: String
  private let format: AUPlugInFormats
  // Under `lock`, which all share: most are never used.
  private var definition: UnitDefinition?
  private var definitionApart: UnitDefinition?
  private static let lock = Lock()

  init(_ found: FoundPlugIn) {
    (path, identifier, format) = (found.path, found.identifier, found.format)
  }

  /// [control thread] Makes an instance. The first one loads the file; what a plug-in does when the unit is
  /// initialized comes later.
  func unit(of component: Component) throws(AudioError) -> UnitInstance {
    let known = Self.lock.withLock { definition }
    if let known { return known.unit(of: component) }
    let plugIn = try describe()
    try plugIn.open()
    let made = UnitDefinition.hosting(plugIn)
    Self.lock.withLock { definition = made }
    return made.unit(of: component)
  }

  /// [control thread] Makes an instance in a process of its own, also of a file that ends processes.
  func unitApart(of component: Component, _ apart: OwnProcess) throws(AudioError) -> UnitInstance {
    let known = Self.lock.withLock { definitionApart }
    if let known { return known.unit(of: component) }
    let found = try format.hosted?.describeApart(identifier, libraryAt: path, apart)
    let made = UnitDefinition.hosting(try usable(found), apart: apart)
    Self.lock.withLock { definitionApart = made }
    return made.unit(of: component)
  }

  private func describe() throws(AudioError) -> PlugInDescription {
    try usable(try format.hosted?.describe(identifier, libraryAt: path))
  }

  private func usable(_ found: PlugInDescription?) throws(AudioError) -> PlugInDescription {
    guard let found else {
      throw .invalidFile.because("\(path) does not contain \(identifier) any more")
    }
    guard found.refusals.isEmpty else {
      throw .invalidFile.because(found.refusals.joined(separator: "; "))
    }
    return found
  }
}

extension FoundPlugIn {
  /// [control thread] The plug-ins in a file, which is opened for that.
  /// - Throws: `invalidFile` if it is none of this format.
  static func all(_ format: AUPlugInFormats, at path: String) throws(AudioError) -> [FoundPlugIn] {
    guard let hosted = format.hosted else { throw .invalidArgument.because("not a format") }
    return try hosted.describe(libraryAt: path).map { FoundPlugIn($0, format) }
  }

  private init(_ plugIn: PlugInDescription, _ format: AUPlugInFormats) {
    self.init(
      format: format, path: plugIn.path, name: plugIn.componentName,
      identifier: plugIn.identifier, version: plugIn.version,
      reason: plugIn.refusals.joined(separator: "; "))
    guard let codes = plugIn.codes else {
      if reason.isEmpty { reason = "it has neither sound nor MIDI" }
      return
    }
    self.codes.componentType = codes.type
    self.codes.componentSubType = codes.subType
    self.codes.componentManufacturer = codes.manufacturer
    traits = ComponentTraits(
      tags: plugIn.tags, hasMIDIInput: plugIn.acceptsMIDI, hasMIDIOutput: plugIn.sendsMIDI)
  }
}

extension AUPlugInFormats {
  /// The format for the target that hosts it; nil for audio units.
  fileprivate var hosted: PlugInFormat? {
    switch self {
    case .LV2: .lv2
    case .LADSPA: .ladspa
    case .CLAP: .clap
    default: nil
    }
  }
}
