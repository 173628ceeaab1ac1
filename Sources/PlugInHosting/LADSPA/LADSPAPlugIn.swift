// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns
import Glibc

/// A LADSPA plug-in whose library is loaded.
final class LADSPAPlugIn: LoadedPlugIn, @unchecked Sendable {
  let type: UnsafePointer<LADSPADescriptor>
  let plugIn: PlugInDescription

  /// [control thread] Loads the library of a plug-in, which must still be as described.
  init(_ plugIn: PlugInDescription) throws(AudioError) {
    self.plugIn = plugIn
    let label = plugIn.identifier.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
    type = try LADSPALibrary(plugIn.path).type(labelled: label)
    let now = LADSPADescribing(type, plugIn.path).description
    guard now.inputs == plugIn.inputs, now.outputs == plugIn.outputs,
      now.parameters == plugIn.parameters
    else {
      throw .invalidFile.because("\(plugIn.path) has changed since it was scanned")
    }
  }

  func makeInstance(_ setup: InstanceSetup) throws(AudioError) -> PlugInInstance {
    let rate = UInt(setup.sampleRate.rounded())
    let made = PlugInCall.control { type.pointee.instantiate?(type, rate) }
    guard let handle = made ?? nil else {
      throw .failedInitialization.because(
        "the plug-in makes no instance for \(setup.sampleRate.plainText) Hz")
    }
    return LADSPAInstance(self, handle, setup)
  }
}

/// An instance of a LADSPA plug-in.
private final class LADSPAInstance: PlugInInstance, @unchecked Sendable {
  private let plugIn: LADSPAPlugIn
  private let type: UnsafePointer<LADSPADescriptor>
  private let handle: UnsafeMutableRawPointer
  private let ports: ConnectedPorts

  init(_ plugIn: LADSPAPlugIn, _ handle: UnsafeMutableRawPointer, _ setup: InstanceSetup) {
    self.plugIn = plugIn
    self.handle = handle
    type = plugIn.type
    ports = ConnectedPorts(plugIn.plugIn, maximumFrames: setup.maximumFrames)
    super.init(plugIn.plugIn, setup)
    // `activate` may already look at any port.
    disconnect()
    for (index, parameter) in plugIn.plugIn.parameters.enumerated() {
      ladspa_connect(type, handle, UInt(parameter.port), controls + index)
    }
  }

  deinit { PlugInCall.control { type.pointee.cleanup?(handle) } }

  override func activate() { PlugInCall.control { type.pointee.activate?(handle) } }
  override func deactivate() {
    PlugInCall.control {
      disconnect()
      type.pointee.deactivate?(handle)
    }
  }

  override func reset() {
    disconnect()
    ladspa_reset(type, handle)
  }

  override func run(_ block: PlugInBlock) {
    ports.connect(to: block) { ladspa_connect(type, handle, UInt($0), $1) }
    ladspa_run(type, handle, UInt(block.frameCount))
  }

  private func disconnect() {
    ports.disconnect { ladspa_connect(type, handle, UInt($0), $1) }
  }
}
