// SPDX-License-Identifier: Apache-2.0

// The keys of settings, the dictionaries that describe formats, files and converters. The value of a
// key is a number unless its comment says otherwise.

// MARK: Every format

/// The format: a constant such as `kAudioFormatLinearPCM`.
public let AVFormatIDKey = "AVFormatIDKey"
/// Frames per second.
public let AVSampleRateKey = "AVSampleRateKey"
/// The number of channels.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The layout of the channels: `Data` with the bytes of an `AudioChannelLayout`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// The kind of a file: a constant such as `kAudioFileWAVEType`.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"

// MARK: Linear PCM

/// Bits per sample, from 8 to 32.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether samples are big-endian.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether samples are floating point.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel has its own buffer.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

// MARK: Encoders

/// The quality of an encoder, a value of `AVAudioQuality`.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// The quality of an encoder with a variable bit rate, a value of `AVAudioQuality`.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderAudioQualityForVBRKey"
/// Bits per second.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// Bits per second of each channel.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// A text: one of the four values that begin with `AVAudioBitRateStrategy`.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// Bits per sample that a lossless encoder preserves, from 8 to 32.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

/// The bit rate is constant.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// The average bit rate is constant.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// The bit rate varies within limits.
public let AVAudioBitRateStrategy_VariableConstrained =
  "AVAudioBitRateStrategy_VariableConstrained"
/// The bit rate varies, and the quality is constant.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

// MARK: Sample rate converters

/// The quality of a sample rate converter, a value of `AVAudioQuality`.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"
/// A text: one of the three values that begin with `AVSampleRateConverterAlgorithm`.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"

/// The usual algorithm.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The algorithm with the highest quality.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// The algorithm with the lowest latency: its filter has minimum phase.
public let AVSampleRateConverterAlgorithm_MinimumPhase =
  "AVSampleRateConverterAlgorithm_MinimumPhase"
