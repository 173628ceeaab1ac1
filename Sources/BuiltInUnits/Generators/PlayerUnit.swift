// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import FilePlayback

/// A unit that plays slices or regions, which a program schedules while the unit is initialised.
class PlayerUnit: KernelUnit, @unchecked Sendable {
  /// The schedule; it exists while the unit is initialised.
  private(set) final var schedule: PlaySchedule?
  private final var isEnded = false
  /// Whether the program reports that it renders offline.
  fileprivate final var isOffline = false

  deinit {
    releaseResources()
    // The superclass's deinitialiser calls `releaseResources` again.
    isEnded = true
  }

  override var shared: (any AnyObject & Sendable)? { schedule }
  override var properties: [UnitProperty] { super.properties + Self.playerProperties }

  override func allocateResources() throws(AudioError) {
    let format = outputs[0].format
    let made = PlaySchedule(sampleRate: format.sampleRate, channelCount: format.channelCount) {
      [weak self] in
      self?.notifyListeners(
        PropertyAddress(kAUDiagnosticsProperty_Xruns, kAudioUnitScope_Global, 0))
    }
    made.setOffline(isOffline)
    schedule = made
    do throws(AudioError) { try super.allocateResources() } catch {
      schedule = nil
      throw error
    }
  }

  override func releaseResources() {
    guard !isEnded else { return }
    super.releaseResources()
    cancelAll()
    schedule = nil
  }

  /// [any thread, under the lock] Cancels everything that is scheduled.
  func cancelAll() { schedule?.cancelAll() }

  override func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws(AudioError) {
    try super.reset(scope, element)
    guard scope == kAudioUnitScope_Global else { return }
    let current = try control { () throws(AudioError) in
      cancelAll()
      return schedule
    }
    current?.waitUntilDelivered()
  }

  override func uninitialize() throws(AudioError) {
    let current = try? control { () throws(AudioError) in schedule }
    try super.uninitialize()
    current?.waitUntilDelivered()
  }

  /// [control thread, under the lock] The schedule, for a call that needs it.
  final func activeSchedule() throws(AudioError) -> PlaySchedule {
    guard let schedule else {
      throw .uninitialized.because("initialize the unit before you schedule something")
    }
    return schedule
  }

  private static let playerProperties = PropertyRow<PlayerUnit>.rows([
    .bytes(
      kAudioUnitProperty_ScheduleAudioSlice, in: [kAudioUnitScope_Global],
      size: .bytes(MemoryLayout<ScheduledAudioSlice>.size), type: "ScheduledAudioSlice",
      set: { (unit, _, data) throws(AudioError) in
        let size = MemoryLayout<ScheduledAudioSlice>.size
        guard let base = data.bytes.baseAddress, data.bytes.count >= size else {
          throw .invalidPropertyValue.because(
            "\(data.bytes.count) bytes; a ScheduledAudioSlice has \(size)")
        }
        // The slice stays in the program's memory: its flags report its progress.
        try unit.activeSchedule().schedule(
          UnsafeMutableRawPointer(mutating: base).assumingMemoryBound(
            to: ScheduledAudioSlice.self))
      }),
    .value(
      kAudioUnitProperty_ScheduleStartTimeStamp, in: [kAudioUnitScope_Global],
      set: { (unit, _, stamp: AudioTimeStamp) throws(AudioError) in
        try unit.activeSchedule().start(at: stamp)
      }),
    .value(
      kAudioUnitProperty_CurrentPlayTime, in: [kAudioUnitScope_Global],
      reading: { unit in
        var stamp = AudioTimeStamp()
        stamp.mFlags = .sampleTimeValid
        stamp.mSampleTime = unit.schedule?.position.map { Double($0) } ?? -1
        return stamp
      }),
  ])
}

/// The unit that plays regions of files.
final class FilePlayerUnit: PlayerUnit, FilePlaying, @unchecked Sendable {
  /// The files that regions may refer to.
  private var files: [(handle: AudioFileID, file: AudioFileObject)] = []
  /// The files to play by path, and those of them that wait for initialisation.
  private var pathFiles: [PlayedFile] = []
  private var waiting: [(PlayedFile, AudioFileObject)] = []
  private var reader: ReadAhead?
  private var readAhead = ReadAhead.Amount()

  deinit { releaseResources() }

  override var properties: [UnitProperty] { super.properties + Self.fileProperties }

  override func allocateResources() throws(AudioError) {
    try super.allocateResources()
    let made = try ReadAhead(activeSchedule(), outputs[0].format)
    made.setAmount(readAhead)
    reader = made
    guard !waiting.isEmpty else { return }
    let due = waiting
    waiting = []
    do throws(AudioError) {
      for (file, object) in due { try play(file, object) }
      try made.prime(0)
    } catch {
      releaseResources()
      throw error
    }
  }

  /// [control thread] Plays a part of a file by its path; starts when the unit is initialised.
  func playFile(_ file: PlayedFile) throws(AudioError) {
    try control { () throws(AudioError) in
      let object = try AudioFileObject.open(file.path, 1, hint: 0)
      if reader == nil { waiting.append((file, object)) } else { try play(file, object) }
      pathFiles.append(file)
    }
  }

  var filesToPlay: [PlayedFile] { (try? control { () throws(AudioError) in pathFiles }) ?? [] }

  private func play(_ file: PlayedFile, _ object: AudioFileObject) throws(AudioError) {
    // A file opened by path has no handle.
    guard let none = AudioFileID(bitPattern: UInt.max) else { return }
    var region = ScheduledAudioFileRegion(
      mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
      mAudioFile: none, mLoopCount: file.loops, mStartFrame: Int64(file.start),
      mFramesToPlay: file.frames ?? .max)
    if let time = file.time {
      region.mTimeStamp.mFlags = .sampleTimeValid
      region.mTimeStamp.mSampleTime = Double(time)
    }
    do throws(AudioError) { try reader?.play(region, of: object) } catch {
      throw error.of(file.path)
    }
    guard let schedule, schedule.position == nil else { return }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    stamp.mSampleTime = -1
    try schedule.start(at: stamp)
  }

