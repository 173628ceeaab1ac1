// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization

/// The cost of one output unit on a sound server, compared with the smallest client in C: processor
/// time of the whole process per cycle. The servers are private, in a separate folder.
enum ServerBenchmark {
  private static let seconds = 2.0
  private static let rounds = 3
  private static let cycles = Atomic<Int>(0)

  static func run(in folder: URL) {
    Report.title("an output unit on a sound server, stereo (us of the process per cycle)")
    for frames in [64, 256, 1024] {
      jack(frames, folder)
      pipeWire(frames, folder)
    }
  }

  private static func jack(_ frames: Int, _ folder: URL) {
    let name = "bench-\(getpid())"
    setenv("JACK_DEFAULT_SERVER", name, 1)
    setenv("JACK_NO_AUDIO_RESERVATION", "1", 1)
    guard
      let server = start(
        ["jackd", "-n", name, "-R", "-d", "dummy", "-r", "48000", "-p", "\(frames)"])
    else { return Report.peer("JACK, \(frames) frames", nil, "us", ours: 1) }
    defer { end(server) }
    usleep(1_500_000)
    compare("JACK", "jack", frames, ["jack"], [], folder)
  }

  private static func pipeWire(_ frames: Int, _ folder: URL) {
    let home = folder.appendingPathComponent("pipewire")
    setenv("PIPEWIRE_RUNTIME_DIR", home.path, 1)
    guard let servers = try? startPipeWire(home) else {
      return Report.peer("PipeWire, \(frames) frames", nil, "us", ours: 1)
    }
    defer { servers.reversed().forEach(end) }
    usleep(1_500_000)
    compare("PipeWire", "pipewire", frames, ["libpipewire-0.3"], ["\(frames)"], folder)
  }

