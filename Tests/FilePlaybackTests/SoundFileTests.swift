// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import FilePlayback
import Foundation
import Testing

@Suite("Files in schedules of sounds")
struct SoundFileTests {
  private let host: SoundHost

  init() throws { host = try SoundHost() }

  @Test("a file plays with its bits, at every slice size", arguments: [1, 97, 512, 4_096])
  func file(slice: Int) throws {
    let file = try SoundFile(frames: slice == 1 ? 3_000 : 50_000)
    let end = CallRecord()
    try host.schedule(file, end)
    host.schedule.play()
    let frames = file.samples[0].count
    #expect(host.render(frames + 5, slice: slice) == file.samples[0] + [0, 0, 0, 0, 0])
    #expect(end.wait())
  }

  @Test("files, segments and buffers follow each other without a gap", arguments: [64, 500])
  func mixture(slice: Int) throws {
    let (first, second) = (try SoundFile(frames: 9_000), try SoundFile(frames: 40_000))
    try host.schedule(first)
    host.schedule([7, 8, 9])
    try host.schedule(second, from: 100, frames: 33_000)
    try host.schedule(first, from: 8_990)
    host.schedule([5])
    host.schedule.play()
    let expected =
      first.samples[0] + [7, 8, 9] + second.samples[0][100..<33_100]
      + first.samples[0][8_990...] + [5]
    #expect(host.render(expected.count, slice: slice) == Array(expected))
  }

  @Test("many short files follow each other without a gap")
  func shortFiles() throws {
    let file = try SoundFile(frames: 300)
    for _ in 0..<200 { try host.schedule(file, frames: 7) }
    host.schedule.play()
    #expect(host.render(1_400, slice: 64) == (0..<200).flatMap { _ in file.samples[0].prefix(7) })
  }

