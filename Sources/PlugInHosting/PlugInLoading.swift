// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CPlugIns

extension PlugInFormat {
  /// [control thread] The plug-ins of a library (LADSPA, CLAP) or a bundle (LV2), which may contain none.
  ///
  /// Runs code of the library, except for LV2: call it in a process that may fail.
  /// - Throws: `invalidFile` if it cannot be opened.
  public func describe(libraryAt path: String) throws(AudioError) -> [PlugInDescription] {
    switch self {
    case .ladspa: try LADSPALibrary(path).descriptions()
    case .lv2: try LV2Plugins.describe(bundleAt: path)
    case .clap: try CLAPLibrary.at(path).describe()
    }
  }

  /// [control thread] One plug-in of a library or a bundle; nil: it does not contain that.
  public func describe(_ identifier: String, libraryAt path: String) throws(AudioError)
    -> PlugInDescription?
  {
    try OwnPlugIns.check(identifier)
    return switch self {
    case .clap: try CLAPLibrary.at(path).describe(identifier).first
    case .ladspa, .lv2: try describe(libraryAt: path).first { $0.identifier == identifier }
    }
  }
}

extension PlugInDescription {
  /// [control thread] Opens the library of the plug-in, which then stays open. This runs code of the library,
  /// but makes no instance: a crash in that, when a unit is initialised, comes later.
  public func open() throws(AudioError) { _ = try load() }

  /// [control thread] Loads the plug-in into this process.
  func load() throws(AudioError) -> any LoadedPlugIn {
    try OwnPlugIns.check(identifier)
    return switch format {
    case .ladspa: try LADSPAPlugIn(self)
    case .lv2: try LV2PlugIn(self)
    case .clap: try CLAPPlugIn(self)
    }
  }
}

/// The units of this library as plug-ins: they bring the shared library, which a program that contains this
/// code already cannot have as well.
private enum OwnPlugIns {
  private static let prefixes = ["swift-audiotoolbox:", "urn:swift-audiotoolbox:"]

  /// [control thread] Refuses to open one of them in such a program.
  static func check(_ identifier: String) throws(AudioError) {
    guard plug_in_own_library() == nil, prefixes.contains(where: { identifier.hasPrefix($0) })
    else { return }
    throw .invalidFile.because("it is a unit of this library, which is a component already")
  }
}
