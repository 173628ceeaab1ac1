// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// The name of a status code, its meaning, and what to do about it.
public struct StatusName: Sendable {
  public let code: OSStatus
  /// The C constant.
  public let name: String
  /// When it is returned.
  public let meaning: String
  /// What to check or change.
  public let advice: String

  /// An entry of a family's table.
  public init(_ code: OSStatus, _ name: String, _ meaning: String, _ advice: String) {
    (self.code, self.name, self.meaning, self.advice) = (code, name, meaning, advice)
  }
}
