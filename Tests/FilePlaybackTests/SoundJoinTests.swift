// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import FilePlayback
import Testing

@Suite("Parts of files of another rate that follow each other")
struct SoundJoinTests {
  private let host: SoundHost

  init() throws { host = try SoundHost() }

  private static let rates: [Double] = [8_000, 11_025, 22_050, 44_100, 88_200, 96_000, 192_000]

  /// A file without regularity.
  private func noise(_ frames: Int, _ rate: Double, channels: Int = 1) throws -> SoundFile {
    try SoundFile(frames: frames, sampleRate: rate, channels: channels) { channel, frame in
      let number = (frame + 1) &* 0x1E37_79B9_7F4A_7C15 >> 17
      return Float(Int32(truncatingIfNeeded: number)) / 0x1p32 / Float(channel + 1)
    }
  }

  /// What a schedule renders of one whole file.
  private func whole(_ file: SoundFile, _ frames: Int, channels: Int = 1) throws -> [[Float]] {
    let other = try SoundHost(channels: channels)
    try other.schedule(file)
    other.schedule.play()
    return other.renderAll(frames)
  }

  private static func frames(_ count: Int, _ rate: Double) -> Int {
    (count * 48_000 + Int(rate) - 1) / Int(rate)
  }

  @Test(
    "sound as if they were one, whatever their lengths", arguments: rates,
    [[1_000], [1, 7, 300, 2, 9_000, 41], [20_001]])
  func lengths(rate: Double, lengths: [Int]) throws {
    let file = try noise(40_000, rate)
    var (first, index) = (0, 0)
    while first < 40_000 {
      let count = min(lengths[index % lengths.count], 40_000 - first)
      try host.schedule(file, from: first, frames: UInt32(count))
      (first, index) = (first + count, index + 1)
    }
    host.schedule.play()
    let length = Self.frames(40_000, rate)
    #expect(host.render(length + 500, slice: 441) == (try whole(file, length + 500)[0]))
  }

