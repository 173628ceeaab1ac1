// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioBackends
import CRealTime
import Glibc

/// Kernel devices, and the PCMs that ALSA's configuration names.
///
/// "alsa" is the PCM `default`. "alsa:NAME" is any other PCM: "alsa:hw:CARD=PCH,DEV=0", or a name
/// from `~/.asoundrc`.
public final class ALSABackend: DeviceBackend {
  public static let name = "alsa"

  private static let defaultName = "default"
  /// Plug-ins that every configuration lists but that are not devices. One of them starts a server.
  private static let converters: Set<String> = [
    "null", "jack", "oss", "speex", "speexrate", "samplerate", "lavrate", "upmix", "vdownmix",
    "a52", "usbstream", "arcam_av",
  ]

  /// Opens and lists devices. A server's plug-in may block this thread for any time.
  static let worker = SerialWorker(name: "audio ALSA")
  /// Seconds that a plug-in may take to open or list devices.
  private static let timeout = 4.0

  private let alsa: ALSAFunctions
  /// The capabilities found by opening each device. They answer queries while a program uses the
  /// device exclusively, because hardware is not shared.
  private let known = Guarded<[String: Device]>([:])

  /// The devices that this process has reserved.
  let reservations: ALSAReservations

  public init(in environment: DeviceEnvironment) throws(AudioError) {
    var reason: UnsafePointer<CChar>?
    guard let functions = alsa_functions(&reason) else {
      throw .failedInitialization.because(reason.map { String(cString: $0) } ?? "no libasound")
    }
    let alsa = functions.pointee
    self.alsa = alsa
    reservations = ALSAReservations { ALSAOpenPCM(alsa, $0, $1) }
    let name = environment.device
    // A named device is opened only on request, so nothing is checked here.
    guard name?.backend != Self.name || name?.device == nil else { return }
    let hasDefault = try Self.withTimeout { () throws(AudioError) in
      for direction in [StreamDirection.output, .input] {
        if let pcm = try? ALSAPort.open(alsa, Self.defaultName, direction) {
          _ = alsa.snd_pcm_close(pcm)
          return true
        }
      }
      return false
    }
    if !hasDefault, try devices(in: environment).isEmpty {
      throw .failedInitialization.because(
        "there is no sound card, and ALSA's \"default\" cannot be opened")
    }
  }

  /// Runs `body`, which may wait for a plug-in's server, for a limited time.
  static func withTimeout<Result: Sendable>(
    _ body: @escaping @Sendable () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    let answer = worker.result(within: timeout) { _ -> Swift.Result<Result, AudioError> in
      do throws(AudioError) { return .success(try body()) } catch { return .failure(error) }
    }
    guard let answer else {
      throw .failedInitialization.because("an ALSA plug-in is waiting for a server")
    }
    return try answer.get()
  }

  public func devices(in environment: DeviceEnvironment) throws(AudioError) -> [Device] {
    try Self.withTimeout { [self] () throws(AudioError) in try list(environment) }
  }

  private func list(_ environment: DeviceEnvironment) throws(AudioError) -> [Device] {
    let chosen = environment.device.flatMap { $0.backend == Self.name ? $0.device : nil }
    let chosenNames = chosen.map { self.names(of: $0, environment) } ?? [Self.defaultName]
    var names = chosenNames + [Self.defaultName]
    names += Self.hints(alsa).filter {
      $0.hasPrefix("hw:") || (!$0.contains(":") && !Self.converters.contains($0))
    }
    var devices: [Device] = []
    for name in names where !devices.contains(where: { $0.uid == Self.uid(name) }) {
      let isDefault = chosenNames.contains(name)
      if let device = describe(name, environment, isDefault: isDefault) {
        devices.append(device)
      }
    }
    for name in chosen == nil ? [] : chosenNames
    where !devices.contains(where: { $0.uid == Self.uid(name) }) {
      throw absent(name, devices)
    }
    return devices
  }

  public func open(
    _ request: StreamRequest, _ handler: CycleHandler, in environment: DeviceEnvironment
  ) throws(AudioError) -> any DeviceStream {
    try Self.withTimeout { [self] () throws(AudioError) in
      try openNow(request, handler, environment)
    }
  }

