// SPDX-License-Identifier: Apache-2.0

/// The importance of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// [any thread] The type of a number of C.
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// A usual message.
  public static let `default` = OSLogType(0x00)
  /// Written only if the environment has AUDIOTOOLBOX_LOG=1.
  public static let info = OSLogType(0x01)
  /// Written only if the environment has AUDIOTOOLBOX_LOG=1.
  public static let debug = OSLogType(0x02)
  /// An error of the program.
  public static let error = OSLogType(0x10)
  /// An error that more than the program has to do with.
  public static let fault = OSLogType(0x11)
}
