// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import Glibc

/// The sinks and sources of a PulseAudio server at one moment.
struct PulseDevices {
  /// A sink or a source.
  struct Endpoint {
    var name: String
    var index: UInt32
    /// The sink that a source is the monitor of, or the largest number.
    var monitored: UInt32
    var description: String
    var sampleRate: Double
    var map: PulseChannelMap
    var details: DeviceDetails
    var channelCount: Int { Int(map.channels) }
  }

  /// The sinks and the sources, each with the default one first.
  var sinks: [Endpoint]
  var sources: [Endpoint]

  /// [control thread] Queries the server.
  init(_ connection: PulseConnection) throws(AudioError) {
    let pulse = connection.pulse
    let context = connection.context
    let server = try connection.perform(Defaults(connection)) {
      pulse.pa_context_get_server_info(context, Defaults.function, $0)
    }
    let sinks = try connection.perform(List(connection)) {
      pulse.pa_context_get_sink_info_list(context, List.function, $0)
    }
    let sources = try connection.perform(List(connection)) {
      pulse.pa_context_get_source_info_list(context, List.function, $0)
    }
    let players = try connection.perform(Players(connection)) {
      pulse.pa_context_get_sink_input_info_list(context, Players.function, $0)
    }
    self.sinks = Self.sorted(sinks.endpoints, first: server.sink)
    self.sources = Self.sorted(sources.endpoints, first: server.source)
    for index in self.sinks.indices {
      self.sinks[index].details.canBeDefault = true
      self.sinks[index].details.othersPlay = players.sinks.contains(self.sinks[index].index)
    }
    for index in self.sources.indices {
      let isMonitor = self.sources[index].monitored != .max
      self.sources[index].details.isMonitor = isMonitor
      self.sources[index].details.canBeDefault = !isMonitor
    }
  }

  private static func sorted(_ endpoints: [Endpoint], first: String?) -> [Endpoint] {
    endpoints.filter { $0.name == first } + endpoints.filter { $0.name != first }
  }

  /// The sink or source with a device's uid.
  func endpoint(_ device: Device?) -> Endpoint? {
    guard let name = device.flatMap({ DeviceName($0.uid).device }) else { return nil }
    return (sinks + sources).first { $0.name == name }
  }
}

/// The names of the default sink and source.
private final class Defaults: PulseResult {
  private let connection: PulseConnection
  private(set) var sink: String?
  private(set) var source: String?
  private(set) var isComplete = false

  init(_ connection: PulseConnection) { self.connection = connection }

  static let function:
    @convention(c) (
      OpaquePointer, UnsafePointer<PulseServerInfo>?, UnsafeMutableRawPointer?
    ) -> Void = { _, info, answer in
      guard let answer else { return }
      let me = Unmanaged<Defaults>.fromOpaque(answer).takeUnretainedValue()
      me.sink = info?.pointee.default_sink_name.map { String(cString: $0) }
      me.source = info?.pointee.default_source_name.map { String(cString: $0) }
      me.isComplete = true
      me.connection.wake()
    }
}

/// A list of sinks or sources: the callback is called for each, and once at the end.
private final class List: PulseResult {
  private let connection: PulseConnection
  private(set) var endpoints: [PulseDevices.Endpoint] = []
  private(set) var isComplete = false

  init(_ connection: PulseConnection) { self.connection = connection }

  static let function:
    @convention(c) (
      OpaquePointer, UnsafePointer<PulseDeviceInfo>?, CInt, UnsafeMutableRawPointer?
    ) -> Void = { _, info, end, answer in
      guard let answer else { return }
      let me = Unmanaged<List>.fromOpaque(answer).takeUnretainedValue()
      guard end == 0, let info = info?.pointee else {
        me.isComplete = true
        return me.connection.wake()
      }
      guard info.channel_map.channels > 0 else { return }
      let name = String(cString: info.name)
      me.endpoints.append(
        .init(
          name: name, index: info.index, monitored: info.monitor,
          description: info.description.map { String(cString: $0) } ?? name,
          sampleRate: Double(info.sample_spec.rate), map: info.channel_map,
          details: DeviceDetails(info, me.connection.pulse)))
    }
}

/// The sinks that other processes play to. The callback is called for each of their streams, and
/// once at the end.
private final class Players: PulseResult {
  private let connection: PulseConnection
  private(set) var sinks: Set<UInt32> = []
  private(set) var isComplete = false

  init(_ connection: PulseConnection) { self.connection = connection }

  static let function:
    @convention(c) (
      OpaquePointer, UnsafePointer<PulsePlayerInfo>?, CInt, UnsafeMutableRawPointer?
    ) -> Void = { _, info, end, answer in
      guard let answer else { return }
      let me = Unmanaged<Players>.fromOpaque(answer).takeUnretainedValue()
      guard end == 0, let info = info?.pointee else {
        me.isComplete = true
        return me.connection.wake()
      }
      if info.corked == 0, me.isOther(info) { me.sinks.insert(info.sink) }
    }

  /// Whether a stream belongs to another process, and not to the server, such as that of a virtual
  /// sink.
  private func isOther(_ info: PulsePlayerInfo) -> Bool {
    guard info.client != .max else { return false }
    let process = info.proplist.flatMap {
      connection.pulse.pa_proplist_gets($0, "application.process.id")
    }
    return process.map { String(cString: $0) } != "\(getpid())"
  }
}