  override func cancelAll() {
    reader?.cancelAll()
    super.cancelAll()
    waiting = []
    pathFiles = []
  }

  override func releaseResources() {
    super.releaseResources()
    reader?.end()
    reader = nil
  }

  private func setFiles(_ data: UnsafeRawBufferPointer?) throws(AudioError) {
    let stride = MemoryLayout<AudioFileID>.stride
    guard (data?.count ?? 0) % stride == 0 else {
      throw .invalidPropertyValue.because(
        "\(data?.count ?? 0) bytes are not an array of AudioFileID, of \(stride) bytes each")
    }
    var found: [(AudioFileID, AudioFileObject)] = []
    for index in 0..<(data?.count ?? 0) / stride {
      let bits = data?.loadUnaligned(fromByteOffset: index * stride, as: UInt.self) ?? 0
      guard let handle = AudioFileID(bitPattern: bits),
        let object = AudioFileObject.handles.enter(handle)
      else {
        throw .invalidPropertyValue.because("entry \(index) is not an open audio file")
      }
      found.append((handle, object.takeUnretainedValue()))
      AudioFileObject.handles.leave(handle)
    }
    files = found
  }

  private func play(_ region: ScheduledAudioFileRegion) throws(AudioError) {
    _ = try activeSchedule()
    guard let reader else { return }
    let file = files.first { $0.handle == region.mAudioFile }?.file
    guard let file else {
      throw .invalidPropertyValue.because(
        "mAudioFile is none of the \(files.count) in kAudioUnitProperty_ScheduledFileIDs")
    }
    try reader.play(region, of: file)
  }

  private func setReadAhead(_ change: (inout ReadAhead.Amount) -> Void) throws(AudioError) {
    var changed = readAhead
    change(&changed)
    guard (16...1_048_576).contains(changed.pieceFrames), (2...256).contains(changed.pieceCount)
    else {
      throw .invalidPropertyValue.because(
        "\(changed.pieceCount) buffers of \(changed.pieceFrames) frames; expected 2 to 256 of "
          + "16 to 1,048,576")
    }
    readAhead = changed
    reader?.setAmount(changed)
  }

  private static let fileProperties = PropertyRow<FilePlayerUnit>.rows([
    .bytes(
      kAudioUnitProperty_ScheduledFileIDs, in: [kAudioUnitScope_Global], type: "AudioFileID[]",
      get: { unit, _ in
        unit.files.flatMap { file in withUnsafeBytes(of: file.handle) { Array($0) } }
      },
      set: { (unit, _, data) throws(AudioError) in try unit.setFiles(data.bytes) },
      remove: { (unit, _) throws(AudioError) in try unit.setFiles(nil) }),
    .value(
      kAudioUnitProperty_ScheduledFileRegion, in: [kAudioUnitScope_Global],
      set: { (unit, _, region: ScheduledAudioFileRegion) throws(AudioError) in
        try unit.play(region)
      }),
    .value(
      kAudioUnitProperty_ScheduledFilePrime, in: [kAudioUnitScope_Global],
      set: { (unit, _, frames: UInt32) throws(AudioError) in
        _ = try unit.activeSchedule()
        try unit.reader?.prime(Int(frames))
      }),
    .value(
      kAudioUnitProperty_ScheduledFileBufferSizeFrames, in: [kAudioUnitScope_Global],
      get: { unit, _ in UInt32(clamping: unit.readAhead.pieceFrames) },
      set: { (unit, _, frames: UInt32) throws(AudioError) in
        try unit.setReadAhead { $0.pieceFrames = Int(frames) }
      }),
    .value(
      kAudioUnitProperty_ScheduledFileNumberBuffers, in: [kAudioUnitScope_Global],
      get: { unit, _ in UInt32(clamping: unit.readAhead.pieceCount) },
      set: { (unit, _, count: UInt32) throws(AudioError) in
        try unit.setReadAhead { $0.pieceCount = Int(count) }
      }),
    .flag(
      kAudioUnitProperty_OfflineRender, in: [kAudioUnitScope_Global],
      get: { unit, _ in unit.isOffline },
      set: { unit, _, isOn in
        unit.isOffline = isOn
        unit.schedule?.setOffline(isOn)
      }),
    .value(
      kAUDiagnosticsProperty_Xruns, in: [kAudioUnitScope_Global],
      reading: { unit in
        AUDiagnosticsXruns(
          mCount: UInt32(clamping: unit.schedule?.misses.count ?? 0), mServerCount: 0,
          mServerReports: 0)
      }),
    .string(
      kAUDiagnosticsProperty_Interruption, in: [kAudioUnitScope_Global], isNullWhenUnset: true,
      get: { unit, _ in
        guard let misses = unit.schedule?.misses, misses.count > 0 else { return nil }
        return "\(misses.frames) frames were silent, in \(misses.count) "
          + "place\(misses.count == 1 ? "" : "s"): the file was not read in time. More can be read "
          + "ahead (kAudioUnitProperty_ScheduledFileNumberBuffers, now "
          + "\(unit.readAhead.pieceCount))"
      }),
  ])
}

extension UnitDefinition {
  /// A unit that plays a schedule.
  static func player<K: TimedKernel & ~Copyable & SendableMetatype>(
    _ type: K.Type, _ makeUnit: @escaping @Sendable (Component, UnitDefinition) -> PlayerUnit
  ) -> Self { .timed(type) { makeUnit($0, $1) } }
}