  @Test("sound as one if each is scheduled while the one before it plays", arguments: rates)
  func late(rate: Double) throws {
    let file = try noise(10_000, rate, channels: 2)
    let host = try SoundHost(channels: 2)
    var sound: [[Float]] = [[], []]
    for part in 0..<10 {
      // The filter of the steepest conversion reaches 800 frames ahead.
      let count = Self.frames(1_000 * part, rate) - 800 - sound[0].count
      for (channel, next) in host.renderAll(max(count, 0)).enumerated() { sound[channel] += next }
      try host.schedule(file, from: 1_000 * part, frames: 1_000)
      host.schedule.play()
    }
    let length = Self.frames(10_000, rate)
    let rest = host.renderAll(length + 100 - sound[0].count)
    #expect(
      [sound[0] + rest[0], sound[1] + rest[1]] == (try whole(file, length + 100, channels: 2)))
  }

  @Test("a constant stays constant", arguments: rates)
  func constant(rate: Double) throws {
    let file = try SoundFile(frames: 1_000, sampleRate: rate) { _, _ in 0.5 }
    for part in 0..<20 {
      try host.schedule(file, from: part, frames: UInt32(1_000 - 2 * part), loops: UInt32(part % 3))
    }
    let count = (0..<20).reduce(0) { $0 + (1_000 - 2 * $1) * ($1 % 3 + 1) }
    host.schedule.play()
    let length = Self.frames(count, rate)
    let sound = host.render(length + 100)
    #expect(sound[400..<length - 400].allSatisfy { abs($0 - 0.5) < 1e-4 })
    #expect(sound[length...].allSatisfy { $0 == 0 })
  }

  @Test("files of one format join; a buffer and a file of another format do not")
  func formats() throws {
    let (first, second) = (try noise(3_000, 44_100), try noise(2_000, 44_100))
    let both = try SoundFile(frames: 5_000, sampleRate: 44_100) { _, frame in
      frame < 3_000 ? first.samples[0][frame] : second.samples[0][frame - 3_000]
    }
    try host.schedule(first)
    try host.schedule(second)
    host.schedule([7])
    try host.schedule(try noise(2_205, 22_050))
    try host.schedule(second)
    host.schedule.play()
    let length = Self.frames(5_000, 44_100)
    #expect(host.render(length) == (try whole(both, length)[0]))
    #expect(host.render(1) == [7])
    _ = host.render(4_800)
    #expect(host.render(2_177) == (try whole(second, 2_177)[0]))
  }

  @Test("one that comes after the end begins anew")
  func afterEnd() throws {
    let file = try noise(1_000, 44_100)
    let alone = try whole(file, 1_100)[0]
    for _ in 0..<3 {
      try host.schedule(file)
      host.schedule.play()
      #expect(host.render(1_100) == alone)
    }
  }

  @Test("one that comes within the last frames of another changes no length", arguments: 1..<60)
  func withinEnd(rest: Int) throws {
    let file = try SoundFile(frames: 1_470, sampleRate: 44_100) { _, _ in 0.5 }
    try host.schedule(file)
    host.schedule.play()
    _ = host.render(1_600 - rest)
    try host.schedule(file)
    try host.schedule(file)
    host.schedule([3])
    let sound = host.render(rest + 3_202)
    #expect(sound[rest + 3_200] == 3 && sound[rest + 3_201] == 0)
    #expect(sound[rest + 100..<rest + 3_100].allSatisfy { abs($0 - 0.5) < 1e-4 })
  }

  @Test("their handlers are called one by one, each when its own part has ended")
  func handlers() throws {
    let (file, ends) = (try noise(4_410, 44_100), (0..<4).map { _ in CallRecord() })
    for end in ends { try host.schedule(file, frames: 441, end) }
    host.schedule.play()
    for (index, end) in ends.enumerated() {
      _ = host.render(479)
      #expect(ends[index...].allSatisfy { $0.calls == 0 })
      _ = host.render(1)
      #expect(end.wait())
    }
  }

  @Test("an interruption and a stop end them all")
  func interruption() throws {
    let file = try noise(4_410, 44_100)
    for _ in 0..<2 {
      let ends = (0..<5).map { _ in CallRecord() }
      for end in ends { try host.schedule(file, frames: 441, end) }
      host.schedule.play()
      _ = host.render(700)
      host.schedule([2], [.interrupts])
      #expect(host.render(2) == [2, 0])
      #expect(ends.allSatisfy { $0.wait() })
      try host.schedule(file)
      host.schedule.stop()
    }
    try host.schedule(file)
    host.schedule.play()
    #expect(host.render(5_000) == (try whole(file, 5_000)[0]))
  }

  @Test("one that was inserted by its time is not joined to what it was scheduled after")
  func times() throws {
    let (file, other) = (try noise(441, 44_100), try noise(882, 44_100))
    try host.schedule(file, at: .position(2_000))
    try host.schedule(other, at: .position(100))
    try host.schedule(file)
    host.schedule.play()
    let sound = host.render(3_000)
    let twice = try SoundFile(frames: 882, sampleRate: 44_100) { file.samples[$0][$1 % 441] }
    #expect(Array(sound[100..<1_060]) == (try whole(other, 960)[0]))
    #expect(sound[1_060..<2_000].allSatisfy { $0 == 0 })
    let joined = try whole(twice, 960)[0]
    let alone = try whole(file, 480)[0]
    // The part that follows the late one may begin anew; nothing is lost or added.
    #expect(Array(sound[2_000..<2_960]) == joined || Array(sound[2_000..<2_960]) == alone + alone)
    #expect(sound[2_960...].allSatisfy { $0 == 0 })
  }

  @Test("a part that is short of its file keeps the next ones in time")
  func renders() throws {
    let file = try noise(1_000, 44_100)
    try host.schedule(file, from: 990, frames: 500)
    try host.schedule(file, from: 1_000)
    try host.schedule(file, frames: 431)
    host.schedule([4])
    host.schedule.play()
    let sound = host.render(482)
    #expect(sound[480] == 4 && sound[481] == 0)
  }

  @Test("renders of them do not use the heap", .enabled(if: heap_is_counted()))
  func heap() throws {
    let file = try noise(60_000, 44_100)
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 512)
    defer { memory.deallocate() }
    var table = memory
    host.schedule.play()
    for _ in 0..<50 {
      try host.schedule(file, frames: 3_000)
      try host.schedule(file, frames: 3_001)
      host.schedule.prepare(frameCount: 5_000)
      let renderer = host.schedule.renderer
      let before = heap_operations()
      for _ in 0..<14 {
        _ = asDevice { renderer.render(&table, frames: 512, at: &stamp) }
        stamp.mSampleTime += 512
      }
      #expect(heap_operations() == before)
    }
  }
}
