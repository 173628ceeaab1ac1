// SPDX-License-Identifier: Apache-2.0

/// The number of a bus of a node.
public typealias AVAudioNodeBus = Int
/// A number of channels.
public typealias AVAudioChannelCount = UInt32
/// A number of frames.
public typealias AVAudioFrameCount = UInt32
/// A position in a file or on the time line of a stream, in frames.
public typealias AVAudioFramePosition = Int64
/// A number of packets.
public typealias AVAudioPacketCount = UInt32
