// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import Glibc

/// The connection through which the back end queries the server. Made again after the server has
/// ended.
final class PipeWireServer: Sendable {
  typealias Observer = @Sendable () -> Void

  // A pointer that only the library dereferences.
  private struct Connection: @unchecked Sendable { var pointer: OpaquePointer }

  private let connection = Guarded<Connection?>(nil)
  private let observers = Guarded<[Int: Observer]>([:])

  deinit { connection.withLock { if let it = $0 { pipewire_disconnect(it.pointer) } } }

  /// [control thread] The server's current nodes and settings.
  func query() throws(AudioError) -> (nodes: [Node], settings: PipeWireSettings) {
    try connection.withLock { connection throws(AudioError) in
      let it = try liveConnection(&connection)
      pipewire_measure(it.pointer)
      let nodes = Nodes()
      pipewire_visit(it.pointer, Unmanaged.passUnretained(nodes).toOpaque()) { context, node in
        guard let context, let node else { return }
        Unmanaged<Nodes>.fromOpaque(context).takeUnretainedValue().list.append(Node(node.pointee))
      }
      return (nodes.list, pipewire_settings(it.pointer))
    }
  }

  /// [any thread] Reports changes until `removeObserver` is called with the returned number.
  func addObserver(_ observer: @escaping Observer) -> Int {
    observers.withLock { observers in
      let number = (observers.keys.max() ?? 0) + 1
      observers[number] = observer
      return number
    }
  }

  /// [any thread] Removes the observer of `addObserver`.
  func removeObserver(_ number: Int) { observers.withLock { $0[number] = nil } }

  /// [control thread] Runs `body`, which changes a setting. False if it failed.
  func change(_ body: (OpaquePointer) -> Bool) throws(AudioError) -> Bool {
    try connection.withLock { connection throws(AudioError) in
      let it = try liveConnection(&connection)
      return body(it.pointer)
    }
  }

  /// The connection, made again if its server has ended.
  private func liveConnection(_ connection: inout Connection?) throws(AudioError) -> Connection {
    if let it = connection {
      if pipewire_is_alive(it.pointer) { return it }
      pipewire_disconnect(it.pointer)
      connection = nil
    }
    let it = try connect()
    connection = it
    return it
  }

  private func connect() throws(AudioError) -> Connection {
    let me = Unmanaged.passUnretained(self).toOpaque()
    let observer = PipeWireObserver(
      context: me, changed: { PipeWireServer.notify($0) },
      died: { context, _ in PipeWireServer.notify(context) })
    var reason = [CChar](repeating: 0, count: 256)
    guard let pointer = pipewire_connect(observer, &reason, UInt32(clamping: reason.count)) else {
      throw .failedInitialization.because(text(reason))
    }
    return Connection(pointer: pointer)
  }

  // Called on the connection's thread. It must not wait for `connection`, whose holder may wait for
  // this thread.
  private static func notify(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let server = Unmanaged<PipeWireServer>.fromOpaque(context).takeUnretainedValue()
    for observer in server.observers.withLock({ Array($0.values) }) { observer() }
  }

  private final class Nodes { var list: [Node] = [] }

  /// A node as the server describes it.
  struct Node: Sendable {
    var name: String
    var description: String
    var playbackCount: Int
    var captureCount: Int
    var monitorCount: Int
    var isSink: Bool
    var isDefault: Bool
    var priority: Int
    /// Frames per second of its graph, while the graph runs and the server's profiles report it.
    var graphRate: Double?
    var details = DeviceDetails()

    fileprivate init(_ node: PipeWireNode) {
      name = String(cString: node.name)
      description = String(cString: node.description)
      playbackCount = Int(node.playback_count)
      captureCount = Int(node.capture_count)
      monitorCount = Int(node.monitor_count)
      isSink = node.is_sink
      isDefault = node.is_default
      priority = Int(node.priority)
      guard node.is_described else { return }
      details.isRunning = node.is_running
      details.othersPlay = node.has_other_players
      graphRate = node.graph_rate > 0 ? Double(node.graph_rate) : nil
      var amplitudes = node.volumes
      if node.volume_count > 0 {
        details.volumes = withUnsafeBytes(of: &amplitudes) { bytes in
          (0..<min(Int(node.volume_count), bytes.count / 4)).map {
            cbrt(bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self))
          }
        }
      }
      if node.has_mute { details.isMuted = node.is_muted }
      func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
      details.bus = text(node.bus)
      details.form = text(node.form)
      details.iconName = text(node.icon_name)
      details.maker = text(node.maker)
      details.model = text(node.model)
      details.serialNumber = text(node.serial_number)
      details.card = text(node.card)
    }
  }
}

/// The C string at the beginning of a buffer.
func text(_ characters: [CChar]) -> String {
  String(
    decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
