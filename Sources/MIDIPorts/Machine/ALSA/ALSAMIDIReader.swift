// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
import Glibc

/// The thread that waits for events of the sequencer, and passes them to links.
final class ALSAMIDIReader: @unchecked Sendable {  // only the links are shared
  /// The most events that are read before they are passed on.
  private static let readLimit = 256

  private let alsa: UnsafePointer<ALSASequencerFunctions>
  private let sequencer: OpaquePointer
  private let decoder: OpaquePointer
  private let announcePort: Int32
  private let events: MachineEvents
  /// Wakes the thread, so that it ends: what is read and what is written.
  private let stopPipe: (read: Int32, write: Int32)
  private let links = Guarded<[Int32: MachineLink]>([:])
  private var thread: WorkerThread?

  /// [machine thread] Starts the thread.
  init(
    _ alsa: UnsafePointer<ALSASequencerFunctions>, _ sequencer: OpaquePointer,
    _ events: MachineEvents
  ) throws(AudioError) {
    var decoder: OpaquePointer?
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .outOfMemory.because("no pipe for the ALSA sequencer") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard alsa.pointee.snd_midi_event_new(64, &decoder) >= 0, let decoder else {
      for end in ends { _ = Glibc.close(end) }
      throw .outOfMemory
    }
    alsa.pointee.snd_midi_event_no_status(decoder, 1)
    // The kernel announces clients and ports to it.
    announcePort = alsa.pointee.snd_seq_create_simple_port(
      sequencer, "announcements", ALSACanWrite.rawValue | ALSAHidden.rawValue,
      UInt32(clamping: ALSAApplication))
    _ = alsa.pointee.snd_seq_connect_from(
      sequencer, announcePort, 0, Int32(clamping: ALSAAnnouncePort))
    (self.alsa, self.sequencer, self.decoder, self.events) = (alsa, sequencer, decoder, events)
    stopPipe = (ends[0], ends[1])
    let thread = WorkerThread(name: "midi-alsa", requestsRealTime: true) {
      [unowned self] thread in run(thread)
    }
    do throws(AudioError) { try thread.start() } catch {
      free()
      throw error
    }
    self.thread = thread
  }

  /// [machine thread] Passes what arrives at a port to a link.
  func add(_ link: MachineLink, at port: Int32) { links.withLock { $0[port] = link } }

  /// [machine thread] Ends that.
  func remove(at port: Int32) { links.withLock { $0[port] = nil } }

  /// [machine thread] Ends the thread.
  func stop() {
    thread?.requestStop()
    _ = Glibc.write(stopPipe.write, [0], 1)
    thread?.stop()
    free()
  }

  private func free() {
    alsa.pointee.snd_midi_event_free(decoder)
    _ = (Glibc.close(stopPipe.read), Glibc.close(stopPipe.write))
  }

  private func run(_ thread: WorkerThread) {
    var descriptors = [pollfd](repeating: pollfd(), count: 2)
    _ = alsa.pointee.snd_seq_poll_descriptors(sequencer, &descriptors, 1, Int16(POLLIN))
    descriptors[1] = pollfd(fd: stopPipe.read, events: Int16(POLLIN), revents: 0)
    while !thread.isStopping {
      guard Glibc.poll(&descriptors, 2, -1) >= 0 || errno == EINTR else { return events.ended() }
      var rest = Rest.some
      while rest == .some, !thread.isStopping {
        rest = links.withLock { readSome(for: $0) }
        // The kernel ends a process whose real-time thread never waits.
        rt_rest_if_due()
      }
      if rest == .gone { break }
    }
    if !thread.isStopping { events.ended() }
  }

  /// What is left after some events were read.
  private enum Rest {
    case none, some
    /// The sequencer itself has gone.
    case gone
  }

  /// Reads events that have arrived, and passes them on: not all, so that whoever adds a link need
  /// not wait until there are no more.
  private func readSome(for links: [Int32: MachineLink]) -> Rest {
    var used: [Int32: MachineLink] = [:]
    defer { for link in used.values { link.passArrived() } }
    for _ in 0..<Self.readLimit {
      var event: UnsafeMutablePointer<ALSAEvent>?
      let error = alsa.pointee.snd_seq_event_input(sequencer, &event)
      if error == -EAGAIN || error == -EINTR { return .none }
      if error == -ENOSPC {
        Explanations.log("ALSA: MIDI came faster than it was read; some is lost")
        // Announcements are lost, too.
        events.portsChanged()
        continue
      }
      guard error >= 0, let event else { return .gone }
      let port = Int32(event.pointee.dest.port)
      if port == announcePort {
        let types = ALSAClientStart...ALSAPortChange
        if types.contains(Int(event.pointee.type)) { events.portsChanged() }
      } else if let link = links[port] {
        used[port] = link
        receive(event, by: link)
        rt_rest_if_due()
      }
    }
    return .some
  }

  private func receive(_ event: UnsafeMutablePointer<ALSAEvent>, by link: MachineLink) {
    let time = rt_host_time()
    var count: UInt32 = 0
    if let bytes = alsa_sequencer_sysex(event, &count) {
      return link.receive(UnsafeBufferPointer(start: bytes, count: Int(count)), at: time)
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { bytes in
      guard let start = bytes.baseAddress else { return }
      alsa.pointee.snd_midi_event_reset_decode(decoder)
      let count = alsa.pointee.snd_midi_event_decode(decoder, start, bytes.count, event)
      if count > 0 { link.receive(UnsafeBufferPointer(rebasing: bytes.prefix(count)), at: time) }
    }
  }
}
