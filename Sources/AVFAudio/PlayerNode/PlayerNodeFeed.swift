// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioValues
import FilePlayback

/// The schedule of a player node in the format of its output, and what render threads use of both.
final class PlayerNodeFeed: NodeFeed, @unchecked Sendable {  // guarded by `lock`
  /// A schedule, and what it renders: deinterleaved Float32.
  struct Current {
    let schedule: SoundSchedule
    let format: AVAudioFormat
  }

  private let lock = Lock()
  private var player: Current
  private let gate = RenderGate()
  private let published: Published

  init(_ format: AVAudioFormat) {
    player = Self.player(format)
    published = Published(PublishedPlayer.make(player.schedule))
  }

  /// The schedule now, and its format.
  var current: Current { lock.withLock { player } }

  /// [control thread] Runs `body` with the schedule, which the format does not replace meanwhile.
  /// `body` calls nothing of the program.
  func withCurrent<Result>(_ body: (Current) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(player) }
  }

  /// [control thread] Changes the format of the output. What has not begun stays scheduled.
  func setFormat(_ format: AVAudioFormat) {
    guard format.channelCount > 0, format.sampleRate > 0 else { return }
    lock.withLock {
      let old = player
      guard
        old.format.sampleRate != format.sampleRate
          || old.format.channelCount != format.channelCount
      else { return }
      player = Self.player(format)
      old.schedule.move(to: player.schedule)
      published.publish(PublishedPlayer.make(player.schedule)) { gate.isIdle }
    }
  }

  private static func player(_ format: AVAudioFormat) -> Current {
    let format = AVAudioFormat.standard(format.sampleRate, format.channelCount)
    let fields = orEnd { try StreamFormat(format.streamDescription.pointee) }
    return Current(schedule: SoundSchedule(fields), format: format)
  }

  @_noLocks
  override func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    // The unit admits one render at a time.
    guard gate.tryEnter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { gate.leave() }
    let player = published.load().assumingMemoryBound(to: PublishedPlayer.Cell.self)
    if player.pointee.render(time, Int(frames), list) { flags.claimSilence() }
    return noErr
  }
}

/// A schedule, as renders see it.
private struct PublishedPlayer: Publishable {
  struct Cell {
    let renderer: SoundRenderer
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let schedule: Unmanaged<SoundSchedule>

    /// [render thread] Fills the buffers of a list; true if all of it is silent.
    @_noLocks
    func render(
      _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
      _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> Bool {
      let count = Int(list.pointee.mNumberBuffers)
      var fits = count == renderer.channelCount
      for index in 0..<count {
        guard let data = list.buffers[index].mData else { return false }
        let samples = data.assumingMemoryBound(to: Float.self)
        let byteCount = Int(list.buffers[index].mDataByteSize)
        if byteCount < frames * MemoryLayout<Float>.stride { fits = false }
        if fits { channels[index] = samples }
      }
      if fits { return renderer.render(channels, frames: frames, at: time) }
      // The unit has another format than the schedule, which will follow.
      for index in 0..<count {
        guard let data = list.buffers[index].mData else { continue }
        data.initializeMemory(
          as: UInt8.self, repeating: 0, count: Int(list.buffers[index].mDataByteSize))
      }
      return true
    }
  }

  private let cell: UnsafeMutablePointer<Cell>
  var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(cell) }

  static func make(_ schedule: SoundSchedule) -> PublishedPlayer {
    PublishedPlayer(
      cell: .cell(
        Cell(
          renderer: schedule.renderer,
          channels: .allocate(capacity: max(schedule.format.channelCount, 1)),
          schedule: .passRetained(schedule))))
  }

  func deallocate() {
    cell.pointee.channels.deallocate()
    cell.pointee.schedule.release()
    cell.endCell()
  }
}
