// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CPlugIns

/// An open library of LADSPA plug-ins.
struct LADSPALibrary: @unchecked Sendable {
  private let path: String
  private let descriptor: LADSPADescriptorFunction

  /// A broken library may never end its list.
  private static let highestPlugInCount = 4_096

  /// [control thread] Opens a library.
  /// - Throws: `invalidFile` if it cannot be opened.
  init(_ path: String) throws(AudioError) {
    self.path = path
    guard let symbol = try SharedObject(path).symbol("ladspa_descriptor") else {
      throw .invalidFile.because("\(path) has no function ladspa_descriptor")
    }
    descriptor = unsafeBitCast(symbol, to: LADSPADescriptorFunction.self)
  }

  /// [control thread] What its plug-ins are.
  func descriptions() -> [PlugInDescription] {
    var found: [PlugInDescription] = []
    for index in 0..<Self.highestPlugInCount {
      guard let type = PlugInCall.control({ descriptor(UInt(index)) }) else { break }
      found.append(LADSPADescribing(type, path).description)
    }
    return found
  }

  /// [control thread] The type of plug-in with a label.
  /// - Throws: `invalidFile` if there is none.
  func type(labelled label: String) throws(AudioError) -> UnsafePointer<LADSPADescriptor> {
    for index in 0..<Self.highestPlugInCount {
      guard let type = PlugInCall.control({ descriptor(UInt(index)) }) else { break }
      if LADSPADescribing.text(type.pointee.label) == label { return type }
    }
    throw .invalidFile.because("\(path) has no plug-in \(label) any more")
  }
}
