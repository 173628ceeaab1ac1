// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation
import Synchronization

/// MIDI within a process, through a virtual destination; and Standard MIDI Files.
enum MIDIBenchmark {
  /// What arrives: how much, and how long each message was on its way.
  private final class Inbox: Sendable {
    static let capacity = 20_000
    private let delays = Mutex<[UInt64]>([])

    func receive(_ list: UnsafePointer<MIDIEventList>) {
      let now = AudioGetCurrentHostTime()
      delays.withLock { delays in
        for packet in list.unsafeSequence() where delays.count < Self.capacity {
          delays.append(now - packet.pointee.timeStamp)
        }
      }
    }

    func take() -> [UInt64] {
      delays.withLock { delays in
        defer { delays = [] }
        return delays
      }
    }
  }

  static func run() {
    setenv("AUDIOTOOLBOX_MIDI", "none", 1)
    measureEndpoint()
    measureFile()
  }

  // MARK: Endpoints

  private static func measureEndpoint() {
    Report.title("MIDI through a virtual destination of the process")
    let inbox = Inbox()
    var (client, port, destination) = (MIDIClientRef(), MIDIPortRef(), MIDIEndpointRef())
    check(MIDIClientCreate("Benchmarks" as CFString, nil, nil, &client))
    check(MIDIOutputPortCreate(client, "out" as CFString, &port))
    check(
      MIDIDestinationCreateWithProtocol(client, "in" as CFString, ._1_0, &destination) { list, _ in
        inbox.receive(list)
      })
    defer { MIDIClientDispose(client) }
    func send(_ count: Int, _ milliseconds: Int) {
      for _ in 0..<milliseconds {
        for index in 0..<count {
          var list = MIDIEventList()
          let packet = MIDIEventListInit(&list, ._1_0)
          // The time of sending, which is past when it is looked at: it is sent at once.
          var word = UInt32(0x2090_0000 | (index & 127) << 8 | 100)
          let size = MemoryLayout<MIDIEventList>.size
          _ = MIDIEventListAdd(&list, size, packet, AudioGetCurrentHostTime(), 1, &word)
          check(MIDISendEventList(port, destination, &list))
        }
        usleep(1_000)
      }
      usleep(50_000)
    }
    // The first messages make the thread that delivers.
    send(10, 10)
    _ = inbox.take()

    // The pauses of the sender cost as much as the messages.
    let pauses = processorTime(of: { send(0, 1_000) })
    let spent = processorTime(of: { send(10, 1_000) }) - pauses
    let count = inbox.take().count
    if count != 10_000 { fail("\(count) of 10000 messages arrived") }
    Report.own(
      "sending and receiving 10,000 events per second", 100 * spent, "% of a core", target: 2)
    Report.own("the pauses of the sender alone, not counted", 100 * pauses, "% of a core")
    let burst = processorTime(of: { send(20_000, 1) })
    if inbox.take().count != 20_000 { fail("a burst did not arrive") }
    Report.own("an event of a burst of 20,000", burst * 1e9 / 20_000, "ns", target: 2_000)

    send(1, 5_000)
    let delays = inbox.take().sorted().map { Double($0) / 1_000 }
    Report.own("from sending to receiving, median", delays[delays.count / 2], "µs", target: 50)
    Report.own(
      "the same, 99.9 %", delays[min(delays.count * 999 / 1_000, delays.count - 1)], "µs",
      target: 1_000)
  }

  /// The processor time that the process spends meanwhile, in seconds.
  private static func processorTime(of body: () -> Void) -> Double {
    let before = processorTime
    body()
    return processorTime - before
  }

  /// The processor time of the process, in seconds.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: Files

  private static func measureFile() {
    Report.title("A MIDI file of 100,000 events in 16 tracks")
    let made = sequence()
    for track in 0..<16 {
      var new: MusicTrack?
      check(MusicSequenceNewTrack(made, &new))
      guard let new else { fail("no track") }
      for index in 0..<6_250 {
        var note = MIDINoteMessage(
          channel: UInt8(track), note: UInt8(36 + index % 60), velocity: 100, releaseVelocity: 0,
          duration: 0.2)
        check(MusicTrackNewMIDINoteEvent(new, Double(index) / 4, &note))
      }
    }
    guard let data = bytes(of: made) else { fail("no file") }
    Report.own(
      "loading",
      milliseconds {
        let loaded = sequence()
        check(MusicSequenceFileLoadData(loaded, data, .midiType, []))
        DisposeMusicSequence(loaded)
      }, "ms", target: 50)
    Report.own("saving", milliseconds { _ = bytes(of: made) }, "ms", target: 50)
    DisposeMusicSequence(made)
  }

  private static func sequence() -> MusicSequence {
    var made: MusicSequence?
    check(NewMusicSequence(&made))
    guard let made else { fail("no sequence") }
    return made
  }

  private static func bytes(of sequence: MusicSequence) -> CFData? {
    var data: Unmanaged<CFData>?
    check(MusicSequenceFileCreateData(sequence, .midiType, .eraseFile, 480, &data))
    return data?.takeRetainedValue()
  }

  /// The processor time of one call.
  private static func milliseconds(_ body: () -> Void) -> Double {
    Stopwatch.nanoseconds(body) / 1e6
  }
}
