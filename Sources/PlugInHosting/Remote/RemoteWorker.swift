// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CPlugIns
import Glibc

/// The process that runs a plug-in for a program: it answers the calls that arrive at descriptor 3, and writes a byte
/// to descriptor 4 when the plug-in has requests. It ends when the program closes the socket.
package final class RemoteWorker {
  /// The argument of the program that makes it this process.
  package static let word = "run"

  private let channel: RemoteChannel
  private let notices: Int32
  private var loaded: (any LoadedPlugIn)?
  private var plugIn: PlugInDescription?
  private var sessions: [Int: RemoteSession] = [:]
  private var nextNumber = 1

  /// [main thread] Answers calls until the program ends.
  package static func run() -> Never {
    plug_in_prepare_process()
    // Plug-ins must not find them, nor pass them on.
    let socket = fcntl(3, F_DUPFD_CLOEXEC, 200)
    let notices = fcntl(4, F_DUPFD_CLOEXEC, 200)
    close(3)
    close(4)
    guard socket >= 0, notices >= 0 else { _exit(64) }
    endWithProgram(socket)
    RemoteWorker(socket, notices).serve()
    // Destructors of plug-ins may crash, too.
    _exit(0)
  }

  private init(_ socket: Int32, _ notices: Int32) {
    channel = RemoteChannel(socket: socket)
    self.notices = notices
  }

  /// Ends this process with the program, also while a call of the plug-in hangs.
  private static func endWithProgram(_ socket: Int32) {
    let thread = WorkerThread(name: "program-watch") { _ in
      // POLLRDHUP, which Glibc's module does not export.
      let isClosed: Int16 = 0x2000
      while true {
        var closed = pollfd(fd: socket, events: isClosed, revents: 0)
        if poll(&closed, 1, -1) > 0 { _exit(0) }
      }
    }
    guard (try? thread.start()) != nil else { _exit(66) }
  }

  private func serve() {
    while var request = channel.receive(until: .max) {
      var reply = RemoteMessage()
      do throws(AudioError) {
        let answer = try answer(&request)
        reply = Self.reply(noErr, "")
        reply.append(answer)
      } catch { reply = Self.reply(error.status, error.explanation) }
      guard channel.send(reply, until: .max) else { return }
    }
  }

  private static func reply(_ status: OSStatus, _ reason: String) -> RemoteMessage {
    .writing { message in
      var status = status
      message.pass(&status)
      message.write(reason)
    }
  }

  /// The answer to a request.
  private func answer(_ request: inout RemoteMessage) throws(AudioError) -> RemoteMessage {
    guard let kind = RemoteRequest(rawValue: request.read(0) { $0.pass(&$1) }) else {
      throw .invalidArgument
    }
    switch kind {
    case .describe: return try describe(&request)
    case .load: return try load(&request)
    case .makeInstance: return try makeInstance(&request)
    case .presetState:
      let state = try known().state(ofPreset: request.readText())
      return .writing { $0.write(state) }
    case .canRead:
      let canRead = try known().canRead(request.readBytes())
      return .writing { $0.write(canRead) }
    case .valuesOfState:
      let values = try known().values(of: request.readBytes())
      return .writing { $0.write(values) }
    case .text:
      let text = try known().text(of: request.readNumber(), request.readFloat())
      return .writing {
        $0.write(text != nil)
        $0.write(text ?? "")
      }
    case .value:
      let value = try known().value(of: request.readNumber(), request.readText())
      return .writing {
        $0.write(value != nil)
        $0.write(value ?? 0)
      }
    case .freeInstance:
      sessions.removeValue(forKey: request.readNumber())?.end()
      return RemoteMessage()
    default: return try session(request.readNumber()).answer(kind, &request)
    }
  }

  private func known() throws(AudioError) -> any LoadedPlugIn {
    guard let loaded else { throw .uninitialized }
    return loaded
  }

  private func session(_ number: Int) throws(AudioError) -> RemoteSession {
    guard let session = sessions[number] else { throw .invalidArgument }
    return session
  }

  private func describe(_ request: inout RemoteMessage) throws(AudioError) -> RemoteMessage {
    let format = request.read(PlugInFormat.lv2) { $0.pass(&$1) }
    let (identifier, path) = (request.readText(), request.readText())
    let found = try format.describe(identifier, libraryAt: path)
    return .writing { message in
      var found = found
      let empty = PlugInDescription(format, "", path: "", name: "", maker: "")
      message.pass(&found, empty: empty) { $0.pass(&$1) }
    }
  }

  private func load(_ request: inout RemoteMessage) throws(AudioError) -> RemoteMessage {
    let empty = PlugInDescription(.lv2, "", path: "", name: "", maker: "")
    let described = request.read(empty) { $0.pass(&$1) }
    loaded = try described.load()
    plugIn = described
    return RemoteMessage()
  }

  private func makeInstance(_ request: inout RemoteMessage) throws(AudioError) -> RemoteMessage {
    // It may arrive later than the request.
    _ = channel.wait(for: POLLIN, .max)
    let file = channel_receive_file(channel.socket)
    guard file >= 0 else { throw .invalidArgument.because("no memory arrived") }
    defer { close(file) }
    guard let plugIn else { throw .uninitialized }
    var setup = request.read(InstanceSetup(sampleRate: 0, maximumFrames: 0, controls: [])) {
      $0.pass(&$1)
    }
    let requests = PlugInRequests()
    setup.requests = requests
    let block = try SharedBlock(plugIn, maximumFrames: setup.maximumFrames, file: file)
    let instance = try known().makeInstance(setup)
    let session = RemoteSession(instance, block, requests, notices)
    try session.start()
    sessions[nextNumber] = session
    defer { nextNumber += 1 }
    return .writing {
      $0.write(nextNumber)
      $0.write(instance.resetsInRenders)
      $0.write(session.controls)
    }
  }
}
