// SPDX-License-Identifier: Apache-2.0
import AudioDevices
package import AudioSupport
package import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import Glibc

/// Short sounds from files, by number. One plays at a time, through a queue created for it.
///
/// Playing one does not block the caller: a separate thread opens the device.
package final class SystemSounds: @unchecked Sendable {
  package static let shared = SystemSounds()

  /// A callback of the program for the end of a sound, and the executor that calls it.
  private struct Completion {
    let call: @Sendable (SystemSoundID) -> Void
    let executor: any CallbackExecutor
    let entry = ProgramCalls.Entry()
  }

  private struct Sound {
    let clip: SoundClip
    var isUISound: UInt32 = 1
    var completesAtExit: UInt32 = 0
    var completion: Completion?
  }

  /// The sound that is playing.
  private struct Playing {
    let id: SystemSoundID
    let queue: AudioQueueRef
    let playsToEndAtExit: Bool
    let completion: (@Sendable () -> Void)?
  }

  /// The longest sound, in seconds.
  private static let longest = 30.0
  private let worker = SerialWorker(name: "audio-sounds")
  private let lock = ConditionLock()
  // Guarded by `lock`.
  private var sounds: [SystemSoundID: Sound] = [:]
  private var lastID: SystemSoundID = 0x2000
  private var playing: Playing?
  /// The number of requested plays that have not started.
  private var waitingCount = 0
  private var waitsAtExit = false

  // MARK: Life

  /// [control thread] Creates a sound from a file.
  package func make(_ path: String) throws(AudioError) -> SystemSoundID {
    let clip: SoundClip
    do throws(AudioError) { clip = try SoundClip(path, longest: Self.longest) } catch {
      guard error.status != kAudioServicesSystemSoundExceededMaximumDurationError else {
        throw error
      }
      throw AudioError(status: kAudioServicesSystemSoundUnspecifiedError).because(
        error.explanation)
    }
    return lock.withLock {
      lastID += 1
      sounds[lastID] = Sound(clip: clip)
      return lastID
    }
  }

  /// [control thread] Stops a sound and disposes of it.
  package func dispose(_ id: SystemSoundID) throws(AudioError) {
    guard let sound = lock.withLock({ sounds.removeValue(forKey: id) }) else {
      throw unknown(id)
    }
    worker.perform { [self] in
      if lock.withLock({ playing?.id == id }) { endPlaying() }
    }
    if let completion = sound.completion { remove(completion) }
  }

  private func unknown(_ id: SystemSoundID) -> AudioError {
    AudioError(status: kAudioServicesSystemSoundUnspecifiedError).because(
      "there is no system sound \(id)")
  }

  // MARK: Playing

  /// [control thread] Starts to play a sound, and returns immediately. `completion` is called on
  /// our own thread when the sound has ended, or could not be played.
  package func play(_ id: SystemSoundID, completion: (@Sendable () -> Void)?) {
    lock.withLock { waitingCount += 1 }
    worker.perform { [self] in
      begin(id, completion)
      lock.withLock {
        waitingCount -= 1
        lock.signal()
      }
    }
  }

  private func begin(_ id: SystemSoundID, _ completion: (@Sendable () -> Void)?) {
    endPlaying()
    var found = lock.withLock { sounds[id] }
    if found == nil, id == kSystemSoundID_UserPreferredAlert {
      let sound = Sound(clip: .alert)
      lock.withLock { sounds[id] = sound }
      found = sound
    }
    guard let sound = found else {
      if id != kSystemSoundID_Vibrate, id != kSystemSoundID_FlashScreen {
        Explanations.log("system sound: \(unknown(id).explanation)")
      }
      completion?()
      return
    }
    do throws(AudioError) {
      let queue = try sound.clip.makeQueue()
      let playsToEndAtExit = sound.completesAtExit != 0
      lock.withLock {
        playing = Playing(
          id: id, queue: queue, playsToEndAtExit: playsToEndAtExit, completion: completion)
      }
      try AudioQueue.use(queue) { object throws(AudioError) in
        object.add(
          QueueListener(
            kAudioQueueProperty_IsRunning, { _, queue, _ in SystemSounds.shared.changed(queue) },
            nil))
        try object.start(at: nil)
        try object.stop(immediately: false)
      }
    } catch {
      Explanations.log("system sound \(id): \(error.explanation)")
      if lock.withLock({ playing }) == nil { completion?() } else { endPlaying() }
    }
  }

  /// A queue has started or ended.
  private func changed(_ queue: AudioQueueRef) {
    var isRunning: UInt32 = 0
    var size: UInt32 = 4
    try? AudioQueue.use(queue) { object throws(AudioError) in
      try object.readProperty(kAudioQueueProperty_IsRunning, into: &isRunning, size: &size)
    }
    guard isRunning == 0 else { return }
    let number = queue.number
    worker.perform { [self] in
      if lock.withLock({ playing?.queue.number == number }) { endPlaying() }
    }
  }

  /// [worker] Ends the playing sound, and calls its callbacks.
  private func endPlaying() {
    let ended = lock.withLock { () -> Playing? in
      defer {
        playing = nil
        lock.signal()
      }
      return playing
    }
    guard let ended else { return }
    try? AudioQueue.dispose(ended.queue, immediately: true)
    ended.completion?()
    guard let listener = lock.withLock({ sounds[ended.id]?.completion }) else { return }
    let id = ended.id
    listener.executor.perform {
      ProgramCalls.shared.run(listener.entry) { listener.call(id) }
    }
  }

  // MARK: Completion

  /// [control thread] Sets the callback that is called on `executor` whenever the sound has ended.
  package func addCompletion(
    _ id: SystemSoundID, on executor: any CallbackExecutor,
    _ call: @escaping @Sendable (SystemSoundID) -> Void
  ) throws(AudioError) {
    let completion = Completion(call: call, executor: executor)
    let (isKnown, old) = lock.withLock { () -> (Bool, Completion?) in
      guard sounds[id] != nil else { return (false, nil) }
      let old = sounds[id]?.completion
      sounds[id]?.completion = completion
      return (true, old)
    }
    if let old { remove(old) }
    guard isKnown else {
      executor.stop()
      throw unknown(id)
    }
  }

  /// [control thread] Removes that callback.
  package func removeCompletion(_ id: SystemSoundID) {
    let old = lock.withLock { () -> Completion? in
      let old = sounds[id]?.completion
      sounds[id]?.completion = nil
      return old
    }
    if let old { remove(old) }
  }

  private func remove(_ completion: Completion) {
    ProgramCalls.shared.remove([completion.entry])
    completion.executor.stop()
  }

  // MARK: Properties

  private func check(_ id: AudioServicesPropertyID, _ specifier: UnsafeRawBufferPointer)
    throws(AudioError) -> SystemSoundID
  {
    let known = [
      kAudioServicesPropertyIsUISound, kAudioServicesPropertyCompletePlaybackIfAppDies,
    ]
    guard known.contains(id) else {
      throw AudioError(status: kAudioServicesUnsupportedPropertyError).because(
        "system sounds have no property '\(FourCharacterCode(id))'")
    }
    guard specifier.count == 4 else {
      throw AudioError(status: kAudioServicesBadSpecifierSizeError).because(
        "the specifier has \(specifier.count) bytes; a SystemSoundID has 4")
    }
    let sound = specifier.loadUnaligned(as: SystemSoundID.self)
    guard lock.withLock({ sounds[sound] != nil }) else { throw unknown(sound) }
    return sound
  }

  /// [any thread] Throws when there is no such property; all properties are a settable UInt32.
  package func checkProperty(
    _ id: AudioServicesPropertyID, _ specifier: UnsafeRawBufferPointer
  ) throws(AudioError) {
    _ = try check(id, specifier)
  }

  /// [any thread] The value of a property.
  package func property(
    _ id: AudioServicesPropertyID, _ specifier: UnsafeRawBufferPointer
  ) throws(AudioError) -> UInt32 {
    let sound = try check(id, specifier)
    return lock.withLock {
      id == kAudioServicesPropertyIsUISound
        ? sounds[sound]?.isUISound : sounds[sound]?.completesAtExit
    } ?? 0
  }

  /// [any thread] Sets a property.
  package func setProperty(
    _ id: AudioServicesPropertyID, _ specifier: UnsafeRawBufferPointer, to value: UInt32
  ) throws(AudioError) {
    let sound = try check(id, specifier)
    let isFirst = lock.withLock { () -> Bool in
      guard id != kAudioServicesPropertyIsUISound else {
        sounds[sound]?.isUISound = value
        return false
      }
      sounds[sound]?.completesAtExit = value
      defer { waitsAtExit = waitsAtExit || value != 0 }
      return value != 0 && !waitsAtExit
    }
    if isFirst { atexit { SystemSounds.shared.waitAtExit() } }
  }

  /// Waits, when the process exits, for a sound that must be played to its end.
  private func waitAtExit() {
    let deadline = rt_host_time() + UInt64(saturating: (Self.longest + 2) * 1e9)
    lock.withLock {
      while waitingCount > 0 || playing?.playsToEndAtExit == true, rt_host_time() < deadline {
        lock.wait(until: deadline)
      }
    }
  }
}