  private func openNow(
    _ request: StreamRequest, _ handler: CycleHandler, _ environment: DeviceEnvironment
  ) throws(AudioError) -> ALSAStream {
    let name =
      (request.uid.map { DeviceName($0) } ?? environment.device)?.device ?? Self.defaultName
    let names = names(of: name, environment)
    let (outputName, inputName) = (names[0], names[names.count - 1])
    var portRequest = ALSAPort.Request(
      sampleRate: environment.sampleRate, periodFrames: environment.cycleFrames,
      dither: request.dither)
    reservations.suspend(names)
    // Reserves the devices again that the stream does not use.
    defer { reservations.resume() }
    var playback = request.usesOutput ? try ALSAPort(alsa, outputName, .output, portRequest) : nil
    portRequest.sampleRate = playback?.sampleRate ?? portRequest.sampleRate
    let capture = request.usesInput ? try ALSAPort(alsa, inputName, .input, portRequest) : nil
    // A preferred rate that only the output has is not granted.
    if let capture, playback.map({ $0.sampleRate != capture.sampleRate }) ?? false {
      portRequest.sampleRate = capture.sampleRate
      playback = nil  // hardware can be opened only once
      playback = try ALSAPort(alsa, outputName, .output, portRequest)
    }
    guard let port = playback ?? capture else {
      throw .failedInitialization.because("neither input nor output is requested")
    }
    if let playback, let capture, playback.sampleRate != capture.sampleRate {
      throw .failedInitialization.because(
        "\(Self.uid(name)) plays at \(Int(playback.sampleRate)) Hz and captures at "
          + "\(Int(capture.sampleRate)) Hz; expected one rate")
    }
    var isLinked = true
    if let playback, let capture {
      isLinked =
        playback.periodFrames == capture.periodFrames
        && alsa.snd_pcm_link(playback.pcm, capture.pcm) >= 0
    }
    let limits = DeviceEnvironment().cycleFramesRange
    let device = Device(
      backend: Self.name, uid: Self.uid(name), name: Self.title(name),
      inputChannelCount: capture?.channelCount ?? 0,
      outputChannelCount: playback?.channelCount ?? 0, sampleRate: port.sampleRate,
      sampleRates: port.sampleRate...port.sampleRate, cycleFrames: port.periodFrames,
      cycleFramesRange: limits, isDefaultInput: name == Self.defaultName,
      isDefaultOutput: name == Self.defaultName, hasOneClock: isLinked)
    let reservations = reservations
    return ALSAStream(request, device, playback: playback, capture: capture, handler) {
      reservations.resume()
    }
  }

  public func change(_ device: Device, _ change: DeviceChange) throws(AudioError) -> Bool {
    guard case .exclusive(let reserves) = change, device.details.isExclusive else { return false }
    let name = DeviceName(device.uid).device ?? Self.defaultName
    let isOurs = device.details.owner == getpid()
    try Self.withTimeout { [self] () throws(AudioError) in
      if reserves {
        try reservations.reserve(name, isOurs: isOurs)
      } else {
        reservations.release(name)
      }
    }
    return true
  }

  public func observeDevices(_ observer: @escaping @Sendable () -> Void) -> AnyObject? {
    ALSAWatch(observer)
  }

  // MARK: Names

  private static func uid(_ name: String) -> String {
    name == defaultName ? self.name : DeviceName(backend: self.name, device: name).description
  }

  /// The PCMs of a device name: one, or two for a pair.
  private func names(of name: String, _ environment: DeviceEnvironment) -> [String] {
    let parts = name.split(separator: "+", maxSplits: 1).map(String.init)
    guard parts.count == 2, describe(name, environment, isDefault: false) == nil else {
      return [name]
    }
    return parts
  }

  private static func title(_ name: String) -> String { "ALSA \(name)" }

  private func absent(_ name: String, _ devices: [Device]) -> AudioError {
    let all = devices.map { "\"\($0.uid)\"" }.joined(separator: ", ")
    return .failedInitialization.because(
      "there is no device \"\(Self.uid(name))\" that can be opened; there are "
        + (all.isEmpty ? "none" : all))
  }

