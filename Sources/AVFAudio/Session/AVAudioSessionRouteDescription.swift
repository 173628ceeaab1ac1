// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import AudioToolbox

/// The inputs and outputs at one point in time.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {  // it never changes
  private let ports:
    (inputs: [AVAudioSessionPortDescription], outputs: [AVAudioSessionPortDescription])

  init(_ route: SessionRoute, of session: Session) {
    ports = (
      route.inputs.map { AVAudioSessionPortDescription($0, of: session) },
      route.outputs.map { AVAudioSessionPortDescription($0, of: session) }
    )
  }

  /// The ports that capture.
  open var inputs: [AVAudioSessionPortDescription] { ports.inputs }
  /// The ports that play.
  open var outputs: [AVAudioSessionPortDescription] { ports.outputs }

  /// Routes with equal ports are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionRouteDescription else { return false }
    return inputs == other.inputs && outputs == other.outputs
  }

  open override var hash: Int { (inputs + outputs).map(\.uid).hashValue }

  open override var description: String {
    "inputs \(inputs.map(\.description)), outputs \(outputs.map(\.description))"
  }
}

/// A port: the input or output of a device.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {  // it never changes
  private let port: SessionPort
  private let session: Session

  init(_ port: SessionPort, of session: Session) {
    self.port = port
    self.session = session
  }

  /// How the device is connected.
  open var portType: AVAudioSession.Port { port.type }
  /// The display name of the device.
  open var portName: String { port.name }
  /// The UID of the device.
  open var uid: String { port.uid }
  /// Always false: no device processes voice calls for this library.
  open var hasHardwareVoiceCallProcessing: Bool { false }
  /// False: no port places sound around the listener.
  open var isSpatialAudioEnabled: Bool { false }

  /// The channels of this endpoint of the device.
  open var channels: [AVAudioSessionChannelDescription]? {
    port.channels.map { AVAudioSessionChannelDescription($0, of: port.uid) }
  }

  /// The data sources; nil when there is no choice.
  open var dataSources: [AVAudioSessionDataSourceDescription]? {
    port.sources.isEmpty ? nil : port.sources.map(AVAudioSessionDataSourceDescription.init)
  }

  /// The data source that was selected when this description was created.
  open var selectedDataSource: AVAudioSessionDataSourceDescription? {
    port.selectedSource.map(AVAudioSessionDataSourceDescription.init)
  }

  /// The selected data source, because a device keeps its selection.
  open var preferredDataSource: AVAudioSessionDataSourceDescription? { selectedDataSource }

  /// Switches the device to a data source; nil leaves it unchanged.
  open func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    guard let dataSource else { return }
    let source = dataSource.dataSourceID.uint32Value
    do throws(AudioError) {
      try session.choose(source: source, ofPort: port.uid, isInput: port.isInput)
    } catch { throw NSError(error) }
  }

  /// Ports with the same device and direction are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionPortDescription else { return false }
    return uid == other.uid && port.isInput == other.port.isInput
  }

  open override var hash: Int { uid.hashValue }
  open override var description: String { "\(portType.rawValue) \"\(portName)\" (\(uid))" }
}

/// A channel of a port.
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {  // it never changes
  private let channel: SessionPort.Channel
  private let uid: String

  init(_ channel: SessionPort.Channel, of uid: String) {
    self.channel = channel
    self.uid = uid
  }

  /// The display name.
  open var channelName: String { channel.name }
  /// The UID of the device.
  open var owningPortUID: String { uid }
  /// Counted from 1.
  open var channelNumber: Int { channel.number }
  /// Where its speaker or microphone is.
  open var channelLabel: AudioChannelLabel { channel.label }
}

/// A data source or destination to which a port can be switched.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {  // it never changes
  private let source: SessionPort.Source

  init(_ source: SessionPort.Source) { self.source = source }

  /// The number that the device gives it.
  open var dataSourceID: NSNumber { NSNumber(value: source.id) }
  /// The display name.
  open var dataSourceName: String { source.name }

  /// Nil: servers do not report the position, orientation or polar pattern of a microphone.
  open var location: AVAudioSession.Location? { nil }
  /// Nil: servers do not report it.
  open var orientation: AVAudioSession.Orientation? { nil }
  /// Nil: servers do not report them.
  open var supportedPolarPatterns: [AVAudioSession.PolarPattern]? { nil }
  /// Nil: servers do not report it.
  open var selectedPolarPattern: AVAudioSession.PolarPattern? { nil }
  /// Nil: there are none to choose from.
  open var preferredPolarPattern: AVAudioSession.PolarPattern? { nil }

  /// Throws unless the pattern is nil: there are no polar patterns to choose from.
  open func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
    guard let pattern else { return }
    throw NSError(
      AudioError(status: SessionCode.resourceNotAvailable).because(
        "data source \(dataSourceName) has no polar pattern \(pattern.rawValue)"))
  }

  /// Data sources with the same number are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioSessionDataSourceDescription)?.dataSourceID == dataSourceID
  }

  open override var hash: Int { dataSourceID.hashValue }
  open override var description: String { "\(dataSourceName) (\(dataSourceID))" }
}
