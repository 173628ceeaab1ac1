// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import JACKClients

/// A stream: a client with a port for each channel, connected to the device's ports.
final class JACKStream: DeviceStream {
  private let request: StreamRequest
  private let playback: [String]
  private let capture: [String]
  private let handler: CycleHandler
  private let current: Guarded<Device>
  private let runs = ServerRuns<JACKCallbacks>()

  init(
    _ request: StreamRequest, _ devices: RequestedDevices, playback: [String], capture: [String],
    _ handler: CycleHandler
  ) throws(AudioError) {
    guard let device = devices.device(input: request.usesInput, output: request.usesOutput),
      !request.usesOutput || !playback.isEmpty, !request.usesInput || !capture.isEmpty
    else {
      let direction = request.usesOutput ? "plays" : "captures"
      throw .failedInitialization.because("JACK has no device that \(direction)")
    }
    self.request = request
    self.playback = request.usesOutput ? playback : []
    self.capture = request.usesInput ? capture : []
    self.handler = handler
    current = Guarded(device)
  }

  deinit { stop() }

  var device: Device { current.withLock { $0 } }

  func start() throws(AudioError) {
    try runs.start { () throws(AudioError) in
      JACKServer.shared.closeIfEnded()
      let client = try JACKClient.open()
      current.withLock { $0.cycleFrames = client.cycleFrames }
      let callbacks = JACKCallbacks(
        client, ServerCycles(to: handler, startHostTime: request.startHostTime),
        EventSender(to: handler), current, playbackCount: playback.count,
        captureCount: capture.count)
      try runs.begin(callbacks) { () throws(AudioError) in
        guard client.sampleRate == device.sampleRate else {
          throw .failedInitialization.because(
            "the JACK server's rate is now \(client.sampleRate) Hz")
        }
        let (playback, capture) = (playback, capture)
        try client.call { () throws(AudioError) in
          try callbacks.register()
          try client.activate()
          for (port, name) in zip(callbacks.playbackNames, playback) {
            try client.connect(port, name)
          }
          for (port, name) in zip(callbacks.captureNames, capture) {
            try client.connect(name, port)
          }
        }
      }
    }
  }

  func stop() { runs.stop() }

  func latency(_ direction: StreamDirection) -> Double {
    (runs.query { $0.latency(direction) } ?? 0) / device.sampleRate
  }

  var xrunCount: Int { runs.xrunCount }
  var serverXrunCount: Int? { runs.serverXrunCount ?? 0 }
  var stallLimit: Double? { stallLimit(of: device) }
  var scheduling: ThreadScheduling? { runs.query { $0.scheduling } }
}
