// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import AudioHardware
import AudioQueues
import AudioSessions
import AudioSupport
import AudioUnitCore
import BuiltInUnits
import CRealTime
import CoreFoundationBridge
import MusicSequences
import OutputUnits
import PlugInDiscovery
import PlugInHosting
import ProcessingGraph

/// The set-up that precedes the first use of the library.
package enum Library {
  /// [any thread] The components of this process, including the built-in ones.
  package static var components: ComponentRegistry {
    start()
    return .shared
  }

  /// [any thread] The plug-ins of this machine.
  package static var plugIns: PlugIns {
    start()
    return .shared
  }

  /// [any thread] The names and meanings of all status codes.
  package static var statusNames: [StatusName] {
    start()
    return StatusName.all
  }

  /// [any thread] Registers the built-in components and installs the bridge to Core Foundation,
  /// once.
  static func start() { atWork { _ = isStarted } }

  /// The families of status codes.
  private static let statusFamilies: [StatusFamily] = [
    .units, .components, .graphs, .hardware, .converters, .formats, .files, .extendedFiles,
    .fileStreams, .sessions, .queues, .systemSounds, .music,
  ]

  private static let isStarted: Bool = {
    rt_begin_use()
    StatusFamily.register(statusFamilies)
    CoreFoundationBridge.install
    OutputCatalogue.register(in: .shared)
    Catalogue.register(in: .shared)
    PlugIns.shared.registrationsChanged = { postRegistrationsChanged() }
    PlugInEnd.handler = { postInvalidation(of: $0) }
    ComponentRegistry.shared.findMore = { PlugIns.shared.register() }
    return true
  }()
}
