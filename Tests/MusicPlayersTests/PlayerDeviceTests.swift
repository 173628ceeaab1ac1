// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("A player of a graph that plays to a device")
struct PlayerDeviceTests {
  /// A graph of a recording instrument at 48,000 Hz, and an output.
  private func makeGraph(_ code: OSType) throws -> AUGraph {
    var (graph, instrument, output) = (AUGraph?.none, AUNode(), AUNode())
    try check(NewAUGraph(&graph))
    let made = try #require(graph)
    var description = RecordingInstrument.register(code)
    var device = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_DefaultOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    try check(AUGraphAddNode(made, &description, &instrument))
    try check(AUGraphAddNode(made, &device, &output))
    try check(AUGraphOpen(made))
    var unit: AudioUnit?
    try check(AUGraphNodeInfo(made, output, nil, &unit))
    var format = RecordingInstrument.format
    try check(
      AudioUnitSetProperty(
        try #require(unit), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, 40))
    try check(AUGraphConnectNodeInput(made, instrument, 0, output, 0))
    return made
  }

  @Test("is as fast as on any other, whatever the rate of the device", arguments: [24_000, 96_000])
  func rate(device rate: Double) throws {
    try onDevice(rate: rate) {
      let code: OSType = 0x5100_0000 + OSType(rate)
      let graph = try makeGraph(code)
      defer { DisposeAUGraph(graph) }
      var (sequence, player, track) = (MusicSequence?.none, MusicPlayer?.none, MusicTrack?.none)
      try check(NewMusicSequence(&sequence))
      try check(NewMusicPlayer(&player))
      let (made, playing) = (try #require(sequence), try #require(player))
      try check(MusicSequenceSetAUGraph(made, graph))
      try check(MusicSequenceNewTrack(made, &track))
      for beat in [0, 2] as [Double] {
        var note = MIDINoteMessage(
          channel: 0, note: 60, velocity: 100, releaseVelocity: 0, duration: 0.5)
        try check(MusicTrackNewMIDINoteEvent(try #require(track), beat, &note))
      }
      try check(MusicPlayerSetSequence(playing, made))
      try check(MusicPlayerStart(playing))
      var received: [String] = []
      for _ in 0..<4_000 where received.count < 4 {
        received += RecordingInstrument.take(code)
        usleep(1_000)
      }
      try check(MusicPlayerStop(playing))
      try check(MusicPlayerSetSequence(playing, nil))
      try check(DisposeMusicPlayer(playing))
      try check(DisposeMusicSequence(made))
      let begins = received.filter { $0.contains(": 144 ") }
        .compactMap { $0.split(separator: ":").first.flatMap { Int($0) } }
      try #require(begins.count == 2)
      // Two beats are a second of the instrument; the conversion of the rate takes some frames ahead.
      #expect(abs(begins[1] - begins[0] - 48_000) < 2_048)
    }
  }
}