  /// The names that the configuration lists for users.
  private static func hints(_ alsa: ALSAFunctions) -> [String] {
    var list: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard alsa.snd_device_name_hint(-1, "pcm", &list) >= 0, let list else { return [] }
    defer { _ = alsa.snd_device_name_free_hint(list) }
    var names: [String] = []
    var index = 0
    while let hint = list[index] {
      if let name = alsa.snd_device_name_get_hint(hint, "NAME") {
        names.append(String(cString: name))
        free(name)
      }
      index += 1
    }
    return names
  }

  /// The capabilities of a PCM, found by opening it; nil when it cannot be opened.
  private func describe(
    _ name: String, _ environment: DeviceEnvironment, isDefault: Bool
  ) -> Device? {
    let output = probe(name, .output)
    let input = probe(name, .input)
    if output.isBusy || input.isBusy, var device = known.withLock({ $0[name] }) {
      device.details.owner = ALSAOwner.process(of: name)
      return device
    }
    guard let one = output.capabilities ?? input.capabilities else { return nil }
    let rate = min(max(environment.sampleRate, one.rates.lowerBound), one.rates.upperBound)
    let frames = min(max(environment.cycleFrames, one.periods.lowerBound), one.periods.upperBound)
    var device = Device(
      backend: Self.name, uid: Self.uid(name), name: Self.title(name),
      inputChannelCount: input.capabilities?.channelCount ?? 0,
      outputChannelCount: output.capabilities?.channelCount ?? 0,
      sampleRate: rate, sampleRates: one.rates, cycleFrames: frames,
      cycleFramesRange: one.periods, isDefaultInput: isDefault, isDefaultOutput: isDefault,
      hasOneClock: false)
    device.details.isExclusive = one.isHardware
    known.withLock { [device] in $0[name] = device }
    device.details.owner = reservations.contains(name) ? getpid() : nil
    return device
  }

  private struct Capabilities {
    var channelCount: Int
    var rates: ClosedRange<Double>
    var periods: ClosedRange<Int>
    var isHardware: Bool
  }

  private enum ProbeResult {
    case free(Capabilities)
    /// A process uses it exclusively, perhaps this one.
    case busy
    case absent

    var isBusy: Bool {
      if case .busy = self { return true }
      return false
    }

    var capabilities: Capabilities? {
      if case .free(let capabilities) = self { return capabilities }
      return nil
    }
  }

  private func probe(_ name: String, _ direction: StreamDirection) -> ProbeResult {
    var pcm: OpaquePointer?
    let code = direction == .output ? ALSAPlayback : ALSACapture
    let answer = alsa.snd_pcm_open(
      &pcm, name, CInt(clamping: code.rawValue), CInt(clamping: ALSANonblock))
    guard answer >= 0, let pcm else { return answer == -EBUSY ? .busy : .absent }
    defer { _ = alsa.snd_pcm_close(pcm) }
    guard let setup = try? ALSASetup(alsa, pcm, named: name) else { return .absent }
    defer { setup.free() }
    let isHardware = alsa.snd_pcm_type(pcm) == CInt(clamping: ALSATypeHardware)
    return .free(
      Capabilities(
        channelCount: setup.defaultChannelCount(isHardware: isHardware), rates: setup.sampleRates,
        periods: setup.periods, isHardware: isHardware))
  }
}

/// Reports added and removed sound cards, which the kernel lists in /dev/snd.
private final class ALSAWatch: Sendable {
  private let thread: WorkerThread

  init(_ observer: @escaping @Sendable () -> Void) {
    thread = WorkerThread(name: "audio devices") { thread in
      var known = Self.cards()
      while thread.sleep(until: rt_host_time() + 1_000_000_000) {
        let now = Self.cards()
        if now != known { observer() }
        known = now
      }
    }
    try? thread.start()
  }

  deinit { thread.stop() }

  private static func cards() -> Set<String> {
    guard let folder = opendir("/dev/snd") else { return [] }
    defer { closedir(folder) }
    var names: Set<String> = []
    while let entry = readdir(folder) {
      names.insert(
        withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names
  }
}
