// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
import AudioSupport
import AudioToolbox
import Synchronization

/// The ends of an engine: the unit that reaches the device, and what takes its place in manual
/// rendering.
final class EngineIO: @unchecked Sendable {  // guarded
  /// The ends of a device.
  private struct Ends {
    var captures = false
    var plays = false
  }

  private struct State {
    /// Made when something needs it.
    var device: NodeUnit?
    var processesVoice = false
    /// The ends of the device that are prepared.
    var ends = Ends()
    /// That of the program that prepared them.
    var context = DeviceContext()
    /// The device that the program chose, for the next unit.
    var deviceID: AudioDeviceID?
  }

  /// The output of manual rendering, and its input.
  let generic = NodeUnit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
  let manualInput = ManualInput()
  /// Both for render threads.
  let manualEnds: ManualEnds
  /// Reads what the device captures.
  let pump = InputPump()
  /// The time of the last cycle.
  let clock = EngineClock()
  let voice = VoiceSettings()
  private let state = Guarded(State())
  /// Held while the unit is made. As that of `EngineCore`, it is not one of the library's.
  private let making = NSRecursiveLock()
  /// What watches the devices.
  private let watch = Guarded<AnyObject?>(nil)
  /// [a thread of the library] Called when the format of the device may have changed.
  var formatChanged: @Sendable () -> Void = {}

  init() {
    manualEnds = ManualEnds(output: generic.handle, input: .passUnretained(manualInput))
  }

  // MARK: Units

  /// The unit that reaches the device.
  var device: NodeUnit {
    making.withLock {
      let state = state.withLock { $0 }
      if let device = state.device { return device }
      let device = NodeUnit(
        kAudioUnitType_Output,
        state.processesVoice ? kAudioUnitSubType_VoiceProcessingIO : kAudioUnitSubType_HALOutput)
      if let id = state.deviceID, id != device.currentDevice {
        device.set(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, id)
      }
      clock.follow(device)
      AudioUnitAddPropertyListener(
        device.handle, kAudioUnitProperty_StreamFormat, Self.formatListener,
        Unmanaged.passUnretained(self).toOpaque())
      self.state.withLock { $0.device = device }
      return device
    }
  }

