// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import SignalProcessing

/// The option for channels that are mixed to fewer.
enum MixOptions {
  static let lowFrequency = Option<Double?>(
    "lfe", "DB", .level(in: -100...12),
    "where channels become fewer, the level of the low-frequency effects (default: left out)")

  /// The linear gain of the channel for low-frequency effects.
  static func lowFrequencyGain(_ values: Values) -> Float {
    values[lowFrequency].map { Float(Decibels.gain($0)) } ?? 0
  }
}
