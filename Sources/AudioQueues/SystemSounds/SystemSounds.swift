// SPDX-License-Identifier: Apache-2.0
import AudioDevices
package import AudioSupport
package import CAudioToolbox
import CRealTime
import Glibc

/// Short sounds of files, by number: one plays at a time, through a queue created for it.
///
/// Playing one does not block the caller: a separate thread opens the device.
package final class SystemSounds: @unchecked Sendable {
  package static let shared = SystemSounds()

  /// A function of the program to call at the end of a sound, and where to call it.
  private struct Completion {
    let call: @Sendable (SystemSoundID) -> Void
    let place: any CallbackPlace
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
    let isKept: Bool
    let completion: (@Sendable () -> Void)?
  }

  /// The longest sound, in seconds.
  private static let longest = 30.0
  private let worker = SerialWorker(name: "audio-sounds")
  private let monitor = Monitor()
  // Guarded by `monitor`.
  private var sounds: [SystemSoundID: Sound] = [:]
  private var lastID: SystemSoundID = 0x2000
  private var playing: Playing?
  /// Plays that have not started.
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
    return monitor.withLock {
      lastID += 1
      sounds[lastID] = Sound(clip: clip)
      return lastID
    }
  }

  /// [control thread] Stops a sound and disposes of it.
  package func dispose(_ id: SystemSoundID) throws(AudioError) {
    guard let sound = monitor.withLock({ sounds.removeValue(forKey: id) }) else {
      throw unknown(id)
    }
    worker.perform { [self] in
      if monitor.withLock({ playing?.id == id }) { endPlaying() }
    }
    if let completion = sound.completion { remove(completion) }
  }

  private func unknown(_ id: SystemSoundID) -> AudioError {
    AudioError(status: kAudioServicesSystemSoundUnspecifiedError).because(
      "there is no system sound \(id)")
  }

  // MARK: Playing

  /// [control thread] Plays a sound and returns at once; `completion` is called on our own thread
  /// when it has ended, whether it could be played or not.
  package func play(_ id: SystemSoundID, completion: (@Sendable () -> Void)?) {
    monitor.withLock { waitingCount += 1 }
    worker.perform { [self] in
      begin(id, completion)
      monitor.withLock {
        waitingCount -= 1
        monitor.signal()
      }
    }
  }

  private func begin(_ id: SystemSoundID, _ completion: (@Sendable () -> Void)?) {
    endPlaying()
    var found = monitor.withLock { sounds[id] }
    if found == nil, id == kSystemSoundID_UserPreferredAlert {
      let sound = Sound(clip: .alert)
      monitor.withLock { sounds[id] = sound }
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
      let isKept = sound.completesAtExit != 0
      monitor.withLock {
        playing = Playing(id: id, queue: queue, isKept: isKept, completion: completion)
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
      if monitor.withLock({ playing }) == nil { completion?() } else { endPlaying() }
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
      if monitor.withLock({ playing?.queue.number == number }) { endPlaying() }
    }
  }

  /// [worker] Ends the playing sound, and reports that.
  private func endPlaying() {
    let ended = monitor.withLock { () -> Playing? in
      defer {
        playing = nil
        monitor.signal()
      }
      return playing
    }
    guard let ended else { return }
    try? AudioQueue.dispose(ended.queue, immediately: true)
    ended.completion?()
    guard let listener = monitor.withLock({ sounds[ended.id]?.completion }) else { return }
    let id = ended.id
    listener.place.perform {
      ProgramCalls.shared.run(listener.entry) { listener.call(id) }
    }
  }

  // MARK: Completion

  /// [control thread] Has a function called at `place` whenever a sound has ended.
  package func addCompletion(
    _ id: SystemSoundID, at place: any CallbackPlace,
    _ call: @escaping @Sendable (SystemSoundID) -> Void
  ) throws(AudioError) {
    let completion = Completion(call: call, place: place)
    let (isKnown, old) = monitor.withLock { () -> (Bool, Completion?) in
      guard sounds[id] != nil else { return (false, nil) }
      let old = sounds[id]?.completion
      sounds[id]?.completion = completion
      return (true, old)
    }
    if let old { remove(old) }
    guard isKnown else {
      place.leave()
      throw unknown(id)
    }
  }

  /// [control thread] Removes that function.
  package func removeCompletion(_ id: SystemSoundID) {
    let old = monitor.withLock { () -> Completion? in
      let old = sounds[id]?.completion
      sounds[id]?.completion = nil
      return old
    }
    if let old { remove(old) }
  }

  private func remove(_ completion: Completion) {
    ProgramCalls.shared.remove([completion.entry])
    completion.place.leave()
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
    guard monitor.withLock({ sounds[sound] != nil }) else { throw unknown(sound) }
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
    return monitor.withLock {
      id == kAudioServicesPropertyIsUISound
        ? sounds[sound]?.isUISound : sounds[sound]?.completesAtExit
    } ?? 0
  }

  /// [any thread] Sets a property.
  package func setProperty(
    _ id: AudioServicesPropertyID, _ specifier: UnsafeRawBufferPointer, to value: UInt32
  ) throws(AudioError) {
    let sound = try check(id, specifier)
    let isFirst = monitor.withLock { () -> Bool in
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

  /// At the end of the process: waits for a sound that should be played to its end.
  private func waitAtExit() {
    let deadline = rt_host_time() + UInt64((Self.longest + 2) * 1e9)
    monitor.withLock {
      while waitingCount > 0 || playing?.isKept == true, rt_host_time() < deadline {
        monitor.wait(until: deadline)
      }
    }
  }
}
