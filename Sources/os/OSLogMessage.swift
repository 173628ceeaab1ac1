// SPDX-License-Identifier: Apache-2.0

/// A message of `Logger`, with interpolated values that have a format, an alignment and a privacy.
///
/// The values are evaluated when the message is made, which a `Logger` does only if it writes it.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral, Sendable {
  /// The whole text, without private values.
  let text: String

  /// [any thread] A message with values.
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }

  /// [any thread] A message without values.
  public init(stringLiteral value: String) { text = value }
}
