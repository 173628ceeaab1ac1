// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

// What an engine does when its device changes, and when that has nothing to play.
extension EngineCore {
  /// Connects a main mixer to the output node, which nothing feeds. If the engine runs, and does not
  /// play yet, the output of its device is opened; without one it plays after the next start. If
  /// opening fails, the engine has stopped, and says so as after a change of the device.
  func connectMainMixer(_ connection: NodeConnection, _ call: String) throws {
    let opens = lock.withLock {
      state == .running && !manual.isOn && !io.plays
        && io.deviceFormat(input: false).sampleRate > 0
    }
    if opens { stop() }
    try lock.withLock { try edit(call, of: []) { $0.connect(connection) } }
    connectionsChanged()
    guard opens else { return }
    do { try start(call) } catch {
      Explanations.log((error as NSError).localizedDescription)
      worker.perform { [weak self] in self?.postConfigurationChange() }
    }
  }

  /// Whether the device stops while nothing is connected to play.
  var isAutoShutdownEnabled: Bool {
    get { lock.withLock { shutsDown } }
    set {
      lock.withLock {
        shutsDown = newValue
        followShutdown()
      }
    }
  }

  /// [under the lock] Stops the device of a running engine if nothing plays, or starts it again.
  func followShutdown() {
    guard state == .running, !manual.isOn else { return }
    let isNeeded = !shutsDown || table.hasChain
    if !isNeeded { graph.stop() } else if !graph.isRunning { try? graph.start("AVAudioEngine") }
  }

  /// [a thread of the library] The device may have another rate or other channels.
  func deviceChanged() {
    let hasChanged = lock.withLock {
      graph.isInitialized && !manual.isOn
        && io.context.use { io.deviceFormats } != deviceFormats
    }
    guard hasChanged else { return }
    stop()
    postConfigurationChange()
  }

  /// Tells the program that the engine has stopped by itself.
  private func postConfigurationChange() {
    guard let engine else { return }
    NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: engine)
  }

  /// Chooses the kind of the device's unit.
  func setProcessesVoice(_ isOn: Bool, _ call: String) throws {
    try lock.withLock {
      guard state == .stopped, !manual.isOn else {
        throw EngineError.refusal(
          call, manual.isOn ? "manual rendering has no voice processing" : "the engine runs",
          mend: manual.isOn ? "disable it first" : "stop it first", kAudioUnitErr_Initialized)
      }
      try graph.setHead(nil, call)
      io.setProcessesVoice(isOn)
    }
    connectionsChanged()
  }

  /// Watches the device of an engine that is prepared or paused.
  func watchDevice() {
    guard !isRunning, !manual.isOn else { return }
    io.watchDevices()
  }
}
