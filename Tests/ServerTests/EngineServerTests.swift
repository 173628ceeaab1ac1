// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Foundation
import Testing

extension Servers {
  /// Ends and restarts the server of a running engine, three times each; `make soak` does it a
  /// hundred times.
  @Suite("AVAudioEngine on servers that end", .serialized)
  struct EngineServerSoak {
    /// Ends a server and starts it again as it was: the engine waits, and continues by itself.
    private func endServer(
      of engine: PlayingEngine, stop: () -> Void, start: () throws -> Void
    ) throws {
      try engine.start()
      var resources: ServerResources?
      for round in 0..<rounds {
        #expect(engine.waits(forFrames: 12_000), "round \(round)")
        stop()
        #expect(wait { engine.interruption != nil }, "round \(round)")
        #expect(engine.engine.isRunning)
        try start()
        #expect(engine.waits(forFrames: 12_000), "round \(round)")
        if let resources {
          #expect(
            wait { ServerResources() == resources },
            "\(ServerResources()), and at first \(resources)")
        }
        resources = resources ?? ServerResources()
      }
      #expect(engine.changeCount == 0)
    }

    /// Stops the engine: nothing is rendered any more.
    private func stop(_ engine: PlayingEngine) {
      engine.engine.stop()
      let frames = engine.frameCount
      usleep(50_000)
      #expect(engine.frameCount == frames)
    }

    @Test("plays on after PipeWire was killed and started again")
    func pipeWire() throws {
      let server = try PipeWireFixture(quantum: 1_024)
      let engine = try PlayingEngine("pipewire")
      try endServer(of: engine, stop: { server.stop() }, start: { try server.start() })
      try Servers.expectTone(late: { engine.lateCycles }) {
        try SinkRecorder("pipewire:null1.monitor").recording(seconds: 1.2)
      }
      stop(engine)
    }

    @Test("plays on after PulseAudio was killed and started again")
    func pulse() throws {
      let server = try PulseFixture(countsUnderruns: true)
      let engine = try PlayingEngine("pulse:one")
      try endServer(of: engine, stop: { server.stop() }, start: { try server.start() })
      try Servers.expectTone(late: { engine.lateCycles + server.underruns }) {
        Recording(channels: try server.recording("one") { _ = engine.waits(forFrames: 56_000) })
      }
      stop(engine)
    }

    @Test("plays on after JACK was killed and started again")
    func jack() throws {
      let server = try JACKFixture(period: 512)
      let engine = try PlayingEngine("jack")
      try endServer(
        of: engine, stop: { server.stop() }, start: { try server.start(period: 512) })
      try Servers.expectTone(late: { engine.lateCycles }) {
        let recorder = try JACKPeer("recorder", records: true)
        let output = try #require(recorder.ports(":output_1$").first)
        #expect(recorder.connect(output, recorder.portName))
        #expect(wait { recorder.count > 56_000 })
        return Recording(channels: [recorder.signal]) { recorder.lostCycles }
      }
      stop(engine)
    }

    @Test("stops and posts once for each new rate of JACK, and plays after a start")
    func rate() throws {
      let server = try JACKFixture(period: 512)
      let engine = try PlayingEngine("jack", restarts: true)
      try engine.start()
      for round in 0..<rounds {
        #expect(engine.waits(forFrames: 12_000))
        let rate = round % 2 == 0 ? 44_100 : 48_000
        server.stop()
        try server.start(rate: rate, period: 512)
        #expect(wait { engine.changeCount == round + 1 }, "\(engine.changeCount)")
        #expect(engine.engine.isRunning)
        #expect(engine.deviceRate == Double(rate))
        #expect(engine.engine.mainMixerNode.outputFormat(forBus: 0).sampleRate == Double(rate))
        #expect(engine.waits(forFrames: 12_000))
      }
      #expect(engine.changeCount == rounds)
      stop(engine)
    }

    @Test("stays stopped after a new rate unless the program starts it")
    func stopped() throws {
      let server = try JACKFixture(period: 512)
      let engine = try PlayingEngine("jack")
      try engine.start()
      #expect(engine.waits(forFrames: 12_000))
      server.stop()
      try server.start(rate: 44_100, period: 512)
      #expect(wait { engine.changeCount == 1 })
      #expect(!engine.engine.isRunning)
      let frames = engine.frameCount
      usleep(200_000)
      #expect(engine.frameCount == frames)
    }

    @Test("can be stopped while the server is gone, says so at a start, and starts when it is back")
    func absent() throws {
      let server = try PulseFixture()
      let engine = try PlayingEngine("pulse:one")
      for round in 0..<rounds {
        try engine.start()
        #expect(engine.waits(forFrames: 12_000), "round \(round)")
        server.stop()
        #expect(wait { engine.interruption != nil })
        stop(engine)
        let error = #expect(throws: NSError.self) { try engine.start() }
        #expect(error?.localizedDescription.isEmpty == false)
        #expect(!engine.engine.isRunning)
        try server.start()
      }
      try engine.start()
      #expect(engine.waits(forFrames: 12_000))
      stop(engine)
    }

    @Test("can be edited while the server is gone")
    func edited() throws {
      let server = try PipeWireFixture(quantum: 1_024)
      let engine = try PlayingEngine("pipewire")
      try engine.start()
      for _ in 0..<rounds {
        #expect(engine.waits(forFrames: 12_000))
        server.stop()
        #expect(wait { engine.interruption != nil })
        let (player, mixer) = (AVAudioPlayerNode(), engine.engine.mainMixerNode)
        engine.engine.attach(player)
        engine.engine.connect(player, to: mixer, format: nil)
        player.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
        try player.playAudio()
        player.stop()
        engine.engine.detach(player)
        try server.start()
      }
      #expect(engine.waits(forFrames: 12_000))
      stop(engine)
    }

    @Test("can be stopped and ended while the server hangs")
    func hangs() throws {
      let server = try PipeWireFixture(quantum: 1_024)
      weak var ended: AVAudioEngine?
      do {
        let engine = try PlayingEngine("pipewire")
        ended = engine.engine
        try engine.start()
        #expect(engine.waits(forFrames: 12_000))
        server.hang(true)
        #expect(wait { engine.interruption != nil })
        engine.engine.stop()
      }
      #expect(wait { ended == nil })
      server.hang(false)
      let engine = try PlayingEngine("pipewire")
      #expect(wait { (try? engine.start()) != nil })
      #expect(engine.waits(forFrames: 12_000))
    }
  }
}