  @Test("repetitions of a file are exact")
  func loops() throws {
    let file = try SoundFile(frames: 100)
    try host.schedule(file, loops: 4)
    host.schedule.play()
    #expect(
      host.render(600, slice: 33)
        == (0..<5).flatMap { _ in file.samples[0] } + [Float](repeating: 0, count: 100))
  }

  @Test("files begin at their positions")
  func positions() throws {
    let file = try SoundFile(frames: 1_000)
    try host.schedule(file, frames: 10, at: .position(5_000))
    try host.schedule(file, frames: 10, at: .position(50))
    host.schedule.play()
    let sound = host.render(6_000, slice: 128)
    #expect(Array(sound[50..<60]) == Array(file.samples[0].prefix(10)))
    #expect(Array(sound[5_000..<5_010]) == Array(file.samples[0].prefix(10)))
    #expect(sound.filter { $0 != 0 }.count == 20)
  }

  @Test("a file of another rate keeps its duration and pitch")
  func rate() throws {
    let file = try SoundFile(frames: 44_100, sampleRate: 44_100) { _, frame in
      sin(Float(frame) * 2 * .pi * 1_000 / 44_100)
    }
    try host.schedule(file)
    host.schedule.play()
    let sound = host.render(48_100)
    #expect(sound[48_050...].allSatisfy { $0 == 0 })
    for frame in stride(from: 1_000, to: 47_000, by: 777) {
      #expect(abs(sound[frame] - sin(Float(frame) * 2 * .pi / 48)) < 0.01)
    }
  }

  @Test("one channel of a file reaches both of a player")
  func channels() throws {
    let stereo = try SoundHost(channels: 2)
    let file = try SoundFile(frames: 100)
    try stereo.schedule(file)
    stereo.schedule.play()
    let sound = stereo.renderAll(100)
    #expect(sound[0] == file.samples[0] && sound[1] == file.samples[0])
  }

  @Test("a file that is read too late plays on after the gap, and a stop does not wait for it")
  func slowFile() throws {
    let slow = SlowFile(frames: 100_000)
    let object = try #require(SoundHost.object(slow.id))
    slow.setStuck(true)
    try host.schedule.schedule(SoundRequest(.file(.init(object)), owner: slow))
    host.schedule.play()
    let silence = asDevice { host.render(512) }
    #expect(silence.allSatisfy { $0 == 0 })
    slow.setStuck(false)
    host.schedule.prepare(frameCount: 8_000)
    let sound = asDevice { host.render(1_000) }
    #expect(sound == (0..<1_000).map { SlowFile.value($0) })
    slow.setStuck(true)
    host.schedule.stop()
    #expect(asDevice { host.render(512) }.allSatisfy { $0 == 0 })
    slow.setStuck(false)
  }

  @Test("an interrupted file is not read any more, and later files play")
  func interruptedFile() throws {
    weak var object: AudioFileObject?
    let later = try SoundFile(frames: 60_000)
    try scoped {
      let file = try SoundFile(frames: 100_000)
      object = SoundHost.object(file.id)
      try host.schedule(file)
      host.schedule.play()
      #expect(host.render(1_000) == Array(file.samples[0].prefix(1_000)))
      host.schedule([5], [.interrupts])
      try host.schedule(later)
    }
    #expect(host.render(60_001) == [5] + later.samples[0])
    for _ in 0..<5_000 where object != nil { usleep(1_000) }
    #expect(object == nil)
  }

  /// Runs `body`, whose objects nobody holds afterwards.
  @inline(never)
  private func scoped(_ body: () throws -> Void) rethrows { try body() }

  @Test("a file with an earlier position that comes too late does not hold up the one that plays")
  func lateFile() throws {
    let (playing, late) = (try SoundFile(frames: 90_000), try SoundFile(frames: 40_000))
    try host.schedule(playing, at: .position(100))
    host.schedule.play()
    _ = host.render(1_100)
    try host.schedule(late, at: .position(50))
    #expect(host.render(89_000) == Array(playing.samples[0][1_000...]))
    #expect(host.render(40_000) == late.samples[0])
  }

  @Test("a render in real time does not wait for a file, whatever its thread")
  func realTime() throws {
    let slow = SlowFile(frames: 1_000)
    let object = try #require(SoundHost.object(slow.id))
    host.schedule.setPace(.realTime)
    slow.setStuck(true)
    try host.schedule.schedule(SoundRequest(.file(.init(object)), owner: slow))
    host.schedule.play()
    let start = ContinuousClock.now
    #expect(host.render(512).allSatisfy { $0 == 0 })
    #expect(ContinuousClock.now - start < .seconds(5))
    slow.setStuck(false)
    host.schedule.prepare(frameCount: 1_000)
    #expect(host.render(1_000) == (0..<1_000).map { SlowFile.value($0) })
  }

  @Test("a file that begins after its end is refused")
  func refused() throws {
    let file = try SoundFile(frames: 100)
    #expect(throws: (any Error).self) { try host.schedule(file, from: 101) }
  }

  @Test("renders do not use the heap", .enabled(if: heap_is_counted()))
  func heap() throws {
    let file = try SoundFile(frames: 60_000)
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 512)
    defer { memory.deallocate() }
    var table = memory
    for round in 0..<50 {
      try host.schedule(file, frames: 5_000)
      host.schedule([1, 2, 3], round % 2 == 0 ? [.loops] : [])
      host.schedule([1, 2], [.interruptsAtLoop])
      host.schedule.play()
      host.schedule.prepare(frameCount: 5_000)
      let renderer = host.schedule.renderer
      let before = heap_operations()
      for _ in 0..<20 {
        _ = asDevice { renderer.render(&table, frames: 512, at: &stamp) }
        stamp.mSampleTime += 512
      }
      #expect(heap_operations() == before)
      if round % 5 == 0 { host.schedule.stop() }
    }
  }

  @Test("cycles of scheduling and stopping leave nothing behind")
  func flat() async {
    await #expect(processExitsWith: .success) {
      ProcessState.useOneHeap()
      let host = try SoundHost()
      let file = try SoundFile(frames: 1_000)
      func cycle() throws {
        host.schedule([1, 2, 3], [.loops])
        try host.schedule(file)
        host.schedule.play()
        _ = host.render(100)
        host.schedule.stop()
      }
      for _ in 0..<100 { try cycle() }
      usleep(100_000)
      let before = ProcessState()
      for _ in 0..<500 { try cycle() }
      usleep(100_000)
      let after = ProcessState()
      guard after.heapBytes - before.heapBytes < 100_000 || ProcessState.isSanitized,
        after.threadCount <= before.threadCount + 1,
        after.descriptorCount <= before.descriptorCount
      else { fatalError("\(before); \(after)") }
    }
  }
}
