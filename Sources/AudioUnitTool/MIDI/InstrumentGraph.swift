// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// A graph of an instrument with a bank of sounds, and an output.
final class InstrumentGraph {
  /// What it plays with.
  struct Sound {
    /// The path of the bank; nil for that of the system.
    var bank: String?
    /// The rate of a graph that is rendered; nil for one of a device.
    var sampleRate: Double?
  }

  let graph: AUGraph
  let instrument: AudioUnit
  let output: AudioUnit

  /// Makes and opens the graph; whoever uses it initializes and starts it.
  init(_ sound: Sound) throws(Failure) {
    var made: AUGraph?
    try Failure.check(NewAUGraph(&made), "Can't make a graph")
    guard let made else { throw Failure("Can't make a graph") }
    do throws(Failure) {
      let player = try Self.add(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth, to: made)
      let end = try Self.add(
        kAudioUnitType_Output,
        sound.sampleRate == nil
          ? kAudioUnitSubType_DefaultOutput : kAudioUnitSubType_GenericOutput, to: made)
      try Failure.check(AUGraphOpen(made), "Can't open the graph")
      let units = try (player: Self.unit(player, of: made), end: Self.unit(end, of: made))
      if let bank = sound.bank { try Self.load(bank, into: units.player) }
      if let rate = sound.sampleRate {
        try Self.setRate(rate, of: units.player)
        try Self.setRate(rate, of: units.end)
      }
      try Failure.check(
        AUGraphConnectNodeInput(made, player, 0, end, 0), "Can't connect the units")
      (graph, instrument, output) = (made, units.player, units.end)
    } catch {
      DisposeAUGraph(made)
      throw error
    }
  }

  deinit { DisposeAUGraph(graph) }

  private static func add(
    _ type: OSType, _ subType: OSType, to graph: AUGraph
  ) throws(Failure) -> AUNode {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    var node = AUNode()
    try Failure.check(AUGraphAddNode(graph, &description, &node), "Can't make a unit")
    return node
  }

  private static func unit(_ node: AUNode, of graph: AUGraph) throws(Failure) -> AudioUnit {
    var unit: AudioUnit?
    try Failure.check(AUGraphNodeInfo(graph, node, nil, &unit), "Can't make a unit")
    guard let unit else { throw Failure("Can't make a unit") }
    return unit
  }

  private static func load(_ bank: String, into unit: AudioUnit) throws(Failure) {
    let url = URL(fileURLWithPath: bank) as NSURL
    var address: UnsafeRawPointer? = UnsafeRawPointer(Unmanaged.passUnretained(url).toOpaque())
    let status = withExtendedLifetime(url) {
      AudioUnitSetProperty(
        unit, kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0, &address,
        UInt32(clamping: MemoryLayout<UnsafeRawPointer>.size))
    }
    try Failure.check(status, bank)
  }

  private static func setRate(_ rate: Double, of unit: AudioUnit) throws(Failure) {
    var format = AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
      mBitsPerChannel: 32, mReserved: 0)
    try Failure.check(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format,
        UInt32(clamping: MemoryLayout.size(ofValue: format))), "Can't set the format")
  }
}
