// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// A host's function and its context. It supplies input, or is called before and after renders.
public struct RenderCallback: Equatable, BitwiseCopyable, @unchecked Sendable {
  public var function: AURenderCallback
  public var context: UnsafeMutableRawPointer?

  public init(_ function: @escaping AURenderCallback, _ context: UnsafeMutableRawPointer?) {
    self.function = function
    self.context = context
  }

  public static func == (left: Self, right: Self) -> Bool {
    unsafeBitCast(left.function, to: UInt.self) == unsafeBitCast(right.function, to: UInt.self)
      && left.context == right.context
  }
}