  /// A line for the unit and a line for the client in C: the smallest of several alternating rounds
  /// each, because other programs run in between.
  private static func compare(
    _ server: String, _ device: String, _ frames: Int, _ packages: [String], _ words: [String],
    _ folder: URL
  ) {
    var (all, others): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      if let ours = unit(device, frames) { all.append(ours) }
      if let theirs = client(device, packages, words, frames, folder) { others.append(theirs) }
    }
    guard let ours = all.min() else {
      return print("  \(server), \(frames) frames: the unit does not start")
    }
    let theirs = others.min()
    Report.own(
      "\(server), \(frames) frames", ours, "us", target: theirs.map { 1.3 * $0 })
    Report.peer("the smallest client in C", theirs, "us", ours: ours)
  }

  /// Microseconds of this process per cycle of a unit that copies a table.
  private static func unit(_ device: String, _ frames: Int) -> Double? {
    setenv("AUDIOTOOLBOX_DEVICE", device, 1)
    setenv("AUDIOTOOLBOX_FRAMES", "\(frames)", 1)
    defer { unsetenv("AUDIOTOOLBOX_FRAMES") }
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_DefaultOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var instance: AudioUnit?
    guard let component = AudioComponentFindNext(nil, &description),
      AudioComponentInstanceNew(component, &instance) == noErr, let unit = instance
    else { return nil }
    defer { AudioComponentInstanceDispose(unit) }
    var format = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
        | kAudioFormatFlagIsNonInterleaved, mBytesPerPacket: 4, mFramesPerPacket: 1,
      mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 32, mReserved: 0)
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
      UInt32(MemoryLayout.size(ofValue: format)))
    let table = UnsafeMutablePointer<Float>.allocate(capacity: 8_192)
    table.initialize(repeating: 0, count: 8_192)
    defer { table.deallocate() }
    var input = AURenderCallbackStruct(
      inputProc: { table, _, _, _, frames, data in
        guard let data else { return noErr }
        for buffer in UnsafeMutableAudioBufferListPointer(data) {
          if let memory = buffer.mData { memcpy(memory, table, Int(frames) * 4) }
        }
        ServerBenchmark.cycles.wrappingAdd(1, ordering: .relaxed)
        return noErr
      }, inputProcRefCon: table)
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &input,
      UInt32(MemoryLayout.size(ofValue: input)))
    // The server may still be starting.
    for _ in 0..<100 where AudioUnitInitialize(unit) != noErr { usleep(100_000) }
    guard AudioOutputUnitStart(unit) == noErr else { return nil }
    defer { AudioOutputUnitStop(unit) }
    usleep(500_000)
    let (time, count) = (processorTime("self"), cycles.load(ordering: .relaxed))
    usleep(UInt32(seconds * 1e6))
    let done = cycles.load(ordering: .relaxed) - count
    return done > 0 ? (processorTime("self") - time) / Double(done) : nil
  }

  /// The same for a client compiled from `ServerClients`; nil if that fails.
  private static func client(
    _ name: String, _ packages: [String], _ words: [String], _ frames: Int, _ folder: URL
  ) -> Double? {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("ServerClients/\(name).c").path
    let program = folder.appendingPathComponent("smallest-\(name)").path
    let compile =
      "cc -O2 '\(source)' -o '\(program)' $(pkg-config --cflags --libs \(packages.joined(separator: " ")))"
    guard let compiler = start(["sh", "-c", compile]) else { return nil }
    compiler.waitUntilExit()
    setenv("PIPEWIRE_CONFIG_NAME", "client-rt.conf", 1)
    defer { unsetenv("PIPEWIRE_CONFIG_NAME") }
    guard compiler.terminationStatus == 0, let process = start([program] + words) else {
      return nil
    }
    defer { end(process) }
    usleep(1_000_000)
    let number = "\(process.processIdentifier)"
    let time = processorTime(number)
    usleep(UInt32(seconds * 1e6))
    return (processorTime(number) - time) / (seconds * 48_000 / Double(frames))
  }

  /// Microseconds of processor time of all threads of a process, except the measuring one.
  private static func processorTime(_ process: String) -> Double {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    let tasks =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return tasks.reduce(0) { sum, task in
      guard own?.hasSuffix("/task/\(task)") != true else { return sum }
      let text = try? String(
        contentsOfFile: "/proc/\(process)/task/\(task)/schedstat", encoding: .utf8)
      return sum + (text?.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1_000
    }
  }

  // MARK: Servers

  private static func startPipeWire(_ home: URL) throws -> [Process] {
    func write(_ path: String, _ text: String) throws {
      let file = home.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try Data(text.utf8).write(to: file)
    }
    try write(
      "pipewire/pipewire.conf.d/10-bench.conf",
      """
      context.properties = { default.clock.min-quantum = 32 support.dbus = false }
      context.objects = [
       { factory = adapter args = { factory.name = support.null-audio-sink node.name = "null1"
         media.class = "Audio/Sink" audio.rate = 48000 audio.position = [ FL FR ]
         priority.session = 1000 priority.driver = 20000 } }
      ]
      """)
    // Only that sink: up to version 0.4 configured in Lua, later as a profile.
    try write(
      "wireplumber/main.lua.d/51-bench.lua",
      """
      alsa_monitor.properties["alsa.reserve"] = false
      alsa_monitor.enabled = false
      v4l2_monitor.enabled = false
      libcamera_monitor.enabled = false
      default_access.properties["enable-flatpak-portal"] = false
      """)
    try write(
      "wireplumber/bluetooth.lua.d/51-bench.lua",
      """
      bluez_monitor.enabled = false
      bluez_midi_monitor = bluez_midi_monitor or {}
      bluez_midi_monitor.enabled = false
      bluez_monitor.properties["with-logind"] = false
      """)
    try write(
      "wireplumber/wireplumber.conf.d/51-bench.conf",
      """
      wireplumber.profiles = { main = { hardware.audio = disabled hardware.bluetooth = disabled
        hardware.video-capture = disabled support.reserve-device = disabled } }
      """)
    let environment = ["XDG_RUNTIME_DIR", "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]
      .reduce(into: [String: String]()) { $0[$1] = home.path }
    guard let server = start(["pipewire"], environment) else { throw CocoaError(.fileNoSuchFile) }
    usleep(500_000)
    return [server] + [start(["wireplumber"], environment)].compactMap { $0 }
  }

  private static func start(_ words: [String], _ more: [String: String] = [:]) -> Process? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return (try? process.run()) == nil ? nil : process
  }

  private static func end(_ process: Process) {
    process.terminate()
    process.waitUntilExit()
  }
}