  private static let formatListener: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
    Unmanaged<EngineIO>.fromOpaque(context).takeUnretainedValue().formatChanged()
  }

  /// At the end of the engine: the unit, which others may keep, calls this no more.
  func end() {
    if let device = state.withLock({ $0.device }) { release(device) }
  }

  /// [while the unit is stopped] On return the unit does not call this, and never will.
  private func release(_ device: NodeUnit) {
    AudioUnitRemovePropertyListenerWithUserData(
      device.handle, kAudioUnitProperty_StreamFormat, Self.formatListener,
      Unmanaged.passUnretained(self).toOpaque())
    clock.leave(device)
    pump.detach(from: device)
  }

  /// The unit that pulls the others.
  func head(isManual: Bool) -> NodeUnit { isManual ? generic : device }

  /// The output of the input node.
  func inputPort(isManual: Bool) -> (NodeUnit, UInt32) {
    isManual ? (manualInput.unit, 0) : (device, 1)
  }

  /// Whether the unit has been prepared to capture.
  var captures: Bool { state.withLock { $0.ends.captures } }

  /// Where the unit finds its device, also on other threads.
  var context: DeviceContext { state.withLock { $0.context } }

  /// Whether the unit has been prepared to play.
  var plays: Bool { state.withLock { $0.ends.plays } }

  /// Whether the unit has been prepared for the ends that the nodes need.
  func isPrepared(for nodes: NodeSet) -> Bool {
    let (needed, current) = (ends(for: nodes), state.withLock { $0.ends })
    return needed.captures == current.captures && needed.plays == current.plays
  }

  private func ends(for nodes: NodeSet) -> Ends {
    Ends(
      captures: processesVoice || nodes.all.contains { $0.role.isInput },
      plays: processesVoice || nodes.all.contains { $0.role.isOutput })
  }

  /// The format of the device's output or input; unknown without a device.
  func deviceFormat(input: Bool) -> AVAudioFormat {
    let scope = input ? kAudioUnitScope_Input : kAudioUnitScope_Output
    guard device.has(input: input), let format = device.format(scope, input ? 1 : 0) else {
      return .unknown
    }
    return .standard(format.sampleRate, format.channelCount)
  }

  /// The formats of its output and input.
  var deviceFormats: [AVAudioFormat] { [deviceFormat(input: false), deviceFormat(input: true)] }

  /// That there is no device with an output or an input, and why.
  func missingDevice(input: Bool) -> String {
    let text = "there is no device with an \(input ? "input" : "output")"
    do throws(AudioError) {
      let found = try DeviceList.device(device.currentDevice, input: true, output: true)
      return "\(text): \"\(found.uid)\" has none"
    } catch { return "\(text): \(error.reason)" }
  }

  /// The latencies of the device in seconds.
  func presentationLatency(input: Bool) -> Double {
    device.value(
      kAudioUnitProperty_PresentationLatency,
      input ? kAudioUnitScope_Input : kAudioUnitScope_Output, bus: input ? 1 : 0, 0.0 as Float64)
      ?? 0
  }
  var headLatency: Double {
    device.value(kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0.0 as Float64) ?? 0
  }

  // MARK: Watching

  /// Watches the devices in place of the unit, which does so only while it runs.
  func watchDevices() {
    let ends = state.withLock { $0.ends }
    let device = try? DeviceList.device(
      device.currentDevice, input: ends.captures, output: ends.plays)
    guard let name = device.map({ DeviceName($0.uid).backend }) else { return }
    var token: AnyObject? = Backends.observe(name) { [weak self] in self?.formatChanged() }
    // The former one ends outside the lock.
    watch.withLock { swap(&$0, &token) }
    // They may have changed before that.
    formatChanged()
  }

  /// Ends that.
  func endWatch() {
    var token: AnyObject?
    watch.withLock { swap(&$0, &token) }
  }

  // MARK: Preparing

  /// [while the unit is stopped] Checks that the device has what the nodes need, and prepares its
  /// unit.
  func prepare(_ nodes: NodeSet, _ call: String) throws {
    let ends = ends(for: nodes)
    let (captures, plays) = (ends.captures, ends.plays)
    for (isNeeded, input) in [(plays, false), (captures, true)] where isNeeded {
      guard deviceFormat(input: input).sampleRate > 0 else {
        throw EngineError.refusal(
          call, missingDevice(input: input),
          mend: "connect one, or enable manual rendering", kAudioUnitErr_InvalidPropertyValue)
      }
    }
    let context = DeviceContext.current
    state.withLock { ($0.ends, $0.context) = (ends, context) }
    let enable = kAudioOutputUnitProperty_EnableIO
    let unit = device
    try EngineError.check(
      unit.set(enable, kAudioUnitScope_Input, 1, UInt32(captures ? 1 : 0)), call)
    try EngineError.check(
      unit.set(enable, kAudioUnitScope_Output, 0, UInt32(plays ? 1 : 0)), call)
    guard captures else { return }
    let format = deviceFormat(input: true)
    try EngineError.check(unit.setFormat(format, kAudioUnitScope_Output, 1), call)
    try EngineError.check(pump.attach(to: unit, channels: Int(format.channelCount)), call)
    voice.apply(to: unit)
  }

  // MARK: Voice processing

  /// Whether the device's unit removes the echo of what it plays from what it captures.
  var processesVoice: Bool { state.withLock { $0.processesVoice } }

  /// [while the unit is not in a graph] Chooses the kind of unit.
  func setProcessesVoice(_ isOn: Bool) {
    // The old unit is disposed of without the lock.
    let old = state.withLock { $0.device }
    let id = old?.currentDevice
    guard processesVoice != isOn else { return }
    if let old { release(old) }
    state.withLock { state in
      (state.deviceID, state.device, state.processesVoice) = (id, nil, isOn)
    }
  }
}

extension NodeUnit {
  /// The device of an output unit.
  var currentDevice: AudioDeviceID? {
    value(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0 as AudioDeviceID)
  }

  /// Whether the device of an output unit has this direction.
  func has(input: Bool) -> Bool {
    let scope = input ? kAudioUnitScope_Input : kAudioUnitScope_Output
    return value(kAudioOutputUnitProperty_HasIO, scope, bus: input ? 1 : 0, 0 as UInt32) == 1
  }
}

/// The host time of the last cycle of a device's unit.
final class EngineClock: @unchecked Sendable {  // atomic
  private let time = Atomic<UInt64>(0)

  /// The host time at which the last cycle began.
  var hostTime: UInt64 { time.load(ordering: .acquiring) }

  /// Follows the cycles of a unit.
  func follow(_ unit: NodeUnit) {
    AudioUnitAddRenderNotify(
      unit.handle, Self.notification, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Follows the cycles of a unit no more.
  func leave(_ unit: NodeUnit) {
    AudioUnitRemoveRenderNotify(
      unit.handle, Self.notification, Unmanaged.passUnretained(self).toOpaque())
  }

  private static let notification: AURenderCallback = { context, flags, time, _, _, _ in
    Unmanaged<EngineClock>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.notify(flags.pointee.rawValue, time)
    }
    return noErr
  }

  /// [render thread] Records the time of a cycle that begins.
  @_noLocks
  private func notify(_ flags: UInt32, _ time: UnsafePointer<AudioTimeStamp>) {
    guard flags & AudioUnitRenderActionFlags.unitRenderAction_PreRender.rawValue != 0 else {
      return
    }
    self.time.store(time.pointee.mHostTime, ordering: .releasing)
  }
}
