// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import SignalProcessing

/// Which device a client uses, and what it does when that is gone.
package enum DevicePolicy: Equatable, Sendable {
  /// The device with this number and no other one. The client waits for it.
  case only(UInt32)
  /// The device with this number, and the default one for a direction that it lacks. The client
  /// waits for it.
  case pinned(UInt32)
  /// The device that the environment names, as if it were pinned, otherwise the default one. The
  /// client moves when that changes. After a loss it waits some seconds for the same server before
  /// it uses another one.
  case followsDefault

  /// Seconds that a client that follows the default device waits for its server.
  static let serverWait = 5.0
}

/// What the owner of a client requests with a start. Later streams of the same run use it too,
/// because the owner's settings may change meanwhile.
package struct DeviceClientRequest: Sendable {
  package var policy: DevicePolicy
  package var usesInput: Bool
  package var usesOutput: Bool
  /// When the cycles begin, in host time. Nil begins immediately.
  package var startHostTime: UInt64?
  /// The name of the owner, for the server and for messages.
  package var title: String
  package var environment: DeviceEnvironment
  /// The clock whose times the cycles continue, as if the device had never stopped. Nil begins at 0
  /// with each start.
  var clock: DeviceClock?
  /// Whether the stream is reopened when the program requests another rate or cycle size.
  package var followsRequests = false
  /// How well the bridge between two clocks converts.
  package var bridgeQuality = SampleRateConverter.Quality.normal
  /// The noise with which samples are rounded for a device that has integers.
  package var dither = Dither.none

  package init(
    _ policy: DevicePolicy, usesInput: Bool, usesOutput: Bool, startHostTime: UInt64? = nil,
    title: String, environment: DeviceEnvironment
  ) {
    self.policy = policy
    self.usesInput = usesInput
    self.usesOutput = usesOutput
    self.startHostTime = startHostTime
    self.title = title
    self.environment = environment
  }

  /// Whether a device was named, by number or by the environment.
  var namesDevice: Bool { policy != .followsDefault || environment.device?.device != nil }
  /// Whether at least the back end was named.
  var namesBackend: Bool { policy != .followsDefault || environment.device != nil }
  /// Whether a stream without an input will do: not for a function on a device, which reads the
  /// buffers of all its streams.
  var playsWithoutInput: Bool {
    if case .only = policy { return false }
    return usesInput && usesOutput
  }
}

/// A stream of a client with its handler.
package struct DeviceConnection: Sendable {
  package let stream: any DeviceStream
  package let handler: ClientHandler
  /// The current device.
  package internal(set) var device: Device
  /// The directions that the stream was opened for.
  package let usesInput: Bool
  package let usesOutput: Bool
  /// The revision of the device's requests when it was opened.
  let revision: Int
  /// The shape of the engines.
  package internal(set) var shape: CycleShape

  /// [control thread] The newest engine.
  package var engine: CycleEngine? { handler.engine }
}

/// What has happened to a running client.
package enum DeviceClientChange: Equatable, Sendable {
  /// It is interrupted.
  case interrupted
  /// A new stream plays again, on this device.
  case reopened(Device)
  /// The stream has continued on this device.
  case moved(Device)
  /// The stream has ended by itself.
  case stopped
}

/// The owner of a client. It renders the cycles and reacts to what happens to the stream.
package protocol DeviceClientOwner: AnyObject, Sendable {
  /// [control thread] The directions to open on a device, of those requested.
  ///
  /// - Throws: The reason if the device is of no use.
  func directions(
    on device: Device, of request: DeviceClientRequest
  ) throws(AudioError) -> (input: Bool, output: Bool)

  /// [control thread] Makes the engine that renders the cycles of a connection. Called without
  /// the owner's lock when a stream replaces another.
  func makeEngine(for connection: DeviceConnection) -> CycleEngine

  /// [any thread but a render thread] Handles a change of the client, which holds no lock.
  func clientChanged(_ change: DeviceClientChange)

  /// [watchdog] Called at each check of a running client.
  func clientWasChecked(_ connection: DeviceConnection)
}

extension DeviceClientOwner {
  package func clientWasChecked(_ connection: DeviceConnection) {}
}
